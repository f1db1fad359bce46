#pragma once
/// How far the maxima of two runs lie apart, from what is proved of their members.

#include <functional>
#include <optional>
#include <string>

#include "queries/relations/suggestions.h"

namespace mmaspec {

/// No input makes it true, proved so.
using IsExcluded = std::function<bool(const std::string& name, Bool violated)>;

/// What is made of members that are the least by far, as zeros are in formats of many exponents.
enum class Zeros {
  members,    ///< they are members as others
  far_below,  ///< there are some, and x counts for the least of all others where it is less
};

/// Maxima x and y of as many members, which the current graph holds. Each member counts for what
/// the maximum is at least, if it is less: the maximum stays what it is; or for more (Zeros), as
/// does the maximum then (Fall::least).
///
/// Let the members be paired, and low <= y_k - x_k <= high be proved of each pair: so is low <= y -
/// x <= high. And let y_k - x_k != usual imply max(x_k, y_k - usual) <= B for all pairs. Then y is
/// x + usual where x is above B: the member that is x is paired with x + usual, so y is no less;
/// and a larger y, of which the pair is y - usual, would make x larger.
///
/// nullopt where they may lie further apart than `farthest`, or nothing is proved.
std::optional<NodeRelation> bound_by_members(NodeId y, NodeId x, Zeros zeros, int farthest,
                                             const SampledNodes& sampled,
                                             const IsExcluded& is_excluded);

/// The range of a maximum, which the current graph holds, where no member is proved to be as large
/// as its node may be. nullopt: nothing is proved.
std::optional<Range> range_by_members(NodeId maximum, const SampledNodes& sampled,
                                      const IsExcluded& is_excluded);

}  // namespace mmaspec
