#pragma once
/// Sums that are clamped from above at each step, such as integers that saturate.

#include <map>
#include <vector>

#include "queries/relations/relational_invariant.h"

namespace mmaspec {

/// Finds nodes of the cone of the roots that are clamped to a constant and add to a sum clamped to
/// the same constant. Returns the relation that each later node is the sum of all terms, clamped
/// once. It holds if no later term is negative; solvers must prove it for one node after another.
/// Builds the sums in the graph.
std::map<NodeId, RelationalInvariant> limited_sums(Graph& graph, const std::vector<NodeId>& roots);

}  // namespace mmaspec
