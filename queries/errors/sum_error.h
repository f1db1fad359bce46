#pragma once
/// Error bounds of dot products for every K, relative to the sum of the terms' magnitudes.

#include <optional>
#include <string>
#include <vector>

#include "queries/errors/error_analysis.h"

namespace mmaspec {

/// In n = steps * K / per, or n = steps where per is 0: (1 + x)^n, or 1 + n x where errors add up
/// and do not grow.
struct GrowthFactor {
  Rational x;
  long steps = 1;
  long per = 0;
  bool adds_up = false;
};

/// weight * the product of the factors.
struct GrowthTerm {
  Rational weight = 1;
  std::vector<GrowthFactor> factors;
};

/// |d - exact| <= R(K) * max(S, least) for every K that is a multiple of `step_k`, all finite
/// operands and finite d: S = |c| + sum |a[k] * b[k]|, `least` d's least normal number, and 1 +
/// R(K) the sum of the terms. Where N(K) is not zero, R(K) * (S + N(K) * least). d is exact where S
/// is zero.
///
/// Proved by the step's bound and induction: a step that starts from c' errs by at most
/// x * max(|c'| + its products' magnitudes, least). What c' has erred by enlarges the next step's
/// error by as many times x; where all that is cut or rounded is so toward zero, |c'| is no more
/// than the magnitudes up to there, and errors add up. Sums outside of the unit are operations of
/// IEEE 754, and exact where they are subnormal. After Blanchard et al., SIAM J. Sci. Comput.
/// 42(3), 2020, section 3; words as Fasi et al., SIAM J. Sci. Comput. 45(1), 2023, section 3.
struct SumError {
  std::vector<GrowthTerm> terms;
  int step_k = 1;
  /// N(K) = sums * K / sums_per, or `sums` where sums_per is 0: sums that start from zero, each of
  /// which may be smaller than `least`.
  long sums = 0;
  long sums_per = 0;
  /// Of operands a and b that are zero, or 2^this at least in magnitude.
  std::optional<int> least_operand;
  bool only_zero_c = false;  ///< c = 0: a plan does not read it

  /// Of all operands and c.
  bool is_unconditional() const { return !least_operand && !only_zero_c; }

  /// R(K), or very little more.
  Rational at(long k) const;
  long sums_at(long k) const;
  /// R(K) as a formula of K in Python's notation.
  std::string formula() const;
};

/// No product and no sum of products lies between zero and d's least normal number.
bool products_are_normal(const DotFormats& formats);

/// nullopt: the algorithm has a step that this analysis does not know, or gives subnormal numbers
/// up. `of`: all, or normal_factors.
std::optional<SumError> sum_error_for_all_k(const Instruction& instruction,
                                            ErrorOf of = ErrorOf::all);

}  // namespace mmaspec
