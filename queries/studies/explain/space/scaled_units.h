#pragma once
/// Matrices that a framework brings to FP8: scaled so that the largest magnitude of each, or of
/// each row of A and column of B, becomes the format's largest number.

#include <vector>

#include "queries/studies/explain/product.h"
#include "queries/studies/explain/space/units.h"

namespace mmaspec::explain {

/// The FP8 units among `instructions` whose operands are made of wider matrices: A and B each
/// multiplied by one number that is made of its largest magnitude, or each row by one of its own,
/// and D by what takes that back.
std::vector<PreparedUnit> scaled_units(const std::vector<Instruction>& instructions,
                                       const Product& product, const MatrixFormats& formats);

}  // namespace mmaspec::explain
