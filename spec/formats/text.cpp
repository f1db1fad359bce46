#include "spec/formats/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <stdexcept>

#include "util/counted.h"
#include "util/unsigned.h"

namespace mmaspec {
namespace {

constexpr std::size_t kLongestNumber = 1000;
constexpr int kLargestExponent = 20000;

[[noreturn]] void no_number(std::string_view text) {
  throw std::invalid_argument("'" + std::string(text.substr(0, 60)) +
                              "' is not a number: expected hex bits (0x3c00), a hex float "
                              "(0x1.8p-3) or a decimal (1.5, 1e-3)");
}

int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 99;
}

/// Parses all of DIGITS[.DIGITS][EXPONENT]; `base` 10 with exponent e, 16 with exponent p.
Rational parse_unsigned(std::string_view whole, std::string_view text, int base) {
  if (text.size() > kLongestNumber) no_number(whole);
  Integer digits = 0;
  int count = 0;
  int after_point = 0;
  bool point = false;
  std::size_t i = 0;
  for (; i < text.size(); ++i) {
    if (text[i] == '.') {
      if (point) no_number(whole);
      point = true;
      continue;
    }
    const int d = digit_value(text[i]);
    if (d >= base) break;
    digits = digits * base + d;
    ++count;
    if (point) ++after_point;
  }
  if (count == 0) no_number(whole);
  int exponent = 0;
  if (i < text.size()) {
    const char mark = base == 10 ? 'e' : 'p';
    if ((text[i] | 0x20) != mark) no_number(whole);
    std::string_view rest = text.substr(i + 1);
    const bool negative = rest.starts_with('-');
    if (negative || rest.starts_with('+')) rest.remove_prefix(1);
    if (rest.empty() || rest.size() > 6) no_number(whole);
    for (char c : rest) {
      if (c < '0' || c > '9') no_number(whole);
      exponent = exponent * 10 + (c - '0');
    }
    if (exponent > kLargestExponent) no_number(whole);
    if (negative) exponent = -exponent;
  }
  if (base == 16) return times_power_of_two(digits, exponent - 4 * after_point);
  const int power = exponent - after_point;
  const Integer scale = boost::multiprecision::pow(Integer(10), u(std::abs(power)));
  return power >= 0 ? Rational(digits * scale) : Rational(digits, scale);
}

bool is_hex(std::string_view text) { return text.starts_with("0x") || text.starts_with("0X"); }

Rational parse_magnitude(std::string_view whole, std::string_view text) {
  return is_hex(text) ? parse_unsigned(whole, text.substr(2), 16) : parse_unsigned(whole, text, 10);
}

/// The largest magnitude pattern (shifted past ignored bits) whose value is at most x >= 0, and
/// whether it equals x. A pattern beyond the largest finite one if x is larger, -1 if x is below
/// the least number.
std::pair<Integer, bool> pattern_at_most(const Format& format, const Rational& x) {
  if (x == 0) return {format.has_zero ? 0 : -1, format.has_zero};
  const int e = std::max(floor_log2(x), format.least_exponent());
  const int last = e - format.fraction_bits;
  const Integer dividend = numerator(x) << u(std::max(-last, 0));
  const Integer divisor = denominator(x) << u(std::max(last, 0));
  const Integer n = dividend / divisor;
  const Integer hidden = power_of_two(u(format.fraction_bits));
  const Integer field = e - format.least_exponent();
  const Integer pattern =
      format.has_zero ? Integer(n + hidden * field) : Integer(n - hidden + hidden * field);
  return {pattern, n * divisor == dividend};
}

/// The magnitude pattern nearest to significand * 2^exponent, ties to even; the pattern after the
/// largest finite one if the number is larger.
Integer rounded_magnitude(const Format& format, const Integer& significand, int exponent) {
  if (significand == 0) return 0;
  const int e =
      std::max(static_cast<int>(bit_length(significand)) - 1 + exponent, format.least_exponent());
  const int cut = e - format.fraction_bits - exponent;  // number of excess places
  const Integer n = cut > 0 ? Integer(significand >> u(cut)) : Integer(significand << u(-cut));
  const Integer hidden = power_of_two(u(format.fraction_bits));
  Integer magnitude = n + hidden * (e - format.least_exponent());
  if (!format.has_zero) magnitude -= hidden;
  if (cut > 0) {
    // Adjacent patterns are adjacent values, and midpoints of values are midpoints of patterns.
    const Integer rest = significand - (n << u(cut));
    const Integer half = power_of_two(u(cut) - 1);
    if (rest > half || (rest == half && magnitude % 2 == 1)) ++magnitude;
  }
  return std::max(magnitude, Integer(0));  // below the least number of a format without zero
}

Integer floor_of(const Rational& x) {
  const Integer n = numerator(x) / denominator(x);
  return x < 0 && Rational(n) != x ? Integer(n - 1) : n;
}

/// The pattern of an integer that the format holds.
Integer pattern_of_integer(const Format& format, const Integer& x) {
  return x < 0 ? Integer(x + power_of_two(u(format.storage_bits))) : x;
}

Integer within(const Format& format, const Integer& x) {
  return std::clamp(x, format.least_integer(), format.largest_integer());
}

Integer parse_integer(const Format& format, std::string_view text, bool negative,
                      std::string_view magnitude_text) {
  const Rational size = parse_magnitude(text, magnitude_text);
  const Rational x = negative ? Rational(-size) : size;
  const Integer below = within(format, floor_of(x));
  if (Rational(below) == x) return pattern_of_integer(format, below);
  const Integer above = within(format, floor_of(x) + 1);
  throw std::invalid_argument(std::string(format.name) + " does not represent " +
                              std::string(text.substr(0, 60)) + "; nearest: " + below.str() +
                              (above == below ? "" : ", " + above.str()));
}

}  // namespace

