#pragma once
/// Known hardware with a matrix unit that is not in the catalogue: what is known about it, and what
/// would determine its behaviour.

#include <string>
#include <vector>

namespace mmaspec {

/// Hardware that is described by one statement.
struct UncoveredHardware {
  std::string title;               ///< the vendor's name
  std::vector<std::string> names;  ///< names in use, in lower case without spaces
  std::string known;               ///< one sentence without its full stop
  std::string settles;             ///< what would determine its behaviour, likewise; empty: nothing
                                   ///< is open
};

const std::vector<UncoveredHardware>& uncovered_hardware();

}  // namespace mmaspec
