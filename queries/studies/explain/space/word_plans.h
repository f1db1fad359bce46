#pragma once
/// f32 products computed from products of words. These plans are built completely and tried by
/// name.

#include <string>
#include <vector>

#include "queries/studies/explain/space/units.h"

namespace mmaspec::explain {

/// Plans of two and three words around the units of f16, bf16 and TF32 among `instructions`, if A,
/// B and D may be f32. Without C.
std::vector<std::string> word_plans(const std::vector<Instruction>& instructions,
                                    const MatrixFormats& formats, std::size_t k);

}  // namespace mmaspec::explain
