#pragma once
/// The command `mmaspec`.

#include <string>

namespace mmaspec::cli {

/// Parses the command line and runs one command. Prints every error as one line and returns the
/// exit status. `version` is the first line of --version.
int run_program(int argc, char** argv, const std::string& version);

}  // namespace mmaspec::cli
