#pragma once
/// Names of architectures: their own, their products', and compilers' names of their chips.

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spec/parts/spelling.h"

namespace mmaspec {

/// The architectures in order, and names of products with their architectures.
const std::vector<std::string>& architectures();
const std::vector<std::pair<std::string, std::string>>& products();

/// Canonical spelling of the name of an instruction, design or plan: lower-case letters without
/// spaces. Names of users' algorithms (custom/NAME) keep their letters.
std::string canonical_name(std::string_view text);

/// Known hardware that is not in the catalogue: its name, and one sentence.
std::vector<std::pair<std::string, std::string>> uncovered_products();

/// Knowledge about hardware that is not in the catalogue, such as `gb10`, and what would determine
/// its behaviour, on one line. Empty if the name is unknown.
std::optional<std::string> known_but_not_covered(std::string_view given);

/// The architecture for `given`: one of architectures(), or a name in products(), in upper or lower
/// case, with or without `_`, `-` and spaces. Empty if there is none.
std::optional<std::string> architecture_named(std::string_view given);

/// The same, but throws std::invalid_argument with a one-line message that contains the nearest
/// known name.
std::string find_architecture(std::string_view given);

}  // namespace mmaspec
