#pragma once
/// Users' algorithms as instructions.

#include "spec/catalog/instruction.h"
#include "spec/own/recorded.h"

namespace mmaspec {

/// `custom/NAME`. Any NaN is valid as its result.
Instruction own_instruction(std::shared_ptr<const Recorded> recorded);

/// The instructions of all_own(), which find_instruction() knows too.
std::vector<Instruction> own_instructions();

}  // namespace mmaspec
