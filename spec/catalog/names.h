#pragma once
/// What users call an architecture: its name, a product of it, or the compilers' name of its chips.

#include <optional>
#include <string>
#include <string_view>

namespace mmaspec {

/// With small letters for capital ones, of ASCII alone.
std::string lower_case(std::string_view text);

/// The architecture that `given` names: one of architectures(), or a name in products(), in letters
/// of any case. Nothing if there is none.
std::optional<std::string> architecture_named(std::string_view given);

/// The same, but throws std::invalid_argument with one line that names the nearest that exists.
std::string find_architecture(std::string_view given);

}  // namespace mmaspec
