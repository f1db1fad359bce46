#pragma once
/// How far the maxima of two runs lie apart, from what is proved of their members.

#include <functional>
#include <optional>
#include <string>

#include "queries/relations/node_relation.h"

namespace mmaspec {

/// No input makes it true, proved so.
using IsExcluded = std::function<bool(const std::string& name, Bool violated)>;

/// Maxima x and y of as many members, which the current graph holds. Each member counts for what
/// the maximum is at least, if it is less: the maximum stays what it is. Let the members be paired,
/// and low <= y_k - x_k <= high be proved of each pair: so is low <= y - x <= high. And where x_k +
/// high - y_k > 0 implies x_k <= B for all pairs, x + high - y > 0 implies x <= B: of the member
/// that is x the other one is at most y. nullopt where they may lie further apart than `farthest`,
/// or nothing is proved.
std::optional<NodeRelation> bound_by_members(NodeId y, NodeId x, int farthest,
                                             const SampledNodes& sampled,
                                             const IsExcluded& is_excluded);

}  // namespace mmaspec
