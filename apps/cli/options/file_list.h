#pragma once
/// File lists of hardware designs (`-f`), in the syntax of simulators.

#include <string>

#include "hardware/rtl/yosys.h"

namespace mmaspec::cli {

/// Adds the contents of the list to the sources: files, `+incdir+FOLDER` and `-I FOLDER`,
/// `+define+NAME=VALUE` and `-D NAME`, other lists (`-f`, or `-F`: names in it are relative to the
/// list). Names are relative to the current folder; $NAME and ${NAME} are environment variables;
/// `//` and `#` start comments. Throws std::invalid_argument with the list's name and line.
void add_file_list(const std::string& list, rtl::Sources& sources);

}  // namespace mmaspec::cli
