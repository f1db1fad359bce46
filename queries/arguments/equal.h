#pragma once
/// Two designs that are equal for a reason that their typed designs show.

#include <string>

#include "spec/catalog/instruction.h"

namespace mmaspec {

/// Why two instructions of the same formats and K have equal results (but for signs of zeros);
/// empty: their steps do not say.
std::string equal_because(const Instruction& first, const Instruction& second);

}  // namespace mmaspec
