#pragma once
/// Plans of products whose blocks of operands have scale factors of their own.

#include <string>
#include <vector>

#include "queries/studies/explain/space/units.h"

namespace mmaspec::explain {

/// Classes of equal plans of `k` products with scale factors of `block` products each, the simplest
/// first: promotions that multiply by f32 factors, and instructions that take factors; each whole,
/// or in up to 16 parts. Without C.
std::vector<std::vector<std::string>> scaled_plans(const std::vector<Instruction>& instructions,
                                                   const MatrixFormats& formats, std::size_t k,
                                                   std::size_t block);

}  // namespace mmaspec::explain
