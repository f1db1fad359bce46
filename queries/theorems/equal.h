#pragma once
/// Equality of two designs that their typed parameters show.

#include <optional>

#include "queries/theorems/theorems.h"
#include "spec/catalog/instruction.h"

namespace mmaspec {

/// The theorem by which two instructions of the same formats and K have equal results, except for
/// signs of zeros; nullopt: none is known.
std::optional<Argument> equal_because(const Instruction& first, const Instruction& second);

}  // namespace mmaspec
