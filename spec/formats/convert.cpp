#include "spec/formats/convert.h"

#include <algorithm>
#include <stdexcept>

#include "spec/formats/integer.h"
#include "spec/formats/unpack.h"
#include "util/unsigned.h"

namespace mmaspec {
namespace {

/// The number scaled by 2^conversion.exponent and rounded, for operands other than NaN and
/// infinity.
Int rounded(const Conversion& conversion, const Format& from, Int pattern, const Format& to) {
  const Unpacked x = unpack(from, pattern);
  const Int exponent = x.exponent - from.fraction_bits + conversion.exponent;
  return round_and_pack({x.sign, x.significand, exponent, false, x.sign, true},
                        {&to, conversion.round, Underflow::gradual, conversion.overflow});
}

/// The same with stochastic rounding.
Int stochastically_rounded(const Conversion& conversion, const Format& from, Int pattern,
                           const Format& to) {
  const Unpacked x = unpack_normalized(from, pattern);
  const Int exponent = x.exponent + conversion.exponent;
  // The significand counts 2^low, the result 2^unit.
  const Int low = exponent - from.fraction_bits;
  const Int unit = max(exponent, to.least_exponent()) - to.fraction_bits;
  const auto bits = u(conversion.random_bits);
  // From this shift on, the sum is below one unit.
  const Int shift = min(max(unit - low, 0), from.precision() + conversion.random_bits);
  const Int sum = x.significand * power_of_two(bits) + shift_left(Int(conversion.random), shift);
  Int magnitude = floor_shift_right(sum, shift + conversion.random_bits);
  if (conversion.tiny_is_zero) magnitude = select(shift > from.precision(), 0, magnitude);
  return round_and_pack({x.sign, magnitude, low + shift, false, x.sign, true},
                        {&to, Rounding::toward_zero, Underflow::gradual, conversion.overflow});
}

/// The exponent field of the power of two below or above the magnitude.
Int rounded_to_power(const Conversion& conversion, const Format& from, Int pattern,
                     const Format& to) {
  const Unpacked x = unpack_normalized(from, pattern);
  const Int exponent = x.exponent + conversion.exponent;
  const Int least = to.least_exponent();
  const Bool is_power = x.significand == power_of_two(u(from.fraction_bits));
  const Bool rises =
      Bool(conversion.round == Rounding::up) && !is_power && !x.is_zero() && exponent >= least;
  const Int power = select(x.is_zero(), least, max(exponent, least)) + select(rises, 1, 0);
  const Int largest = to.largest_exponent();
  const Integer beyond =
      conversion.overflow == Overflow::saturate ? to.largest_finite() : canonical_nan(to);
  return select(power > largest, beyond, min(power, largest) + to.bias);
}

/// True if x and y are the same number. Both must be finite and normalized, with the same sign.
Bool same_number(const Format& fx, const Unpacked& x, const Format& fy, const Unpacked& y) {
  const int p = std::max(fx.fraction_bits, fy.fraction_bits);
  const auto significand = [&](const Format& f, const Unpacked& u) {
    return u.significand * power_of_two(static_cast<unsigned>(p - f.fraction_bits));
  };
  const Bool both_zero = x.is_zero() && y.is_zero();
  const Bool same_magnitude = x.exponent == y.exponent && significand(fx, x) == significand(fy, y);
  return x.is_finite() && y.is_finite() && !(x.sign ^ y.sign) && (both_zero || same_magnitude);
}

}  // namespace

Int converted(const Conversion& conversion, const Format& from, Int pattern, const Format& to) {
  const Int operand = conversion.flush_operand ? subnormal_as_zero(from, pattern) : pattern;
  const bool to_power = !to.has_zero && !to.has_sign;
  const bool directed =
      conversion.round == Rounding::toward_zero || conversion.round == Rounding::up;
  if (to.is_integer() || (to_power && (!directed || conversion.random_bits > 0))) {
    throw std::logic_error(std::string(from.name) + " cannot be converted to " +
                           std::string(to.name) + " in this way");
  }
  const auto finite = to_power                     ? rounded_to_power
                      : conversion.random_bits > 0 ? stochastically_rounded
                                                   : rounded;
  Int result = finite(conversion, from, operand, to);
  const Unpacked x = unpack(from, operand);
  const Int largest = to.largest_finite() << u(to.ignored_low_bits);
  if (from.has_infinity()) {
    const Int infinite = conversion.infinity_is_largest
                             ? (to.has_sign ? with_sign(to, x.sign, largest) : largest)
                             : (to.has_sign ? infinite_pattern(to, x.sign) : canonical_nan(to));
    result = select(x.is_infinite, infinite, result);
  }
  if (from.has_nan()) {
    const Int without_nan = conversion.nan_is_largest ? largest : Int(0);
    result = select(x.is_nan, to.has_nan() ? Int(canonical_nan(to)) : without_nan, result);
  }
  if (conversion.flush_result) result = subnormal_as_zero(to, result);
  if (conversion.relu && to.has_sign) result = select(x.sign && !x.is_nan, 0, result);
  return result;
}

Converted convert(const Format& from, Int pattern, const Format& to, Rounding rounding) {
  if (from == to) return {pattern, true};
  if (to.is_integer()) {
    if (!from.is_integer() || from.point != to.point) {
      throw std::logic_error(std::string(from.name) + " cannot be converted to " +
                             std::string(to.name));
    }
    const Int x = integer_value(from, pattern);
    return {integer_pattern(to, clamped(to, x)), holds_integer(to, x)};
  }
  // Formats of powers of two have only directed roundings.
  const bool to_power = !to.has_zero && !to.has_sign;
  const Int result = converted({to_power ? Rounding::toward_zero : rounding}, from, pattern, to);
  const Unpacked x = unpack(from, pattern);
  Bool exact =
      same_number(from, unpack_normalized(from, pattern), to, unpack_normalized(to, result));
  if (from.has_infinity()) exact = select(x.is_infinite, Bool(to.has_infinity()), exact);
  if (from.has_nan()) exact = select(x.is_nan, Bool(to.has_nan()), exact);
  return {result, exact};
}

}  // namespace mmaspec
