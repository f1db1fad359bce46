#include "spec/formats/round.h"

#include <algorithm>

#include "spec/formats/symbolic_result.h"
#include "spec/formats/unpack.h"

namespace mmaspec {
namespace {

/// A number beyond the largest becomes infinite_pattern(), otherwise the largest number.
Bool becomes_infinite(const SymbolicResultFormat& result, Bool sign) {
  const Choice<Rounding>& rounding = result.rounding;
  const Bool by_direction =
      rounding.is(Rounding::nearest_even) || rounding.is(Rounding::nearest_away) ||
      (rounding.is(Rounding::down) && sign) || (rounding.is(Rounding::up) && !sign);
  return result.overflow.is(Overflow::to_infinity) ||
         (result.overflow.is(Overflow::directed) && by_direction);
}

/// The magnitude pattern of a result beyond the largest number; arbitrary if it is a NaN without
/// its own magnitude.
Int overflowed(const SymbolicResultFormat& result, Bool sign) {
  const Format& format = *result.format;
  const Int unused = format.fraction_bits - result.kept_fraction_bits;
  const Int largest = shift_left(floor_shift_right(format.largest_finite(), unused), unused);
  const bool has_more =
      format.specials != Specials::none && format.specials != Specials::nan_minus_zero;
  if (!has_more) return largest;
  return select(becomes_infinite(result, sign), format.first_non_finite(), largest);
}

/// True if some of the last `count` bits of x >= 0 are ones.
Bool has_ones_below(Int x, Int count) {
  if (!count.is_constant()) return shift_left(floor_shift_right(x, count), count) != x;
  return bits(x, 0, count.range().low.convert_to<unsigned>()) != 0;
}

/// True if the number, rounded to p bits with unbounded exponent, is below the least normal number,
/// and such numbers are flushed. `kept`: its significand before rounding.
Bool tiny(Int kept, Int exponent, Int p, bool truncates, Bool sign,
          const SymbolicResultFormat& result) {
  if (!result.underflow.may_be(Underflow::flush_tiny)) return false;
  const Integer least = result.format->least_exponent();
  Bool below = exponent < least;
  if (!truncates) {
    const Bool up = rounds_up(result.rounding, sign, bit(kept, 2), bit(kept, 1), bit(kept, 0));
    const Int rounded = floor_shift_right(kept, 2) + select(up, 1, 0);
    below = below && !(exponent == Int(least - 1) && rounded == shift_left(1, p));
  }
  return result.underflow.is(Underflow::flush_tiny) && below;
}

}  // namespace

Bool rounds_up(const Choice<Rounding>& rounding, Bool sign, Bool odd, Bool round_bit, Bool sticky) {
  const Bool to_even = round_bit && (sticky || odd);
  const Bool inexact = round_bit || sticky;
  return (rounding.is(Rounding::nearest_even) && to_even) ||
         (rounding.is(Rounding::nearest_away) && round_bit) ||
         (rounding.is(Rounding::down) && sign && inexact) ||
         (rounding.is(Rounding::up) && !sign && inexact) ||
         (rounding.is(Rounding::to_odd) && inexact && !odd);
}

Int infinite_pattern(const Format& format, Bool sign) {
  switch (format.specials) {
    case Specials::nan_minus_zero:
      return canonical_nan(format);
    case Specials::none:
      return with_sign(format, sign, format.largest_finite() << format.ignored_low_bits);
    case Specials::ieee:
    case Specials::nan_all_ones:
    case Specials::nan_top_field:
      break;
  }
  return with_sign(format, sign, format.first_non_finite() << format.ignored_low_bits);
}

SymbolicResultFormat::SymbolicResultFormat(const ResultFormat& result)
    : format(result.format),
      rounding(result.rounding),
      underflow(result.underflow),
      overflow(result.overflow),
      kept_fraction_bits(result.fraction_bits()) {}

Int round_and_pack(const Number& x, const ResultFormat& result) {
  return round_and_pack(x, SymbolicResultFormat(result));
}

Int round_and_pack(const Number& x, const SymbolicResultFormat& result) {
  const Format& format = *result.format;
  if (!format.has_zero || format.is_integer()) {
    throw std::logic_error(std::string(format.name) + " cannot be a result's format");
  }
  const Int p = result.kept_fraction_bits + 1;
  const bool truncates = result.rounding.must_be(Rounding::toward_zero);
  const int guard = truncates ? 0 : 2;  // a round bit and a sticky bit
  const Integer width =
      std::max(Integer(bit_length(x.magnitude.range().high)), Integer(p.range().high + guard));

  Int kept = 0;
  Int exponent = 0;
  {
    // Moves the leading bit to position width - 1 and keeps the p + guard highest bits. The last of
    // them is a sticky bit for all lower ones.
    const Stage stage("normalize");
    const Int length = bit_length(x.magnitude);
    const Int normalized = shift_left(x.magnitude, width - length);
    const Int cut = width - p - guard;
    exponent = x.exponent + length - 1;
    kept = floor_shift_right(normalized, cut);
    if (!truncates) {
      const Bool below = has_ones_below(normalized, cut) || x.inexact;
      kept = kept + select(below && !bit(kept, 0), 1, 0);
    }
    if (p.is_constant()) {
      mark("significand", kept, exponent, 1 - guard - p.range().low.convert_to<int>(),
           MarkRole::normalized);
    }
  }

  const Stage stage("round");
  // Below the least exponent the unit is constant: shift out the bits below it.
  const Int excess = max(Integer(format.least_exponent()) - exponent, 0);
  const Int subnormal_shift = min(excess, p + guard);
  const Bool is_tiny = tiny(kept, exponent, p, truncates, x.sign, result);
  Int significand = floor_shift_right(kept, subnormal_shift);
  if (!truncates) {
    const Bool lost = shift_left(significand, subnormal_shift) != kept;
    significand = significand + select(lost && !bit(significand, 0), 1, 0);
    const Bool up = rounds_up(result.rounding, x.sign, bit(significand, 2), bit(significand, 1),
                              bit(significand, 0));
    significand = floor_shift_right(significand, 2) + select(up, 1, 0);
  }

  // Adding the hidden bit to the exponent field gives field 1 for the least normal number. A carry
  // out of the significand propagates into the exponent.
  const Int unused = format.fraction_bits - result.kept_fraction_bits;
  const Int field = max(exponent - format.least_exponent(), 0);
  const Integer hidden = power_of_two(static_cast<unsigned>(format.fraction_bits));
  Int scaled = shift_left(significand, unused);
  if (!p.is_constant()) {
    // Interval arithmetic would lose this bound of a significand shifted to p bits.
    scaled = min(scaled, Integer(2 * hidden));
    if (x.magnitude.range().low > 0 && exponent.range().low >= format.least_exponent()) {
      scaled = max(scaled, hidden);
    }
  }
  Int packed = scaled + hidden * field;

  const Bool is_zero = x.magnitude == 0 && !x.inexact;
  if (result.underflow.may_be(Underflow::flush)) {
    const Bool subnormal = packed < hidden;
    packed = select(result.underflow.is(Underflow::flush) && subnormal, 0, packed);
  }
  packed = select(is_tiny, 0, packed);
  const Bool overflows = packed > format.largest_finite();
  packed = select(overflows, overflowed(result, x.sign), packed);
  packed = select(is_zero, 0, packed);

  Bool sign = x.sign;
  if (!x.sign_of_underflow) {
    sign = select(packed == 0, x.zero_sign, sign);
  } else {
    sign = select(is_zero, x.zero_sign, sign);
  }
  if (!format.has_sign) {
    sign = false;
  } else if (format.specials == Specials::nan_minus_zero) {
    sign = sign && packed != 0;
  }
  const Int d = with_sign(format, sign,
                          packed * power_of_two(static_cast<unsigned>(format.ignored_low_bits)));
  if (format.specials != Specials::nan_minus_zero) return d;
  return select(overflows && becomes_infinite(result, x.sign), infinite_pattern(format, x.sign), d);
}

}  // namespace mmaspec
