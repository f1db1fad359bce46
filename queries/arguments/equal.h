#pragma once
/// Equality of two designs that their typed parameters show.

#include <string>

#include "spec/catalog/instruction.h"

namespace mmaspec {

/// A reason why two instructions of the same formats and K have equal results, except for signs of
/// zeros. Empty if the steps do not show it.
std::string equal_because(const Instruction& first, const Instruction& second);

}  // namespace mmaspec
