// Computes exception flags from the exact sum.
#include "spec/parts/ieee_flags.h"

#include "spec/formats/unpack.h"
#include "spec/parts/exact_sum.h"
#include "spec/parts/terms.h"

namespace mmaspec {
namespace {

Bool is_signalling(const Format& format, Int pattern) {
  const auto top = static_cast<unsigned>(format.ignored_low_bits + format.fraction_bits - 1);
  return unpack(format, pattern).is_nan && !bit(pattern, top);
}

/// The magnitude in units of 2^cut, rounded.
Int rounded_at(const ExactSum& sum, unsigned cut, Rounding rounding) {
  if (cut == 0) return sum.magnitude;
  const Int kept = floor_shift_right(sum.magnitude, Int(Integer(cut)));
  const Bool half = bit(sum.magnitude, cut - 1);
  const Bool rest = cut > 1 && bits(sum.magnitude, 0, cut - 1) != 0;
  const Bool is_odd = bit(kept, 0);
  Bool up = false;
  switch (rounding) {
    case Rounding::toward_zero:
      break;
    case Rounding::nearest_even:
      up = half && (rest || is_odd);
      break;
    case Rounding::nearest_away:
      up = half;
      break;
    case Rounding::down:
      up = sum.sign && (half || rest);
      break;
    case Rounding::up:
      up = !sum.sign && (half || rest);
      break;
    case Rounding::to_odd:
      up = (half || rest) && !is_odd;
      break;
  }
  return kept + select(up, 1, 0);
}

}  // namespace

IeeeFlags ieee_flags(const DotFormats& formats, const DotOperands& operands,
                     const ResultFormat& result, Tininess tininess) {
  const UnpackedOperands x = unpack(formats, operands);
  std::vector<Bool> signalling{is_signalling(*formats.c, operands.c)};
  std::vector<Bool> nan{x.c.is_nan};
  std::vector<Bool> infinity_times_zero;
  for (std::size_t k = 0; k < x.a.size(); ++k) {
    signalling.push_back(is_signalling(*formats.a, operands.a[k]));
    signalling.push_back(is_signalling(*formats.b, operands.b[k]));
    nan.insert(nan.end(), {x.a[k].is_nan, x.b[k].is_nan});
    infinity_times_zero.push_back(x.a[k].is_infinite && x.b[k].is_finite() && x.b[k].is_zero());
    infinity_times_zero.push_back(x.b[k].is_infinite && x.a[k].is_finite() && x.a[k].is_zero());
  }
  const SpecialCase special = special_case(x);
  const Bool is_finite =
      !special.is_nan && !special.positive_infinity && !special.negative_infinity;
  const Bool invalid = any_of(signalling) || any_of(infinity_times_zero) ||
                       (!any_of(nan) && special.positive_infinity && special.negative_infinity);

  const ExactSum sum = exact_sum(formats, exact_terms(formats, x));
  const Format& d = *formats.d;
  const auto precision = static_cast<unsigned>(d.precision());
  // Bits of the sum: the lowest one of the result in the largest binade, and the least normal
  // number's.
  const auto top_unit = static_cast<unsigned>(d.largest_exponent() - d.fraction_bits - sum.least);
  const auto least_normal = static_cast<unsigned>(d.least_exponent() - sum.least);
  const Bool overflow =
      is_finite && rounded_at(sum, top_unit, result.rounding) >= power_of_two(precision);

  const Int length = bit_length(sum.magnitude);
  const Int unit =
      max(length - Integer(precision), Integer(d.least_exponent() - d.fraction_bits - sum.least));
  const Bool is_rounded = shift_left(floor_shift_right(sum.magnitude, unit), unit) != sum.magnitude;
  const Bool inexact = is_finite && (is_rounded || overflow);

  Bool is_tiny = length <= Integer(least_normal);
  if (tininess == Tininess::after_rounding && least_normal >= precision) {
    // With unbounded exponent, only a number of the binade below can reach the least normal one.
    const Bool reaches =
        rounded_at(sum, least_normal - precision, result.rounding) == power_of_two(precision);
    is_tiny = is_tiny && !reaches;
  }
  return {invalid, overflow, is_tiny && inexact, inexact};
}

Int flags_pattern(const IeeeFlags& flags) {
  return select(flags.invalid, 16, 0) + select(flags.overflow, 4, 0) +
         select(flags.underflow, 2, 0) + select(flags.inexact, 1, 0);
}

}  // namespace mmaspec
