#pragma once
/// Two designs on inputs of all kinds whose values both of their formats hold.

#include "queries/ask/pairing.h"
#include "spec/catalog/instruction.h"

namespace mmaspec {

/// Inputs on which the two differ, by the exact evaluator, among about 2 * `rows` that are drawn
/// for either one's formats and rounded to what both hold; those with operands that neither can
/// round so are left out.
int differences(const Instruction& first, const Instruction& second, unsigned seed, int rows = 60);

}  // namespace mmaspec
