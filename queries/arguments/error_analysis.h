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
/// With `counted` in ulp of the largest term or, if that is larger, of the largest exponent that a
/// product counts: those of its factors together, of a subnormal factor its format's least. Where
/// no factor of a product is subnormal that is the exponent of the largest term, or less; what
/// subnormal factors cost else is most of the bound.
std::optional<Rational> error_by_analysis(const Instruction& instruction, bool counted = false);

}  // namespace mmaspec
