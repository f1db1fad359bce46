#pragma once
/// Cutpoints: the nodes through which everything passes that two executions do not share.

#include <optional>
#include <vector>

#include "queries/derive/self_composition.h"

namespace mmaspec {

/// A sum and the exponent of its unit. All that the executions do not share passes through them,
/// except for some Booleans that depend on neither, such as a zero's sign.
struct Cutpoint {
  NodeId sum;
  std::optional<NodeId> exponent;  ///< nullopt: the unit is the same in both executions
  std::vector<NodeId> decisions = {};
};

/// True if some input that varies is reached from `root` without passing the blocked node.
bool is_open(const SelfComposition& runs, NodeId root, NodeId blocked);

/// Candidate cutpoints, from the inputs up. Marked sums come first, then sums of either sign, as
/// terms have; among these, first those whose unit is a largest exponent or constant. The order
/// affects time only.
std::vector<Cutpoint> separations(const SelfComposition& runs);

}  // namespace mmaspec
