#include "spec/formats/nearest.h"

#include <algorithm>
#include <stdexcept>

#include "spec/formats/text.h"

namespace mmaspec {
namespace {

/// The pattern of the number nearest to x > 0, without sign and ignored bits; it may be the pattern
/// after the largest finite one.
Integer nearest_magnitude(const Format& format, const Rational& x) {
  const int exponent = std::max(floor_log2(x), format.least_exponent());
  const Rational units = x / rational_power_of_two(exponent - format.fraction_bits);
  Integer whole = numerator(units) / denominator(units);
  const Rational rest = units - Rational(whole);
  const Rational half(1, 2);
  if (rest > half || (rest == half && whole % 2 == 1)) ++whole;
  // The hidden bit of a normal number makes its field one larger than that of subnormals.
  const Integer hidden = power_of_two(static_cast<unsigned>(format.fraction_bits));
  return whole + hidden * (exponent - format.least_exponent()) -
         (format.has_zero ? Integer(0) : hidden);
}

[[noreturn]] void refuse(const Format& format, std::string_view text) {
  throw std::invalid_argument(std::string(format.name) + " does not represent a number near " +
                              std::string(text.substr(0, 60)));
}

}  // namespace

Integer parse_nearest_pattern_of(const Format& format, std::string_view text) {
  const bool signed_text = text.starts_with('-') || text.starts_with('+');
  const std::string_view digits = text.substr(signed_text ? 1 : 0);
  const bool begins_number =
      !digits.empty() && (digits[0] == '.' || (digits[0] >= '0' && digits[0] <= '9'));
  const bool is_bits = digits.size() > 1 && digits[0] == '0' && (digits[1] | 0x20) == 'x' &&
                       digits.find_first_of(".pP") == std::string_view::npos;
  const bool is_fraction = digits.find('/') != std::string_view::npos;
  if (!begins_number || is_bits || is_fraction) return parse_pattern_of(format, text);
  const Rational x = parse_rational(digits);
  if (x == 0) return parse_pattern_of(format, text);
  const bool negative = text.starts_with('-');
  if (negative && !format.has_sign) refuse(format, text);
  Integer magnitude = nearest_magnitude(format, x);
  if (magnitude < 0) refuse(format, text);
  if (magnitude > format.largest_finite()) {
    if (!format.has_infinity()) refuse(format, text);
    magnitude = format.first_non_finite();
  }
  const bool has_sign_here =
      negative && (magnitude != 0 || format.specials != Specials::nan_minus_zero);
  if (has_sign_here) {
    magnitude += power_of_two(static_cast<unsigned>(format.fraction_bits + format.exponent_bits));
  }
  return magnitude << static_cast<unsigned>(format.ignored_low_bits);
}

}  // namespace mmaspec
