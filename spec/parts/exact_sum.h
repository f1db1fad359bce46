#pragma once
/// The exact sum of a dot-add, as one integer.

#include "spec/parts/terms.h"

namespace mmaspec {

/// (-1)^sign * magnitude * 2^least.
struct ExactSum {
  Bool sign;
  Int magnitude;
  int least;  ///< at most the exponent of the unit of d's subnormals
};

/// All products with their scale factors, then c.
std::vector<Term> exact_terms(const DotFormats& formats, const UnpackedOperands& operands);
/// Their sum. The operands must be finite, otherwise the sum has no meaning.
ExactSum exact_sum(const DotFormats& formats, const std::vector<Term>& terms);

}  // namespace mmaspec
