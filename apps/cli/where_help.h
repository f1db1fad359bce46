#pragma once
/// The grammar of `--where`, for people.

#include <string>

namespace mmaspec::cli {

/// The grammar of conditions and their meaning.
std::string where_help();

}  // namespace mmaspec::cli
