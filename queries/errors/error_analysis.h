#pragma once
/// Error bounds of results, by analysis of each step's rounding.

#include <optional>

#include "spec/catalog/instruction.h"
#include "spec/formats/text.h"

namespace mmaspec {

/// Which inputs an error bound covers, and its unit.
enum class ErrorOf {
  all,             ///< all inputs; in ulp of the largest term
  normal_factors,  ///< inputs without subnormal factors, which cost most; same unit
  /// All inputs, in ulp of the largest term or, if that is larger, of the largest exponent that a
  /// product counts as: the sum of its factors' exponents, where a subnormal factor or zero has its
  /// format's least exponent. For callers that know bounds of the factors.
  counted
};

/// X such that |d - exact| <= X ulp of the largest term, for all finite operands with finite d (see
/// the property error-bound). The bound holds for every input but is seldom tight: each step's
/// error is bounded separately, and the bounds are added. nullopt: the algorithm has a step that
/// this analysis does not cover.
///
/// After Blanchard et al., "Mixed precision block fused multiply-add", SIAM J. Sci. Comput. 42(3),
/// 2020, section 3, but exact rather than to first order, and including what alignment cuts.
std::optional<Rational> error_by_analysis(const Instruction& instruction,
                                          ErrorOf of = ErrorOf::all);

}  // namespace mmaspec
