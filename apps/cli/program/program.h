#pragma once
/// The command `mmaspec`.

#include <string>

namespace mmaspec::cli {

/// Reads the command line, runs one command, and turns every error into one line and the exit
/// status that it returns. `version` is the first line of --version.
int run_program(int argc, char** argv, const std::string& version);

}  // namespace mmaspec::cli
