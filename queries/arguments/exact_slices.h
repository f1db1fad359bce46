#pragma once
/// When sums of Ozaki's slices and residues have no error.

#include <optional>

#include "queries/arguments/theorems.h"
#include "spec/catalog/instruction.h"

namespace mmaspec {

/// That the two are equal, or nullopt: both are ozaki1 plans of the same slices, or both ozaki2
/// plans of the same integers, and neither's sums depend on the unit.
///
/// Slices: no sum of products is rounded, cut or beyond the accumulator. All partial sums are
/// integers of magnitude up to K (2^bits - 1)^2, which the unit keeps.
///
/// Residues: the same of each modulus p, with K (p/2)^2; or the unit's sums wrap and p divides 2^n,
/// n the accumulator's bits. And twice K (2^bits - 1)^2 is less than the moduli's product, so that
/// the integer nearest to zero with these residues is the sum.
std::optional<Argument> equal_as_exact_sums(const Instruction& first, const Instruction& second);

}  // namespace mmaspec
