#pragma once
/// Conditions under which the sums of Ozaki's slices and residues are exact.

#include <optional>

#include "queries/theorems/theorems.h"
#include "spec/catalog/instruction.h"

namespace mmaspec {

/// The theorem by which the two instructions are equal, or nullopt. Both must be ozaki1 plans of
/// the same slices, or ozaki2 plans of the same integers, and the sums of neither may depend on the
/// unit.
///
/// Slices: no sum of products is rounded, cut or outside the accumulator's range. All partial sums
/// are integers of magnitude at most K (2^bits - 1)^2, which the unit represents exactly.
///
/// Residues: the same for each modulus p, with the bound K (p/2)^2; or the unit's sums wrap and p
/// divides 2^n, where n is the number of accumulator bits. In addition 2 K (2^bits - 1)^2 is less
/// than the product of the moduli, so that the sum is the integer of least magnitude with these
/// residues.
std::optional<Argument> equal_as_exact_sums(const Instruction& first, const Instruction& second);

}  // namespace mmaspec
