#pragma once
/// Locates programs, and quotes their names for the shell.

#include <string>

namespace mmaspec {

/// Whether the path is an executable file.
bool is_program(const std::string& path);

/// The path of a program in PATH; a name with a slash is returned unchanged. Empty if it does not
/// exist.
std::string find_in_path(const std::string& name);

/// A program next to this executable, or in PATH; empty: neither exists.
std::string find_program(const std::string& name);

/// `text`, quoted if necessary so that the shell reads it as one word.
std::string shell_word(const std::string& text);

}  // namespace mmaspec
