#pragma once
/// Equality of designs whose operands a and b have different formats, on values that both formats
/// hold.

#include <optional>

#include "queries/theorems/theorems.h"
#include "spec/catalog/instruction.h"

namespace mmaspec {

/// The theorem by which two instructions have equal results for all finite operands of equal
/// values. The formats of a, b and c may differ; K and d must be the same. Signs of zeros may
/// differ, and all NaNs count as equal. nullopt if none is known.
///
/// A design decomposes an operand into sign, exponent and significand. If two formats have the same
/// least exponent, a finite value has the same exponent in both. The exponents of products are then
/// equal, and alignment cuts the same bits.
///
/// If the least exponents differ, the argument still holds if products with subnormal factors are
/// so small that they determine the largest exponent only where nothing is cut. That must hold for
/// products, and for c if c is one of the terms.
///
/// - Scale factors must have the same format.
/// - Parameters may differ if they are redundant (queries/theorems/redundant/idle.h) on the values
/// that
///   both formats hold.
/// - Designs whose steps are IEEE 754 operations depend on values only, not on exponents.
/// - Integer sums that saturate do so at one end only if no product of common values is negative.
std::optional<Argument> equal_on_common_values(const Instruction& first, const Instruction& second);

}  // namespace mmaspec
