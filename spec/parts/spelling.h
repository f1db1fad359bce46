#pragma once
/// Compares what a user wrote with known names.

#include <string>
#include <string_view>
#include <vector>

namespace mmaspec {

/// Converts ASCII capital letters to small ones.
std::string lower_case(std::string_view text);

/// The member of `known` with the least edit distance to `name`; empty if none is near.
std::string nearest(std::string_view name, const std::vector<std::string>& known);

}  // namespace mmaspec
