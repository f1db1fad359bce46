#pragma once
/// The exact result with which algorithms are compared, in the language. queries/values/ has it on
/// numbers.

#include <vector>

#include "spec/formats/round.h"
#include "spec/parts/dot_add.h"

namespace mmaspec {

/// c + sum a[k] * b[k] rounded once into d's format, in the current graph. The operands must be
/// finite. Overflow follows IEEE 754: the rounding mode decides between infinity and the largest
/// number.
Int exact_rounded(const DotFormats& formats, const DotOperands& operands, Rounding rounding);

/// The exact terms as integers of one unit, in the current graph. The operands must be finite. The
/// integers are as wide as the formats' ranges require; use them for questions about the exact
/// result itself.
struct ExactTerms {
  std::vector<Int> terms;  ///< the products, then c
  int unit;                ///< a term's value is the integer times 2^unit
};
ExactTerms exact_terms(const DotFormats& formats, const DotOperands& operands);
/// The value of a finite pattern in units of 2^unit. `unit` must be at most the exponent of the
/// format's lowest bit.
Int in_unit(const Format& format, Int pattern, int unit);

/// The pattern of -x, where x is not a NaN; for integers modulo 2^storage_bits.
Int negated(const Format& format, Int pattern);

}  // namespace mmaspec
