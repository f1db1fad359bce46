#pragma once
/// Bounds of the difference between the maxima of two executions, from proved facts about their
/// members.

#include <functional>
#include <optional>
#include <string>

#include "queries/relations/candidate_invariants.h"

namespace mmaspec {

/// True if a solver proves that `violated` is unsatisfiable.
using IsExcluded = std::function<bool(const std::string& name, Bool violated)>;

/// How to treat members that have the sentinel exponent of zero, which is far below all others in
/// formats with many exponents.
enum class Zeros {
  members,    ///< as any other member
  far_below,  ///< some members may have it, and x counts as the smallest of all others if it is
              ///< less
};

/// A relation between maxima x and y with equally many members, in the current graph. A member that
/// is less than the least value of its maximum counts as that value, which does not change the
/// maximum. With Zeros::far_below it may count as more, and so may the maximum
/// (DifferenceBound::least).
///
/// Pair the members and let low <= y_k - x_k <= high be proved for each pair. Then low <= y - x <=
/// high. Let moreover y_k - x_k != usual imply max(x_k, y_k - usual) <= B for all pairs. Then y = x
/// + usual if x > B: the member of y paired with the member that attains x equals x + usual, so y
/// is at least that; and if y were larger, the member of x paired with the member that attains y
/// would be y - usual, which is larger than x.
///
/// nullopt if the difference may exceed `farthest`, or if nothing is proved.
std::optional<RelationalInvariant> bound_by_members(NodeId y, NodeId x, Zeros zeros, int farthest,
                                                    const SimulationSignatures& sampled,
                                                    const IsExcluded& is_excluded);

/// The range of a maximum in the current graph, if no member is proved to reach the upper end of
/// its node's range. nullopt: nothing is proved.
std::optional<Range> range_by_members(NodeId maximum, const SimulationSignatures& sampled,
                                      const IsExcluded& is_excluded);

}  // namespace mmaspec
