#pragma once
/// Algorithms of users' own from shared objects (api/plugin/plugin.h).

#include <string>
#include <vector>

namespace mmaspec {

/// Loads the file and makes its algorithms known to find_instruction(). Returns their names,
/// `custom/NAME`. The file's code runs in this process, once. Throws std::invalid_argument with one
/// line that names the file: it is no shared object, no plugin, one of another version, or one
/// whose algorithms cannot be built.
std::vector<std::string> load_plugin(const std::string& file);

}  // namespace mmaspec
