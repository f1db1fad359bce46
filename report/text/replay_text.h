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
  std::vector<Unseparated> unseparated;  ///< only for --decide
  bool deciding = false;                 ///< rivals are compared instead of the specification
};

/// For people. The last line is "N passed, M failed[, L lacking]", or the rivals that remain.
/// `full`: shows all products of a row.
std::string text_of(const Replayed& replayed, RowModels& models, bool full);
/// One JSON document.
std::string json_of(const Replayed& replayed, RowModels& models);

}  // namespace mmaspec
