#include "tests/support/reference/number.h"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace mmaspec::reference {

int length(Narrow x) {
  const Narrow::Word size = magnitude(x).word();
  const auto high = static_cast<std::uint64_t>(size >> 64);
  return high != 0 ? 128 - std::countl_zero(high)
                   : 64 - std::countl_zero(static_cast<std::uint64_t>(size));
}

int length(const Wide& x) {
  return x == 0 ? 0 : static_cast<int>(msb(boost::multiprecision::abs(x))) + 1;
}

Narrow shifted_up(Narrow x, int n) {
  if (is_zero(x) || n == 0) return x;
  if (length(x) + n > 126) throw TooWide();
  return Narrow::of(x.word() * (Narrow::Word{1} << n));
}

Wide shifted_up(const Wide& x, int n) { return x << n; }

namespace {

template <typename I>
I floor_or_cut(const I& x, const I& quotient_of_size, bool is_exact, bool toward_minus_infinity) {
  if (!is_negative(x)) return quotient_of_size;
  if (toward_minus_infinity && !is_exact) return -(quotient_of_size + I(1));
  return -quotient_of_size;
}

}  // namespace

Narrow shifted_down(Narrow x, int n, bool toward_minus_infinity) {
  const Narrow size = magnitude(x);
  const Narrow quotient = n > 126 ? Narrow(0) : Narrow::of(size.word() >> n);
  const bool is_exact = n > 126 ? is_zero(x) : quotient.word() << n == size.word();
  return floor_or_cut(x, quotient, is_exact, toward_minus_infinity);
}

Wide shifted_down(const Wide& x, int n, bool toward_minus_infinity) {
  const Wide size = magnitude(x);
  const Wide quotient = size >> n;
  return floor_or_cut(x, quotient, Wide(quotient << n) == size, toward_minus_infinity);
}

Rational two_to(int exponent) {
  const Wide power = Wide(1) << std::abs(exponent);
  return exponent >= 0 ? Rational(power) : Rational(1, power);
}

Rational Value::rational() const {
  if (!is_number()) throw std::logic_error("no number");
  const Rational size = Rational(digits) * two_to(unit);
  return negative ? Rational(-size) : size;
}

const std::vector<Format>& formats() {
  using S = Format::Special;
  static const std::vector<Format> all = {
      {"f64", 64, 11, 52, 1023, S::ieee, true, 0},  {"f32", 32, 8, 23, 127, S::ieee, true, 0},
      {"tf32", 32, 8, 10, 127, S::ieee, true, 13},  {"xf32", 32, 8, 10, 127, S::ieee, true, 13},
      {"f16", 16, 5, 10, 15, S::ieee, true, 0},     {"bf16", 16, 8, 7, 127, S::ieee, true, 0},
      {"e4m3", 8, 4, 3, 7, S::one_nan, true, 0},    {"e5m2", 8, 5, 2, 15, S::ieee, true, 0},
      {"e4m3fnuz", 8, 4, 3, 8, S::fnuz, true, 0},   {"e5m2fnuz", 8, 5, 2, 16, S::fnuz, true, 0},
      {"e3m2", 6, 3, 2, 3, S::no_special, true, 0}, {"e2m3", 6, 2, 3, 1, S::no_special, true, 0},
      {"e2m1", 4, 2, 1, 1, S::no_special, true, 0}, {"ue8m0", 8, 8, 0, 127, S::powers, false, 0},
      {"ue4m3", 8, 4, 3, 7, S::one_nan, false, 0}};
  return all;
}

const std::vector<Format>& integer_formats() {
  using S = Format::Special;
  static const std::vector<Format> all = {
      {"s4", 4, 0, 3, 0, S::integer, true, 0},    {"u4", 4, 0, 4, 0, S::integer, false, 0},
      {"s8", 8, 0, 7, 0, S::integer, true, 0},    {"u8", 8, 0, 8, 0, S::integer, false, 0},
      {"s16", 16, 0, 15, 0, S::integer, true, 0}, {"s32", 32, 0, 31, 0, S::integer, true, 0}};
  return all;
}

const Format& format(std::string_view name) {
  for (const auto* all : {&formats(), &integer_formats()}) {
    for (const Format& f : *all) {
      if (f.name == name) return f;
    }
  }
  throw std::invalid_argument("no format " + std::string(name));
}

std::uint64_t Format::largest_pattern() const {
  const std::uint64_t count = std::uint64_t{1} << (exponent_bits + fraction_bits);
  const std::uint64_t binade = std::uint64_t{1} << fraction_bits;
  std::uint64_t last = count - 1;
  if (special == Special::ieee) last = count - binade - 1;
  if (special == Special::one_nan || special == Special::powers) last = count - 2;
  return last << unused_low;
}

