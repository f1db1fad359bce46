#include "spec/formats/unpack.h"

#include "spec/formats/integer.h"
#include "util/unsigned.h"

namespace mmaspec {
namespace {

struct Fields {
  Bool sign;
  Int exponent;
  Int fraction;
};

Fields fields(const Format& format, Int pattern) {
  const unsigned low = u(format.ignored_low_bits);
  const unsigned exponent_low = low + u(format.fraction_bits);
  return {format.has_sign ? bit(pattern, u(format.sign_bit())) : Bool(false),
          bits(pattern, exponent_low, u(format.exponent_bits)),
          bits(pattern, low, u(format.fraction_bits))};
}

}  // namespace

Unpacked unpack(const Format& format, Int pattern) {
  if (format.is_integer()) {
    const Int x = integer_value(format, pattern);
    return {x < 0, format.least_exponent(), abs(x), false, false};
  }
  const Fields f = fields(format, pattern);
  const Bool top = f.exponent == Integer(format.field_maximum());
  const Integer fraction_ones = power_of_two(u(format.fraction_bits)) - 1;
  Bool is_nan = false;
  Bool is_infinite = false;
  switch (format.specials) {
    case Specials::ieee:
      is_nan = top && f.fraction != 0;
      is_infinite = top && f.fraction == 0;
      break;
    case Specials::nan_all_ones:
      is_nan = top && f.fraction == fraction_ones;
      break;
    case Specials::nan_minus_zero:
      is_nan = f.sign && f.exponent == 0 && f.fraction == 0;
      break;
    case Specials::nan_top_field:
      is_nan = top;
      break;
    case Specials::none:
      break;
  }
  const Integer hidden = power_of_two(u(format.fraction_bits));
  if (!format.has_zero) {
    return {f.sign, f.exponent - format.bias, f.fraction + hidden, is_nan, is_infinite};
  }
  const Bool subnormal = f.exponent == 0;
  return {f.sign, max(f.exponent, 1) - format.bias, f.fraction + select(subnormal, 0, hidden),
          is_nan, is_infinite};
}

Unpacked unpack_normalized(const Format& format, Int pattern) {
  Unpacked x = unpack(format, pattern);
  const Int missing = Integer(format.precision()) - bit_length(x.significand);
  const Int shift = select(x.is_zero(), 0, missing);
  return {x.sign, x.exponent - shift, shift_left(x.significand, shift), x.is_nan, x.is_infinite};
}

Integer canonical_nan(const Format& format) {
  if (format.specials == Specials::nan_minus_zero) return power_of_two(u(format.sign_bit()));
  return power_of_two(u(format.sign_bit())) - 1;
}

Integer quiet_nan(const Format& format) {
  if (!format.has_infinity()) return canonical_nan(format);
  return positive_infinity(format) + power_of_two(u(format.sign_bit() - format.exponent_bits - 1));
}

Integer positive_infinity(const Format& format) {
  if (!format.has_infinity()) {
    throw std::logic_error(std::string(format.name) + " has no infinity");
  }
  return format.first_non_finite() << format.ignored_low_bits;
}

Int with_sign(const Format& format, Bool sign, Int magnitude_pattern) {
  if (format.twos_complement) {
    return integer_pattern(format, negate_if(sign, magnitude_pattern));
  }
  // The bit times its power of two, so that fields extracted later are known to be disjoint.
  return magnitude_pattern + power_of_two(u(format.sign_bit())) * select(sign, 1, 0);
}

Int flush_subnormal(const Format& format, Int pattern) {
  if (!format.has_zero || format.is_integer()) return pattern;
  const Fields f = fields(format, pattern);
  // The NaN of FNUZ has the fields of a zero, and FNUZ lacks -0.
  const bool keeps_zero = format.specials == Specials::nan_minus_zero;
  return select(f.exponent == 0 && (!Bool(keeps_zero) || f.fraction != 0), 0, pattern);
}

Int subnormal_as_zero(const Format& format, Int pattern) {
  if (!format.has_zero || format.is_integer()) return pattern;
  const Fields f = fields(format, pattern);
  const bool has_minus_zero = format.has_sign && format.specials != Specials::nan_minus_zero;
  return select(f.exponent == 0 && f.fraction != 0,
                with_sign(format, Bool(has_minus_zero) && f.sign, 0), pattern);
}

Bool belongs_to(InputClass inputs, const Format& format, Int pattern) {
  if (inputs == InputClass::any || format.is_integer()) return true;
  const Bool finite = unpack(format, pattern).is_finite();
  if (inputs == InputClass::finite || !format.has_zero) return finite;
  const Fields f = fields(format, pattern);
  return finite && (f.exponent != 0 || f.fraction == 0);
}

}  // namespace mmaspec
