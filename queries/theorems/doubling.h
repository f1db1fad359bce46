#pragma once
/// Designs whose results double when their terms double.

#include "spec/catalog/instruction.h"

namespace mmaspec {

/// True if doubling c and every product doubles every intermediate result, provided that all terms
/// are zeros or normal numbers of d's format, and d and its double are too.
bool doubles_with_terms(const Instruction& instruction);

}  // namespace mmaspec
