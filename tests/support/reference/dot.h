#pragma once
/// Every algorithm of spec/algorithms evaluated on numbers a second time, from ALGORITHMS.md,
/// MMA-Sim's text and the parameters' documented meanings.

#include "tests/support/reference/design.h"

namespace mmaspec::reference {

/// What one run made.
struct Outcome {
  std::uint64_t d = 0;
  /// Fused sums: the largest n with |sum| >= 2^(n - 1) in units of 2^e_max, over all sums of finite
  /// terms; least int: there was none.
  int digits_above_point = -1000000;
  bool all_finite = true;  ///< all that was added in each step was finite
};

/// Runs the design on operands of its own formats.
Outcome evaluate(const Design& design, const Operands& operands);

/// The design run k / design.k times, each result the next one's c (c's format must be d's), or,
/// where k is smaller than design.k, with zeros behind the first k products.
Outcome evaluate_at(const Design& design, int k, const Operands& operands);

/// The products with their scale factors and c as exact numbers, all of unit 2^unit; false if one
/// is not a number.
struct ExactTerms {
  std::vector<Wide> terms;
  int unit = 0;
};
bool exact_terms(const Design& formats, const Operands& x, ExactTerms& result);

}  // namespace mmaspec::reference
