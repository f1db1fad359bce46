#pragma once
/// How what a user wrote is compared with what could have been meant.

#include <string>
#include <string_view>
#include <vector>

namespace mmaspec {

/// With small letters for capital ones, of ASCII alone.
std::string lower_case(std::string_view text);

/// The one of `known` nearest to `name` by edit distance; empty if none is near.
std::string nearest(std::string_view name, const std::vector<std::string>& known);

}  // namespace mmaspec
