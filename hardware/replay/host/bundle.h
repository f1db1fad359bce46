#pragma once
/// A folder to be taken to a machine that has a GPU and no MMA-Spec.

#include <string>
#include <utility>
#include <vector>

namespace mmaspec {

/// A file of vectors in a bundle: its name without number and ending, and its lines.
struct BundleFile {
  std::string name;
  std::string content;
};

/// The folder with hardware/replay/device and concrete/rows/drawn_rows.h: $MMASPEC_REPLAY_SOURCES,
/// or share/mmaspec of an installation, or `source_tree`. Throws std::runtime_error if none is
/// there.
std::string find_replay_sources(const std::string& source_tree);

/// Throws std::runtime_error where write_bundle() surely would: to be asked before long work.
void require_no_bundle(const std::string& folder);

/// Writes `folder` whole or not at all: the device programs' sources, the vectors as
/// vectors/01-NAME.jsonl.., run.sh and README. Throws std::runtime_error, also if the folder
/// exists.
void write_bundle(const std::string& folder, const std::string& sources,
                  const std::vector<BundleFile>& vectors);

/// run.sh.
extern const char* const kBundleScript;

}  // namespace mmaspec
