#pragma once
/// What the exponents of sums are maxima of.

#include <optional>
#include <vector>

#include "queries/losses/loss_lemmas.h"

namespace mmaspec {

/// A member of a maximum of exponents: node + offset, or the constant alone.
struct Member {
  std::optional<NodeId> node;
  Integer offset;
};

Int value_of(const Member& m, const View& view = {});

/// The members of maxima of maxima.
std::vector<Member> members_of(const Graph& graph, NodeId exponent);

/// n such that `upper` is always lower + n or more, by their members.
std::optional<Integer> distance_below(const Graph& graph, NodeId lower, NodeId upper);

/// That the exponents of sums are at least what they are maxima of.
LossFacts facts_of(const Graph& graph, const std::vector<NodeId>& exponents);

}  // namespace mmaspec
