#pragma once
/// Error bounds of dot products for every K, relative to the sum of the magnitudes of the terms.

#include <optional>
#include <string>
#include <vector>

#include "queries/errors/error_analysis.h"

namespace mmaspec {

/// With n = steps * K / per, or n = steps if per is 0: (1 + x)^n, or 1 + n x if `adds_up` (errors
/// add up without growing).
struct GrowthFactor {
  Rational x;
  long steps = 1;
  long per = 0;
  bool adds_up = false;
};

/// weight times the product of the factors.
struct GrowthTerm {
  Rational weight = 1;
  std::vector<GrowthFactor> factors;
};

/// |d - exact| <= R(K) * max(S, least) for every K that is a multiple of `step_k`, all finite
/// operands and finite d. Here S = |c| + sum |a[k] * b[k]|, `least` is d's least normal number, and
/// 1 + R(K) is the sum of the terms. If N(K) is not zero, the bound is R(K) * (S + N(K) * least). d
/// is exact if S is zero.
///
/// Proof: from the step's bound, by induction. The error of a step that starts from c' is at most x
/// * max(|c'| + the magnitudes of its products, least). The error of c' increases the next step's
/// error by a factor of at most x. If every cut and rounding is toward zero, |c'| is at most the
/// sum of the magnitudes so far, and errors add up. Sums outside the unit are IEEE 754 operations,
/// which are exact if their result is subnormal. After Blanchard et al., SIAM J. Sci. Comput.
/// 42(3), 2020, section 3; words as in Fasi et al., SIAM J. Sci. Comput. 45(1), 2023, section 3.
struct SumError {
  std::vector<GrowthTerm> terms;
  int step_k = 1;
  /// N(K) = sums * K / sums_per, or `sums` if sums_per is 0: the number of sums that start from
  /// zero, each of which may be smaller than `least`.
  long sums = 0;
  long sums_per = 0;
  /// If set, the bound holds only for operands a and b that are zero or have a magnitude of at
  /// least 2^least_operand.
  std::optional<int> least_operand;
  bool only_zero_c = false;  ///< the bound holds only for c = 0: a plan does not read c

  /// True if the bound holds for all operands and c.
  bool is_unconditional() const { return !least_operand && !only_zero_c; }

  /// R(K), rounded up slightly.
  Rational at(long k) const;
  long sums_at(long k) const;
  /// R(K) as a formula of K in Python's notation.
  std::string formula() const;
};

/// True if no product and no sum of products lies between zero and d's least normal number.
bool products_are_normal(const DotFormats& formats);

/// nullopt: the algorithm has a step that this analysis does not cover, or does not support
/// subnormal numbers. `of`: all, or normal_factors.
std::optional<SumError> sum_error_for_all_k(const Instruction& instruction,
                                            ErrorOf of = ErrorOf::all);

}  // namespace mmaspec
