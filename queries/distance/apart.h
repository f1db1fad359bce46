#pragma once
/// How far two results can lie apart at most, by what is proved of each one's error.

#include <optional>

#include "queries/ask/pairing.h"
#include "solver/solver.h"
#include "spec/formats/text.h"
#include "spec/formats/unpack.h"
#include "util/deadline.h"

namespace mmaspec {

struct DistanceBound {
  Rational absolute;
  std::optional<Rational> ulp;       ///< steps from one to the other, of results of one format
  std::optional<Rational> relative;  ///< |d_first - d_second| / |d_first|
};

/// Numbers that |d_first - d_second| exceeds on no input on which all `premises` hold, among them
/// that all operands are finite and that the second one's formats hold their values. Both results
/// round the same exact sum, so they lie no farther apart than two errors of opposite signs
/// (error_in_range(), error_by_analysis()), of terms as large as the premises allow.
///
/// nullopt where that is not plainly so: an error of which nothing is known, operands that are
/// unbounded, terms so large that a step might overflow. `graph` is the current one, its first
/// inputs dot_inputs() of the first one's formats. Operands of more than 16 bits need a solver that
/// confirms their bounds before the deadline.
std::optional<DistanceBound> distance_bound(const Pair& pair, Graph& graph,
                                            const std::vector<NodeId>& premises,
                                            const Portfolio& solvers, const Deadline& deadline);

}  // namespace mmaspec
