// Builds exact results.

#include "queries/numbers/exact.h"

#include <algorithm>

#include "spec/algorithms/exact_dot_add.h"
#include "spec/conversions/conversion_design.h"
#include "spec/formats/integer.h"
#include "util/unsigned.h"

namespace mmaspec {

Int exact_rounded(const DotFormats& formats, const DotOperands& operands, Rounding rounding) {
  if (is_conversion(formats)) {
    return converted({rounding, Overflow::directed}, *formats.c, operands.c, *formats.d);
  }
  const ResultFormat result{formats.d, rounding, Underflow::gradual, Overflow::directed};
  return build(ExactDotAdd{formats.k, result}, formats, operands);
}

ExactTerms exact_terms(const DotFormats& formats, const DotOperands& operands) {
  if (are_integers(formats)) {
    ExactTerms integers{{}, 0};
    for (std::size_t k = 0; k < operands.a.size(); ++k) {
      integers.terms.push_back(integer_value(*formats.a, operands.a[k]) *
                               integer_value(*formats.b, operands.b[k]));
    }
    integers.terms.push_back(integer_value(*formats.c, operands.c));
    return integers;
  }
  const UnpackedOperands x = unpack(formats, operands);
  std::vector<Term> terms;
  for (std::size_t k = 0; k < x.a.size(); ++k) terms.push_back(scaled_product(formats, x, k));
  terms.push_back(as_term(*formats.c, x.c));
  Integer unit = formats.d->least_exponent() - formats.d->fraction_bits;
  for (const Term& t : terms) {
    unit = std::min(unit, Integer(t.exponent.range().low - t.fraction_bits));
  }
  ExactTerms result{{}, unit.convert_to<int>()};
  for (const Term& t : terms) {
    result.terms.push_back(
        negate_if(t.sign, shift_left(t.significand, t.exponent - t.fraction_bits - unit)));
  }
  return result;
}

Int in_unit(const Format& format, Int pattern, int unit) {
  if (format.is_integer()) return shift_left(integer_value(format, pattern), -unit);
  const Unpacked x = unpack(format, pattern);
  return negate_if(x.sign, shift_left(x.significand, x.exponent - format.fraction_bits - unit));
}

Int negated(const Format& format, Int pattern) {
  if (format.is_integer()) return integer_pattern(format, -integer_value(format, pattern));
  const Int magnitude = bits(pattern, 0, u(format.sign_bit()));
  const Bool sign = bit(pattern, u(format.sign_bit()));
  if (format.specials == Specials::nan_minus_zero) {
    return with_sign(format, !sign && magnitude != 0, magnitude);
  }
  return with_sign(format, !sign, magnitude);
}

}  // namespace mmaspec
