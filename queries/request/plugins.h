#pragma once
/// Loads users' own algorithms from shared objects (api/plugin/plugin.h).

#include <string>
#include <vector>

namespace mmaspec {

/// Loads the file and adds its algorithms to those that find_instruction() finds. Returns their
/// names, `custom/NAME`. The file's code runs once in this process. Throws std::invalid_argument
/// with a one-line message that names the file if the file is not a shared object, is not a plugin,
/// has another version, or has algorithms that cannot be built.
std::vector<std::string> load_plugin(const std::string& file);

}  // namespace mmaspec
