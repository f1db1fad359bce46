#pragma once
/// How far results can lie from exact ones, by the analysis of each step's rounding.

#include <optional>

#include "spec/catalog/instruction.h"
#include "spec/formats/text.h"

namespace mmaspec {

/// Of which inputs an error bound is, and in which unit.
enum class ErrorOf {
  all,             ///< in ulp of the largest term
  normal_factors,  ///< the same, where no factor of a product is subnormal: it is those that cost
                   ///< most
  /// All, in ulp of the largest term or, if that is larger, of the largest exponent that a product
  /// counts: those of its factors together, of a subnormal factor or zero its format's least. For
  /// who knows how large factors may be.
  counted
};

/// X such that |d - exact| <= X ulp of the largest term, for all finite operands with finite d (see
/// the property error-bound). Valid for every input, tight for few: each step's error is bounded by
/// itself, and errors are taken to add up. nullopt: the algorithm has a step that this analysis
/// does not know.
///
/// After Blanchard et al., "Mixed precision block fused multiply-add", SIAM J. Sci. Comput. 42(3),
/// 2020, section 3, but exact rather than to first order, and with what alignment cuts.
std::optional<Rational> error_by_analysis(const Instruction& instruction,
                                          ErrorOf of = ErrorOf::all);

}  // namespace mmaspec
