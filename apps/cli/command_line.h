#pragma once
/// The command line that the user typed.

#include <string>

namespace mmaspec::cli {

/// Call this once, at the start.
void remember_command_line(int argc, char** argv);

/// The command, quoted for a shell, without the options that write pictures and pages.
std::string command_line();

}  // namespace mmaspec::cli