int Format::largest_exponent() const { return value(largest_pattern()).exponent; }

Value Format::value(std::uint64_t pattern) const {
  if (is_integer()) {
    const bool is_negative = (pattern & sign_mask()) != 0;
    const std::uint64_t size = is_negative ? (std::uint64_t{1} << storage) - pattern : pattern;
    return {Kind::number, is_negative, size, size == 0 ? 0 : 63 - std::countl_zero(size), 0};
  }
  const std::uint64_t p = pattern >> unused_low;
  const std::uint64_t fields = (std::uint64_t{1} << (exponent_bits + fraction_bits)) - 1;
  const std::uint64_t size = p & fields;
  const bool negative = is_signed && (p >> (exponent_bits + fraction_bits) & 1) != 0;
  const std::uint64_t fraction = size & ((std::uint64_t{1} << fraction_bits) - 1);
  const auto field = static_cast<int>(size >> fraction_bits);
  switch (special) {
    case Special::ieee:
      if (field == (1 << exponent_bits) - 1) {
        return {fraction == 0 ? Kind::infinity : Kind::nan, negative, 0, 0, 0};
      }
      break;
    case Special::one_nan:
    case Special::powers:
      if (size == fields) return {Kind::nan, negative, 0, 0, 0};
      break;
    case Special::fnuz:
      if (negative && size == 0) return {Kind::nan, negative, 0, 0, 0};
      break;
    case Special::no_special:
    case Special::integer:  // above
      break;
  }
  if (special == Special::powers) return {Kind::number, false, 1, field - bias, field - bias};
  const int exponent = field == 0 ? 1 - bias : field - bias;
  const std::uint64_t digits =
      field == 0 ? fraction : fraction + (std::uint64_t{1} << fraction_bits);
  return {Kind::number, negative, digits, exponent, exponent - fraction_bits};
}

bool Format::is_subnormal(std::uint64_t pattern) const {
  const Value v = value(pattern);
  return special != Special::powers && !is_integer() && v.is_number() && v.digits != 0 &&
         v.digits < std::uint64_t{1} << fraction_bits;
}

std::uint64_t Format::negated(std::uint64_t pattern) const {
  if (is_integer()) return (std::uint64_t{0} - pattern) & ((std::uint64_t{1} << storage) - 1);
  if (special == Special::fnuz && (pattern & ~sign_mask()) == 0) return pattern;
  return pattern ^ sign_mask();
}

std::uint64_t Format::infinity(bool negative) const {
  if (!has_infinity()) return nan();
  return (((std::uint64_t{1} << exponent_bits) - 1) << (fraction_bits + unused_low)) |
         (negative ? sign_mask() : 0);
}

std::uint64_t Format::nan() const {
  if (special == Special::fnuz) return sign_mask();
  if (!has_nan()) throw std::logic_error(name + " has no NaN");
  return ((std::uint64_t{1} << (exponent_bits + fraction_bits)) - 1) << unused_low;
}

bool Format::pattern_of(const Value& number, std::uint64_t& pattern) const {
  if (number.kind == Kind::nan) {
    if (has_nan()) pattern = nan();
    return has_nan();
  }
  if (number.kind == Kind::infinity) {
    if (has_infinity()) pattern = infinity(number.negative);
    return has_infinity();
  }
  if (number.digits == 0) {
    if (special == Special::powers) return false;
    pattern = zero(number.negative);
    return !number.negative || has_minus_zero();
  }
  if (number.negative && !is_signed) return false;
  if (is_integer()) {
    if (number.unit < 0 || number.unit > 31 || number.digits >> 32 != 0) return false;
    const std::uint64_t size = number.digits << number.unit;
    if (size > largest_pattern() + (number.negative ? 1 : 0)) return false;
    pattern = number.negative ? (std::uint64_t{1} << storage) - size : size;
    return true;
  }
  std::uint64_t digits = number.digits;
  int unit = number.unit;
  while (digits % 2 == 0) {
    digits /= 2;
    ++unit;
  }
  const int exponent = unit + 64 - std::countl_zero(digits) - 1;
  const int quantum = std::max(exponent, least_exponent()) - fraction_bits;
  if (unit < quantum || exponent > largest_exponent()) return false;
  if (special == Special::powers) {
    pattern = static_cast<std::uint64_t>(exponent + bias);
    return true;
  }
  const std::uint64_t scaled = digits << (unit - quantum);
  const auto binades = static_cast<std::uint64_t>(std::max(exponent - least_exponent(), 0));
  pattern = (scaled + (binades << fraction_bits)) << unused_low;
  if (pattern > largest_pattern()) return false;
  if (number.negative) pattern |= sign_mask();
  return true;
}

Result nearest(const Format& format) {
  return {&format, Mode::rne, format.fraction_bits, false, false, Result::Overflow::infinity};
}