Rational rational_power_of_two(int exponent) { return times_power_of_two(1, exponent); }

Rational times_power_of_two(const Integer& n, int exponent) {
  if (exponent >= 0 || n == 0) return Rational(n << u(std::max(exponent, 0)));
  // Avoids a greatest common divisor, which would need long divisions.
  const unsigned common = std::min(u(-exponent), trailing_zeros(n));
  return common == u(-exponent)
             ? Rational(n >> common)
             : Rational(Integer(n >> common), power_of_two(u(-exponent) - common));
}

int floor_log2(const Rational& x) {
  const Integer n = numerator(x);
  const Integer d = denominator(x);
  const int e = static_cast<int>(bit_length(n)) - static_cast<int>(bit_length(d));
  const bool is_more = e >= 0 ? (d << u(e)) > n : d > (n << u(-e));  // 2^e > x
  return is_more ? e - 1 : e;
}

Rational Decoded::value() const {
  if (!is_finite()) throw std::logic_error("not a finite number");
  return times_power_of_two(negative ? Integer(-significand) : significand, exponent);
}

Decoded decode(const Format& format, const Integer& pattern) {
  const Integer ones = power_of_two(u(format.storage_bits - format.ignored_high_bits)) - 1;
  const Integer used = (pattern & ones) >> format.ignored_low_bits;
  if (format.is_integer()) {
    Decoded x;
    x.negative = format.twos_complement && used >= power_of_two(u(format.sign_bit()));
    x.significand = x.negative ? Integer(power_of_two(u(format.storage_bits)) - used) : used;
    return x;
  }
  const Integer sign_weight = power_of_two(u(format.fraction_bits + format.exponent_bits));
  Decoded x;
  x.negative = format.has_sign && used >= sign_weight;
  const Integer magnitude = used % sign_weight;
  if (format.specials == Specials::nan_minus_zero && x.negative && magnitude == 0) {
    x.is_nan = true;
    return x;
  }
  if (magnitude > format.largest_finite()) {
    x.is_infinite = format.has_infinity() && magnitude == format.first_non_finite();
    x.is_nan = !x.is_infinite;
    return x;
  }
  const Integer hidden = power_of_two(u(format.fraction_bits));
  const int field = (magnitude / hidden).convert_to<int>();
  x.significand = magnitude % hidden;
  if (field > 0 || !format.has_zero) x.significand += hidden;
  x.exponent = (format.has_zero ? std::max(field, 1) : field) - format.bias - format.fraction_bits;
  return x;
}

Integer round_pattern(const Format& from, const Integer& pattern, const Format& to) {
  if (from == to) return pattern;
  const Decoded x = decode(from, pattern);
  if (to.is_integer() && !x.is_nan) {
    if (x.is_infinite) {
      return pattern_of_integer(to, x.negative ? to.least_integer() : to.largest_integer());
    }
    const Integer below = floor_of(x.value());
    const Rational rest = x.value() - Rational(below);
    const Rational half(1, 2);
    const bool up = rest > half || (rest == half && below % 2 != 0);
    return pattern_of_integer(to, within(to, up ? Integer(below + 1) : below));
  }
  if (x.is_nan) return parse_pattern_of(to, "nan");
  if (x.negative && !to.has_sign) return 0;
  Integer magnitude;
  if (x.is_infinite) {
    magnitude = to.largest_finite() + 1;
  } else {
    magnitude = rounded_magnitude(to, x.significand, x.exponent);
  }
  if (magnitude > to.largest_finite()) {
    // As infinite_pattern(): infinity, otherwise NaN, otherwise the largest number.
    if (to.specials == Specials::nan_minus_zero) return parse_pattern_of(to, "nan");
    magnitude = to.has_nan() ? to.first_non_finite() : to.largest_finite();
  }
  const bool has_minus = magnitude != 0 || to.specials != Specials::nan_minus_zero;
  if (x.negative && has_minus) magnitude += power_of_two(u(to.fraction_bits + to.exponent_bits));
  return magnitude << to.ignored_low_bits;
}

