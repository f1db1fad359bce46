#pragma once
/// What the user typed.

#include <string>

namespace mmaspec::cli {

/// To be called once, at the start.
void remember_command_line(int argc, char** argv);

/// The command as a shell takes it, without the options that write pictures and pages.
std::string command_line();

}  // namespace mmaspec::cli
