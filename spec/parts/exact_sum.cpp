// Adds the terms of a dot-add exactly.
#include "spec/parts/exact_sum.h"

#include <algorithm>

namespace mmaspec {

std::vector<Term> exact_terms(const DotFormats& formats, const UnpackedOperands& operands) {
  std::vector<Term> terms;
  for (std::size_t k = 0; k < operands.a.size(); ++k) {
    terms.push_back(scaled_product(formats, operands, k));
  }
  terms.push_back(as_term(*formats.c, operands.c));
  return terms;
}

ExactSum exact_sum(const DotFormats& formats, const std::vector<Term>& terms) {
  const Format& d = *formats.d;
  Integer least = d.least_exponent() - d.fraction_bits;
  for (const Term& t : terms) {
    least = std::min(least, Integer(t.exponent.range().low - t.fraction_bits));
  }
  std::vector<Int> shifted;
  for (const Term& t : terms) {
    shifted.push_back(
        negate_if(t.sign, shift_left(t.significand, t.exponent - t.fraction_bits - least)));
  }
  const Int sum = total(shifted);
  return {sum < 0, abs(sum), least.convert_to<int>()};
}

}  // namespace mmaspec