Integer parse_bits(const Format& format, std::string_view digits) {
  const auto refuse = [&](const std::string& why) {
    throw std::invalid_argument("'" + std::string(digits.substr(0, 60)) + "' " + why);
  };
  if (digits.empty() ||
      digits.find_first_not_of("0123456789abcdefABCDEF") != std::string_view::npos) {
    refuse("is not a hexadecimal bit pattern");
  }
  if (digits.size() != u(format.hex_digits())) {
    refuse("has " + counted(digits.size(), "hexadecimal digit") + ", but a pattern of " +
           std::string(format.name) + " has " + std::to_string(format.hex_digits()));
  }
  std::uint64_t word = 0;
  const char* const end = digits.data() + digits.size();
  // Nearly all patterns fit, in a fraction of the time.
  const bool fits =
      digits.size() <= 16 && std::from_chars(digits.data(), end, word, 16).ec == std::errc{};
  const Integer bits = fits ? Integer(word) : Integer("0x" + std::string(digits));
  if (bit_length(bits) > u(format.storage_bits)) {
    refuse("has more than the " + std::to_string(format.storage_bits) + " bits of " +
           std::string(format.name));
  }
  return bits;
}

Integer parse_pattern_of(const Format& format, std::string_view text) {
  if (text.size() > kLongestNumber) no_number(text);
  if (is_hex(text) && text.find_first_of("pP.") == std::string_view::npos) {
    const std::string_view digits = text.substr(2);
    if (digits.empty() ||
        !std::all_of(digits.begin(), digits.end(), [](char c) { return digit_value(c) < 16; })) {
      no_number(text);
    }
    return parse_bits(format, digits);
  }
  const bool negative = text.starts_with('-');
  const std::string_view magnitude_text = text.substr(negative || text.starts_with('+') ? 1 : 0);
  if (is_hex(magnitude_text) && magnitude_text.find_first_of("pP.") == std::string_view::npos) {
    no_number(text);  // bits must not have a sign
  }
  Integer magnitude;
  if (magnitude_text == "nan") {
    if (!format.has_nan()) throw std::invalid_argument(std::string(format.name) + " has no NaN");
    magnitude = format.specials == Specials::ieee
                    ? Integer(format.first_non_finite() + power_of_two(u(format.fraction_bits - 1)))
                : format.specials == Specials::nan_minus_zero
                    ? power_of_two(u(format.sign_bit() - format.ignored_low_bits))
                    : format.first_non_finite();
    return magnitude << format.ignored_low_bits;
  }
  if (magnitude_text == "inf") {
    if (!format.has_infinity()) {
      throw std::invalid_argument(std::string(format.name) + " has no infinity");
    }
    magnitude = format.first_non_finite();
  } else if (format.is_integer()) {
    return parse_integer(format, text, negative, magnitude_text);
  } else {
    const Rational x = parse_magnitude(text, magnitude_text);
    if (negative && !format.has_sign) {
      throw std::invalid_argument(
          std::string(format.name) + " does not represent " + std::string(text.substr(0, 60)) +
          ", because it does not have a sign; nearest: " + to_hex_float(format, 0));
    }
    const auto [pattern, exact] = pattern_at_most(format, x);
    if (!exact || pattern > format.largest_finite() || pattern < 0) {
      const Integer largest = format.largest_finite();
      const Integer below = std::clamp(pattern, Integer(0), largest);
      const auto shown = [&](const Integer& p) {
        const bool has_minus = p != 0 || format.specials != Specials::nan_minus_zero;
        return (negative && has_minus ? "-" : "") +
               to_hex_float(format, p << format.ignored_low_bits);
      };
      std::string message = std::string(format.name) + " does not represent " +
                            std::string(text.substr(0, 60)) + " exactly; nearest: " + shown(below);
      if (below < largest && below == pattern) message += ", " + shown(below + 1);
      throw std::invalid_argument(message);
    }
    magnitude = pattern;
  }
  if (negative) {
    if (magnitude == 0 && format.specials == Specials::nan_minus_zero) {
      throw std::invalid_argument(std::string(format.name) + " does not represent " +
                                  std::string(text));
    }
    magnitude += power_of_two(u(format.fraction_bits + format.exponent_bits));
  }
  return magnitude << format.ignored_low_bits;
}

