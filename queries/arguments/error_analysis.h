#pragma once
/// How far results can lie from exact ones, by the analysis of each step's rounding.

#include <optional>

#include "spec/catalog/instruction.h"
#include "spec/formats/text.h"

namespace mmaspec {

/// X such that |d - exact| <= X ulp of the largest term, for all finite operands with finite d (see
/// the property error-bound). Valid for every input, tight for few: each step's error is bounded by
/// itself, and errors are taken to add up. nullopt: the algorithm has a step that this analysis
/// does not know.
///
/// After Blanchard et al., "Mixed precision block fused multiply-add", SIAM J. Sci. Comput. 42(3),
/// 2020, section 3, but exact rather than to first order, and with what alignment cuts.
/// With `normal_factors` for all operands of which no factor of a product is subnormal: it is those
/// that cost most.
std::optional<Rational> error_by_analysis(const Instruction& instruction,
                                          bool normal_factors = false);

}  // namespace mmaspec
