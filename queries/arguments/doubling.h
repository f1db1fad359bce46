#pragma once
/// Designs whose results double when their terms do.

#include "spec/catalog/instruction.h"

namespace mmaspec {

/// c and every product doubled, all of them zeros or normal numbers of d's format, double every
/// number on the way, if d and its double are such too.
bool doubles_with_terms(const Instruction& instruction);

}  // namespace mmaspec
