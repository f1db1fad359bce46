#pragma once
/// The members of the maxima that are exponents of sums.

#include <optional>
#include <vector>

#include "queries/error_bounds/loss_lemmas.h"

namespace mmaspec {

/// A member of a maximum of exponents: node + offset, or the constant `offset` without a node.
struct Member {
  std::optional<NodeId> node;
  Integer offset;
};

Int value_of(const Member& m, const View& view = {});

/// The members, with nested maxima flattened.
std::vector<Member> members_of(const Graph& graph, NodeId exponent);

/// n such that `upper` >= lower + n for all inputs, from their members.
std::optional<Integer> distance_below(const Graph& graph, NodeId lower, NodeId upper);

/// The facts that the exponents of sums are at least their members.
LossFacts facts_of(const Graph& graph, const std::vector<NodeId>& exponents);

}  // namespace mmaspec
