#pragma once
/// Matrices that a framework scales to FP8: the largest magnitude of each matrix, or of each row of
/// A and column of B, becomes the format's largest number.

#include <vector>

#include "queries/studies/explain/product.h"
#include "queries/studies/explain/space/units.h"

namespace mmaspec::explain {

/// The FP8 units among `instructions` whose operands are computed from wider matrices: A and B are
/// each multiplied by one number derived from its largest magnitude, or each row by its own number,
/// and D by the inverse.
std::vector<PreparedUnit> scaled_units(const std::vector<Instruction>& instructions,
                                       const Product& product, const MatrixFormats& formats);

}  // namespace mmaspec::explain
