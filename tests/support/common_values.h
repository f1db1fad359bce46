#pragma once
/// Two designs on inputs of all kinds whose values both of their formats hold.

#include "queries/ask/pairing.h"
#include "spec/catalog/instruction.h"

namespace mmaspec {

/// How many inputs the two differ on, by the exact evaluator, of about 2 * `rows` that are drawn
/// for either one's formats and rounded to values that both hold. Rows of which c has no such value
/// are left out.
int differences(const Instruction& first, const Instruction& second, unsigned seed, int rows = 60);

}  // namespace mmaspec
