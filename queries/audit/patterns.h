#pragma once
/// Checks that a user's own algorithm returns patterns of its result's format.

#include "spec/own/recorded.h"

namespace mmaspec {

/// Computed ranges can be wider than the result's values. If the range does not show it, drawn
/// inputs are tried, and the evaluators check every later evaluation. Throws std::invalid_argument
/// for a result that is not a pattern.
void require_patterns(const Recorded& recorded);

}  // namespace mmaspec