template <typename I>
std::uint64_t rounded(bool negative, const I& size, int unit, const Result& result,
                      ZeroSigns signs) {
  const Format& f = *result.format;
  if (is_zero(size)) return f.zero(signs.exact);
  const int leading = unit + length(size) - 1;
  if (result.flush_tiny && leading < f.least_exponent()) {
    // As if there were no least exponent: the number is shifted up until it is far above it.
    const int up = f.least_exponent() - leading + 1;
    Result unbounded = result;
    unbounded.flush_tiny = false;
    const std::uint64_t d = rounded(negative, size, unit + up, unbounded, signs);
    if (f.value(d).exponent - up < f.least_exponent()) {
      return f.zero(signs.underflow_keeps ? negative : signs.exact);
    }
  }
  int quantum = std::max(leading, f.least_exponent()) - result.kept_bits;
  I kept = size;
  int rest = 0;  // 0: none, 1: below half, 2: half, 3: above half
  if (quantum <= unit) {
    kept = shifted_up(size, unit - quantum);
  } else {
    const int lost = quantum - unit;
    kept = shifted_down(size, lost, false);
    const I tail = size + -shifted_up(kept, lost);
    // Compares twice the tail with the quantum: its length decides except for exactly one half.
    if (!is_zero(tail)) {
      const int tail_length = length(tail);
      const bool only_the_leading_bit = is_zero(tail + -shifted_up(I(1), tail_length - 1));
      rest = tail_length < lost ? 1 : only_the_leading_bit ? 2 : 3;
    }
  }
  bool up = false;
  switch (result.round) {
    case Mode::rz:
      break;
    case Mode::rne:
      up = rest == 3 || (rest == 2 && low_bits(kept) % 2 == 1);
      break;
    case Mode::rna:
      up = rest >= 2;
      break;
    case Mode::rd:
      up = rest != 0 && negative;
      break;
    case Mode::ru:
      up = rest != 0 && !negative;
      break;
    case Mode::rto:
      up = rest != 0 && low_bits(kept) % 2 == 0;
      break;
  }
  std::uint64_t digits = low_bits(kept) + (up ? 1 : 0);
  if (digits == std::uint64_t{2} << result.kept_bits) {
    digits /= 2;
    ++quantum;
  }
  const std::uint64_t hidden = std::uint64_t{1} << result.kept_bits;
  const bool is_normal = digits >= hidden;
  if (!is_normal && result.flush) digits = 0;
  if (digits == 0) return f.zero(signs.underflow_keeps ? negative : signs.exact);

  const int unused = f.fraction_bits - result.kept_bits;
  const int exponent = quantum + result.kept_bits;
  const Value largest = f.value(f.largest_pattern());
  const std::uint64_t most = largest.digits >> unused;  // with as many digits as are kept
  if (exponent > largest.exponent || (exponent == largest.exponent && digits > most)) {
    bool to_largest = result.overflow == Result::Overflow::saturate;
    if (result.overflow == Result::Overflow::directed) {
      to_largest = result.round == Mode::rz || result.round == Mode::rto ||
                   (result.round == Mode::rd && !negative) ||
                   (result.round == Mode::ru && negative);
    }
    if (!to_largest) return f.infinity(negative);
    digits = most;
    quantum = largest.exponent - result.kept_bits;
  }
  const int field = is_normal ? quantum + result.kept_bits + f.bias : 0;
  const std::uint64_t fraction = (is_normal ? digits - hidden : digits) << unused;
  return (((static_cast<std::uint64_t>(field) << f.fraction_bits) | fraction) << f.unused_low) |
         (negative ? f.sign_mask() : 0);
}

template std::uint64_t rounded(bool, const Narrow&, int, const Result&, ZeroSigns);
template std::uint64_t rounded(bool, const Wide&, int, const Result&, ZeroSigns);

std::int64_t place(const Format& format, std::uint64_t pattern) {
  if (format.is_integer()) {
    const Value v = format.value(pattern);
    const auto size = static_cast<std::int64_t>(v.digits);
    return v.negative ? -size : size;
  }
  const std::uint64_t size = (pattern & ~format.sign_mask()) >> format.unused_low;
  const std::uint64_t fields =
      (std::uint64_t{1} << (format.exponent_bits + format.fraction_bits)) - 1;
  const auto index = static_cast<std::int64_t>(size & fields);
  return (pattern & format.sign_mask()) != 0 ? -index : index;
}

bool same_value(const Format& format, std::uint64_t x, std::uint64_t y) {
  const bool nan_x = format.value(x).kind == Kind::nan;
  const bool nan_y = format.value(y).kind == Kind::nan;
  if (nan_x || nan_y) return nan_x && nan_y;
  return place(format, x) == place(format, y);
}

}  // namespace mmaspec::reference
