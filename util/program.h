#pragma once
/// Programs that this one runs: where they are, and their names as the shell takes them.

#include <string>

namespace mmaspec {

/// An executable file.
bool is_program(const std::string& path);

/// The path of a program in PATH; of one that is named with a slash, that name. Empty if it is not
/// there.
std::string find_in_path(const std::string& name);

/// Beside the running program, or in PATH; empty: neither.
std::string find_program(const std::string& name);

/// `text` quoted where it must be, so that the shell takes it as one word.
std::string shell_word(const std::string& text);

}  // namespace mmaspec
