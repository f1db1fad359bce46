#pragma once
/// Files of recorded rows, and a description of their faults.

#include <filesystem>
#include <string>
#include <vector>

#include "queries/audit/verify.h"

namespace mmaspec {

/// The folder of recorded vectors, which is not part of this project: $MMASPEC_VECTORS, or
/// shared/vectors next to the checkout. It may be missing.
std::filesystem::path recorded_vectors();

/// The JSON Lines files in a folder, .gz or not, sorted by name; none if the folder does not exist.
std::vector<std::filesystem::path> recorded_files(const std::filesystem::path& folder);

/// The first mismatches and all bad rows, one per line.
std::string describe(const VerifyReport& report);

}  // namespace mmaspec
