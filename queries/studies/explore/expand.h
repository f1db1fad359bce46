#pragma once
/// Expands patterns of designs: `design:NAME(k=8,fraction_bits=13..30,round=rz|rne)` stands for
/// many designs.

#include <string>
#include <utility>
#include <vector>

namespace mmaspec {

struct Expanded {
  std::string name;  ///< of one design
  /// The values of the parameters that vary.
  std::vector<std::pair<std::string, std::string>> chosen;
};

/// All combinations; the last parameter varies fastest. A value is LOW..HIGH, or several of these
/// and of single values separated by `|`. Throws std::invalid_argument for an empty range and for
/// more than `most` designs.
std::vector<Expanded> expand(const std::string& pattern, std::size_t most = 10'000);

}  // namespace mmaspec