std::string to_hex_float(const Integer& significand, int exponent) {
  if (significand == 0) return "0x0p+0";
  Integer m = significand < 0 ? Integer(-significand) : significand;
  const int length = static_cast<int>(bit_length(m));
  const int leading = exponent + length - 1;
  // The number of fraction bits, rounded up to whole hex digits.
  const int fraction_bits = (length - 1 + 3) / 4 * 4;
  m <<= fraction_bits - (length - 1);
  std::string digits = to_hex(m - power_of_two(u(fraction_bits)), u(fraction_bits / 4));
  if (fraction_bits == 0) digits.clear();
  while (!digits.empty() && digits.back() == '0') digits.pop_back();
  return std::string(significand < 0 ? "-" : "") + "0x1" + (digits.empty() ? "" : "." + digits) +
         "p" + (leading < 0 ? "" : "+") + std::to_string(leading);
}

std::string to_hex_float(const Format& format, const Integer& pattern) {
  const Decoded x = decode(format, pattern);
  if (x.is_nan) return "nan";
  const std::string sign = x.negative ? "-" : "";
  if (x.is_infinite) return sign + "inf";
  if (format.is_integer()) return sign + x.significand.str();
  return sign + to_hex_float(x.significand, x.exponent);
}

namespace {

constexpr double kLongestInteger = 1e16;  // limit for integers shown with all their digits
constexpr int kMostDigits = 17;           // sufficient for every f64

/// Whether the number of `format` nearest to the text is x, decoded with this value.
bool reads_back(const Format& format, const Decoded& x, double value, const std::string& text) {
  const double read = std::strtod(text.c_str(), nullptr);
  // In a small format exact numbers are short, and a rounded one would be misleading.
  if (format.storage_bits <= 8 || format == formats::f64) return read == value;
  // Midpoints to the neighbours, which are f64 numbers. The neighbour below a power of two is
  // nearer.
  const double unit = std::ldexp(1.0, x.exponent);
  const bool is_power = x.significand == power_of_two(u(format.fraction_bits));
  return read > value - unit / (is_power ? 4 : 2) && read < value + unit / 2;
}

/// A positive number as d.ddde-dd with this number of digits, or without an exponent from 0.0001
/// on.
std::string of_digits(double value, int digits) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.*g", digits, value);
  return text.data();
}

}  // namespace

std::string to_decimal(const Format& format, const Integer& pattern) {
  const Decoded x = decode(format, pattern);
  if (!x.is_finite() || format.is_integer()) return to_hex_float(format, pattern);
  // Every format here is a subset of f64.
  const double value = std::ldexp(x.significand.convert_to<double>(), x.exponent);
  const std::string sign = x.negative ? "-" : "";
  if (value < kLongestInteger && value == std::floor(value)) {
    return sign + std::to_string(static_cast<std::uint64_t>(value));
  }
  int digits = 1;
  while (digits < kMostDigits && !reads_back(format, x, value, of_digits(value, digits))) {
    ++digits;
  }
  return sign + of_digits(value, digits);
}

Rational parse_rational(std::string_view text) {
  if (text.starts_with('-')) {
    throw std::invalid_argument("'" + std::string(text.substr(0, 60)) + "' is negative");
  }
  const std::size_t slash = text.find('/');
  const std::size_t sign = text.starts_with('+') ? 1 : 0;
  if (slash == std::string_view::npos) return parse_magnitude(text, text.substr(sign));
  const Rational numerator = parse_magnitude(text, text.substr(sign, slash - sign));
  const Rational denominator = parse_magnitude(text, text.substr(slash + 1));
  if (denominator == 0) {
    throw std::invalid_argument("'" + std::string(text.substr(0, 60)) + "' divides by zero");
  }
  return numerator / denominator;
}

std::string shortest_text(const Rational& x) {
  if (denominator(x) == 1) return numerator(x).str();
  const double near = x.convert_to<double>();
  std::array<char, 64> text{};
  for (int digits = 1; digits <= 17; ++digits) {
    std::snprintf(text.data(), text.size(), "%.*g", digits, near);
    if (std::isfinite(near) && std::strtod(text.data(), nullptr) == near) break;
  }
  return std::isfinite(near) && parse_rational(text.data()) == x ? text.data() : x.str();
}

}  // namespace mmaspec
