#pragma once
/// "Do these two agree for every K?"

#include "queries/prove/diff.h"

namespace mmaspec {

struct AllK {
  /// Unsatisfiable: they never differ, whatever the K, by induction. Satisfiable: they differ for
  /// K = step_k, the least that both have; the witness is of that.
  DiffResult result;
  int step_k = 0;  ///< both have the multiples of it
};

/// Both as chains of themselves, each result the next c. Induction over the steps: they begin with
/// one c, and a step from one accumulator, of whatever pattern, ends in one, NaNs being all one.
/// Operands a and b are of options.inputs; options.difference must ask for any difference, and
/// options.where be empty. Throws std::invalid_argument if the two cannot be compared so,
/// Contradiction.
AllK diff_for_all_k(const Instruction& first, const Instruction& second, const DiffOptions& options,
                    const Portfolio& solvers);

}  // namespace mmaspec
