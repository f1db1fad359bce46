#pragma once
/// Terms that sums use only together, as one variable.

#include <optional>
#include <vector>

#include "spec/lang/graph.h"

namespace mmaspec {

/// Conditions that hold of some inputs wherever the given ones do, built into the current graph,
/// which must be another one: integers that nothing uses but sums, and all of these in one
/// proportion, are one variable, whose range is that of their sum. What is known of them alone is
/// left out. nullopt: there are none that two sums use.
///
/// So two sums of products that have parts in common have a variable for each part, and not for
/// each product.
std::optional<std::vector<NodeId>> with_terms_merged(const Graph& from,
                                                     const std::vector<NodeId>& conditions);

}  // namespace mmaspec
