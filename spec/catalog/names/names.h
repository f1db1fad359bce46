#pragma once
/// What users call an architecture: its name, a product of it, or the compilers' name of its chips.

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spec/parts/spelling.h"

namespace mmaspec {

/// The architectures, in order, and product names with what they stand for.
const std::vector<std::string>& architectures();
const std::vector<std::pair<std::string, std::string>>& products();

/// A name of an instruction, design or plan in one spelling: in small letters, without spaces. The
/// names of a user's own algorithms (custom/NAME) keep their letters.
std::string canonical_name(std::string_view text);

/// Hardware that is known and is not in the catalogue: a name that users give it, and one sentence.
std::vector<std::pair<std::string, std::string>> uncovered_products();

/// What is known of hardware that is not in the catalogue, such as `gb10`, and what would settle
/// it, on one line. Nothing if the name is not known at all.
std::optional<std::string> known_but_not_covered(std::string_view given);

/// The architecture that `given` names: one of architectures(), or a name in products(), in letters
/// of any case, with or without `_`, `-` and spaces. Nothing if there is none.
std::optional<std::string> architecture_named(std::string_view given);

/// The same, but throws std::invalid_argument with one line that names the nearest that exists.
std::string find_architecture(std::string_view given);

}  // namespace mmaspec
