#include "spec/formats/convert.h"

#include <algorithm>
#include <stdexcept>

#include "spec/formats/integer.h"
#include "spec/formats/unpack.h"

namespace mmaspec {
namespace {

/// For numbers other than NaN and infinity.
Int convert_finite(const Format& from, Int pattern, const Format& to, Rounding rounding) {
  const Unpacked x = unpack(from, pattern);
  return round_and_pack(
      {x.sign, x.significand, x.exponent - from.fraction_bits, false, x.sign, true},
      {&to, rounding, Underflow::gradual, Overflow::to_infinity});
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

Converted convert(const Format& from, Int pattern, const Format& to, Rounding rounding) {
  if (from == to) return {pattern, true};
  if (to.is_integer()) {
    if (!from.is_integer()) {
      throw std::logic_error(std::string(from.name) + " cannot be converted to " +
                             std::string(to.name));
    }
    const Int x = integer_value(from, pattern);
    return {integer_pattern(to, clamped(to, x)), holds_integer(to, x)};
  }
  const Unpacked x = unpack(from, pattern);
  Int result = convert_finite(from, pattern, to, rounding);
  Bool exact =
      same_number(from, unpack_normalized(from, pattern), to, unpack_normalized(to, result));
  if (from.has_infinity()) {
    result = select(x.is_infinite, infinite_pattern(to, x.sign), result);
    exact = select(x.is_infinite, Bool(to.has_infinity()), exact);
  }
  if (from.has_nan()) {
    result = select(x.is_nan, to.has_nan() ? Int(canonical_nan(to)) : Int(0), result);
    exact = select(x.is_nan, Bool(to.has_nan()), exact);
  }
  return {result, exact};
}

}  // namespace mmaspec
