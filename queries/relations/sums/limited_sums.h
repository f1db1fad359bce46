#pragma once
/// Sums that are limited from above at each step, as integers that saturate are.

#include <map>
#include <vector>

#include "queries/relations/node_relation.h"

namespace mmaspec {

/// Of each node of the roots that is no more than a constant, and of which a sum is made that is
/// limited by the same one: that the later node is the sum of all, limited once. That is so where
/// no later term is negative; it is to be proved, of one after the other. The sums are built into
/// the graph.
std::map<NodeId, NodeRelation> limited_sums(Graph& graph, const std::vector<NodeId>& roots);

}  // namespace mmaspec
