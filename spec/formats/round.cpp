#include "spec/formats/round.h"

#include <algorithm>

#include "spec/formats/unpack.h"

namespace mmaspec {
namespace {

Bool rounds_up(Rounding rounding, Bool sign, Bool odd, Bool round_bit, Bool sticky) {
  switch (rounding) {
    case Rounding::toward_zero:
      return false;
    case Rounding::nearest_even:
      return round_bit && (sticky || odd);
    case Rounding::nearest_away:
      return round_bit;
    case Rounding::down:
      return sign && (round_bit || sticky);
    case Rounding::up:
      return !sign && (round_bit || sticky);
  }
  throw std::logic_error("no such rounding");
}

/// A number beyond the largest becomes what stands for infinity, else the largest.
Bool becomes_infinite(const ResultFormat& result, Bool sign) {
  if (result.overflow == Overflow::saturate) return false;
  if (result.overflow == Overflow::to_infinity) return true;
  switch (result.rounding) {
    case Rounding::toward_zero:
      return false;
    case Rounding::down:
      return sign;
    case Rounding::up:
      return !sign;
    case Rounding::nearest_even:
    case Rounding::nearest_away:
      break;
  }
  return true;
}

/// The magnitude pattern of a result beyond the largest number; any where it is a NaN that has no
/// magnitude of its own.
Int overflowed(const ResultFormat& result, Bool sign) {
  const Format& format = *result.format;
  const auto unused = static_cast<unsigned>(format.fraction_bits - result.fraction_bits());
  const Integer largest = floor_shift_right(format.largest_finite(), unused) << unused;
  const bool has_more =
      format.specials != Specials::none && format.specials != Specials::nan_minus_zero;
  if (!has_more) return largest;
  return select(becomes_infinite(result, sign), format.first_non_finite(), largest);
}

}  // namespace

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

Int round_and_pack(const Number& x, const ResultFormat& result) {
  const Format& format = *result.format;
  if (!format.has_zero) {
    throw std::logic_error(std::string(format.name) + " is no format for results");
  }
  const int p = result.fraction_bits() + 1;
  const bool truncates = result.rounding == Rounding::toward_zero;
  const int guard = truncates ? 0 : 2;  // a round bit and a sticky bit
  const int width = std::max(static_cast<int>(bit_length(x.magnitude.range().high)), p + guard);

  Int kept = 0;
  Int exponent = 0;
  {
    // The leading bit goes to position width - 1; the p + guard highest bits stay, the last of them
    // standing for all that follow it.
    const Stage stage("normalize");
    const Int length = bit_length(x.magnitude);
    const Int normalized = shift_left(x.magnitude, Integer(width) - length);
    const auto cut = static_cast<unsigned>(width - p - guard);
    exponent = x.exponent + length - 1;
    kept = floor_shift_right(normalized, Integer(cut));
    if (!truncates) {
      const Bool below = bits(normalized, 0, cut) != 0 || x.inexact;
      kept = kept + select(below && !bit(kept, 0), 1, 0);
    }
    mark("significand", kept, exponent, -(p + guard - 1), MarkRole::normalized);
  }

  const Stage stage("round");
  // Below the least exponent the quantum stays: shift out what lies below it.
  const Int excess = max(Integer(format.least_exponent()) - exponent, 0);
  const Int subnormal_shift = min(excess, p + guard);
  Int significand = floor_shift_right(kept, subnormal_shift);
  if (!truncates) {
    const Bool lost = shift_left(significand, subnormal_shift) != kept;
    significand = significand + select(lost && !bit(significand, 0), 1, 0);
    const Bool up = rounds_up(result.rounding, x.sign, bit(significand, 2), bit(significand, 1),
                              bit(significand, 0));
    significand = floor_shift_right(significand, 2) + select(up, 1, 0);
  }

  // The hidden bit, added to the exponent field, makes field 1 of the least normal number; a carry
  // out of the significand goes on into the exponent.
  const int unused = format.fraction_bits - result.fraction_bits();
  const Int field = max(exponent - format.least_exponent(), 0);
  const Integer hidden = power_of_two(static_cast<unsigned>(p - 1));
  Int packed = (significand + hidden * field) * power_of_two(static_cast<unsigned>(unused));

  const Bool is_zero = x.magnitude == 0 && !x.inexact;
  if (result.underflow == Underflow::flush) {
    packed = select(packed < power_of_two(static_cast<unsigned>(format.fraction_bits)), 0, packed);
  }
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
