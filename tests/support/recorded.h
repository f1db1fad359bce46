#pragma once
/// Files of recorded rows, and what is wrong with them.

#include <filesystem>
#include <string>
#include <vector>

#include "queries/audit/verify.h"

namespace mmaspec {

/// The folder of recorded vectors, no part of this project: $MMASPEC_VECTORS, or shared/vectors
/// beside the checkout. It may be missing.
std::filesystem::path recorded_vectors();

/// The JSON Lines files in a folder, .gz or not, sorted by name; none if there is no such folder.
std::vector<std::filesystem::path> recorded_files(const std::filesystem::path& folder);

/// The first mismatches and all bad rows, a line each.
std::string describe(const VerifyReport& report);

}  // namespace mmaspec
