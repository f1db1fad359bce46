#pragma once
/// Where a text comes together: the nodes through which all passes that two runs do not share.

#include <optional>
#include <vector>

#include "queries/derive/two_runs.h"

namespace mmaspec {

/// A sum and the exponent of its unit, through which all passes that the runs do not share, but for
/// what some Booleans decide besides, which are made of neither: a zero's sign.
struct Separation {
  NodeId sum;
  std::optional<NodeId> exponent;  ///< nullopt: the unit is the same in both runs
  std::vector<NodeId> decisions = {};
};

/// Some input that varies is reached from `root` past the blocked node.
bool is_open(const TwoRuns& runs, NodeId root, NodeId blocked);

/// Those that are tried, from the inputs up: first what is marked as a sum, then sums of either
/// sign, as terms have; and of these first those whose unit is what a largest exponent or nothing
/// makes it. Which are tried in what order decides nothing but time.
std::vector<Separation> separations(const TwoRuns& runs);

}  // namespace mmaspec
