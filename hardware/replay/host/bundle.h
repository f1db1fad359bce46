#pragma once
/// Writes a folder with all files that are needed to replay vectors on a machine without MMA-Spec.

#include <string>
#include <utility>
#include <vector>

namespace mmaspec {

/// A file of vectors in a bundle: its name without number and extension, and its contents.
struct BundleFile {
  std::string name;
  std::string content;
};

/// The folder with hardware/replay/device and concrete/rows/drawn_rows.h: $MMASPEC_REPLAY_SOURCES,
/// or share/mmaspec of an installation, or `source_tree`. Throws std::runtime_error if none of them
/// exists.
std::string find_replay_sources(const std::string& source_tree);

/// Throws std::runtime_error if write_bundle() could not create the folder. Call it before long
/// work.
void require_no_bundle(const std::string& folder);

/// Writes `folder` completely or not at all: the device programs' sources, the vectors as
/// vectors/01-NAME.jsonl.., run.sh and README. Throws std::runtime_error, also if the folder
/// exists.
void write_bundle(const std::string& folder, const std::string& sources,
                  const std::vector<BundleFile>& vectors);

/// The contents of run.sh.
extern const char* const kBundleScript;

}  // namespace mmaspec
