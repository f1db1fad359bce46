#pragma once
/// Upper bounds of the distance of two results, from bounds of the error of each.

#include <optional>

#include "queries/statement/pairing.h"
#include "solver/solver.h"
#include "spec/formats/text.h"
#include "spec/formats/unpack.h"
#include "util/deadline.h"

namespace mmaspec {

struct DistanceBound {
  Rational absolute;
  std::optional<Rational> ulp;       ///< distance in ulp, for results of the same format
  std::optional<Rational> relative;  ///< |d_first - d_second| / |d_first|
};

/// Upper bounds of |d_first - d_second| over all inputs that satisfy all `premises`. The premises
/// must include that all operands are finite and that the second one's formats hold their values.
/// Both results round the same exact sum, so their distance is at most the sum of two error bounds
/// of opposite signs (error_in_range(), error_by_analysis()), for terms as large as the premises
/// allow.
///
/// nullopt if there is no bound: no error bound is known, an operand is unbounded, or terms are so
/// large that a step might overflow. `graph` is the current one; its first inputs are dot_inputs()
/// of the first one's formats. For operands of more than 16 bits, a solver must confirm their
/// bounds before the deadline.
std::optional<DistanceBound> distance_bound(const Pair& pair, Graph& graph,
                                            const std::vector<NodeId>& premises,
                                            const Portfolio& solvers, const Deadline& deadline);

}  // namespace mmaspec
