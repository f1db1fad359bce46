#pragma once
/// Term abstraction: terms that sums use only together become one variable.

#include <optional>
#include <vector>

#include "spec/lang/graph.h"

namespace mmaspec {

/// Builds a weaker form of the conditions in the current graph, which must be a different graph: if
/// the given conditions are satisfiable, so is the result. Integers that only sums use, all in one
/// proportion, become one variable with the range of their sum. Facts about the single integers are
/// left out. nullopt if two sums share no such integers.
///
/// Two sums of products with common parts then have one variable for each part instead of one for
/// each product.
std::optional<std::vector<NodeId>> with_terms_merged(const Graph& from,
                                                     const std::vector<NodeId>& conditions);

}  // namespace mmaspec
