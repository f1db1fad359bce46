#pragma once
/// A second evaluator of every algorithm of spec/algorithms, on numbers, according to
/// ALGORITHMS.md, the text of MMA-Sim's paper and the documented parameters.

#include "tests/support/reference/design.h"

namespace mmaspec::reference {

/// The result of one run.
struct Outcome {
  std::uint64_t d = 0;
  /// For fused sums: the largest n with |sum| >= 2^(n - 1) in units of 2^e_max, over all sums of
  /// finite terms; least int: there was no such sum.
  int digits_above_point = -1000000;
  bool all_finite = true;  ///< all terms in each step were finite
};

/// Runs the design on operands of its formats.
Outcome evaluate(const Design& design, const Operands& operands);

/// Runs the design k / design.k times, with each result as the next c (c's format must be d's), or,
/// if k is less than design.k, with zeros after the first k products.
Outcome evaluate_at(const Design& design, int k, const Operands& operands);

/// The products with their scale factors, and c, as exact numbers in units of 2^unit; false if one
/// is not a number.
struct ExactTerms {
  std::vector<Wide> terms;
  int unit = 0;
};
bool exact_terms(const Design& formats, const Operands& x, ExactTerms& result);

}  // namespace mmaspec::reference
