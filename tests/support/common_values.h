#pragma once
/// Compares two designs on inputs of all kinds whose values both designs' formats hold.

#include "queries/statement/pairing.h"
#include "spec/catalog/instruction.h"

namespace mmaspec {

/// The number of inputs on which the two differ, by the exact evaluator. About 2 * `rows` inputs
/// are drawn for the formats of one design and rounded to values that both formats hold. Rows whose
/// c has no such value are skipped.
int differences(const Instruction& first, const Instruction& second, unsigned seed, int rows = 60);

}  // namespace mmaspec
