#pragma once
/// Users' algorithms from shared libraries (api/plugin/plugin.h).

#include <string>

namespace mmaspec::cli {

/// Loads the file and makes its algorithms known to find_instruction(). The file's code runs in
/// this process, once. Throws std::invalid_argument with one line that names the file: the file is
/// not a shared library, not a plugin, of another version, or its algorithms cannot be built.
void load_plugin(const std::string& file);

}  // namespace mmaspec::cli
