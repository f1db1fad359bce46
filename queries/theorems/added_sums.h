#pragma once
/// Designs that add sums of exact products to c, on values that the formats of two designs hold.

#include "spec/catalog/instruction.h"

namespace mmaspec {

/// True if both instructions compute the same for all finite operands of equal values, except for
/// signs of zeros, because both are chains of the same step: the exact sum of the next n products,
/// rounded or not, is added to the last result, and that is rounded.
///
/// - A design that rounds products, or their partial sums, is such a chain if d's format holds them
///   for all common values of a and b.
/// - A design that aligns products is one if it keeps the lowest bit of each below the largest
///   exponent that a common value has in its own format.
/// - If d's format holds every sum of n products, rounding the sum does not matter.
///
/// K and the formats of c and d must be the same, and d's format must be of IEEE 754's kind.
/// Flushing designs and scale factors are left out.
bool add_the_same_sums(const Instruction& first, const Instruction& second);

}  // namespace mmaspec
