#pragma once
/// The output of `mmaspec replay`.

#include <string>
#include <vector>

#include "hardware/replay/host/replay.h"

namespace mmaspec {

/// The replayed rows and their results.
struct Replayed {
  std::vector<ReplayRow> rows;
  DeviceRun run;
  ReplayReport report;
  std::vector<Unseparated> unseparated;  ///< --decide alone
  bool deciding = false;                 ///< rivals matter, and not the spec
};

/// For people; the last line is "N passed, M failed[, L lacking]", or which rivals survive.
/// `full`: all products of a row are shown.
std::string text_of(const Replayed& replayed, RowModels& models, bool full);
/// One JSON document.
std::string json_of(const Replayed& replayed, RowModels& models);

}  // namespace mmaspec
