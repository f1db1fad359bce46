#pragma once
/// Decides whether two units agree for every K.

#include "queries/prove/diff.h"

namespace mmaspec {

struct AllK {
  /// Unsatisfiable: they never differ, for any K, by induction. Satisfiable: they differ for K =
  /// step_k, the smallest K that both have; the witness has that K.
  DiffResult result;
  int step_k = 0;  ///< both units exist for its multiples
};

/// Compares chains of both units. Induction over the steps: both chains begin with the same c. If
/// both have the same accumulator, of any pattern, a step gives both the same result; all NaNs are
/// equal. Operands a and b are of options.inputs; options.difference must ask for any difference,
/// and options.where must be empty. Throws std::invalid_argument if the two cannot be compared in
/// this way, and Contradiction.
AllK diff_for_all_k(const Instruction& first, const Instruction& second, const DiffOptions& options,
                    const Portfolio& solvers);

}  // namespace mmaspec
