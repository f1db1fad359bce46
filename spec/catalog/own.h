#pragma once
/// Algorithms of users' own as instructions.

#include "spec/catalog/instruction.h"
#include "spec/own/recorded.h"

namespace mmaspec {

/// `custom/NAME`. What its NaNs are is its own matter: any NaN is as good.
Instruction own_instruction(std::shared_ptr<const Recorded> recorded);

/// Those of all_own(), which find_instruction() knows, too.
std::vector<Instruction> own_instructions();

}  // namespace mmaspec
