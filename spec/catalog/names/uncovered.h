#pragma once
/// Hardware with a matrix unit that is known and is not in the catalogue: what is known of it, and
/// what would settle what it computes.

#include <string>
#include <vector>

namespace mmaspec {

/// Hardware of which one statement holds.
struct UncoveredHardware {
  std::string title;               ///< what its vendor calls it
  std::vector<std::string> names;  ///< that users give it, in small letters, without spaces
  std::string known;               ///< one sentence without its full stop
  std::string settles;             ///< what would settle it, likewise; empty: nothing is open
};

const std::vector<UncoveredHardware>& uncovered_hardware();

}  // namespace mmaspec
