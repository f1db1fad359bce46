#pragma once
/// Decides whether two runs can differ, for plans whose additions happen in any order (split-k with
/// reduce=atomic-any).

#include <optional>

#include "queries/prove/diff.h"

namespace mmaspec {

/// Whether the instruction has many results, one for each order of its additions.
bool is_of_any_order(const Instruction& instruction);

/// Runs diff() for every order of the second instruction and the first order of the first one,
/// until one differs. At least one must be of any order; if both are, they must be the same plan.
/// Undecided if the orders tried do not differ and there are more. Throws what diff() throws.
DiffResult diff_in_any_order(const Instruction& first, const Instruction& second,
                             const DiffOptions& options, const Portfolio& solvers);

}  // namespace mmaspec
