#pragma once
/// The exploration of a pattern's designs, as the command line and the Python package request it.

#include <string>
#include <utility>
#include <vector>

#include "queries/studies/explore/explore.h"

namespace mmaspec {

struct ExploreRequest {
  std::string pattern;
  std::vector<std::string> required;  ///< such as `error-bound <= 2`
  std::string bound = "error-bound";  ///< the property whose number is a column
  std::string against;                ///< the unit with which `mismatches` compares; empty: none
  std::string solver = "auto";
};

/// What was explored, and the answer.
struct Explored {
  std::string pattern;
  std::vector<Requirement> requirements;
  std::string bound;
  std::string against;
  /// For each design the values of the parameters with several values.
  std::vector<std::vector<std::pair<std::string, std::string>>> chosen;
  /// Combinations of parameters that do not form a design, each with the reason.
  std::vector<std::pair<std::string, std::string>> skipped;
  Exploration exploration;
  double seconds = 0;
};

/// A request that was read: its designs, and the options of explore(). The caller sets the options
/// that a request does not have: `mismatches`, `verilog`, limits and progress.
struct ExploreStudy {
  Explored explored;
  std::vector<Instruction> designs;
  ExploreOptions options;
};

/// Throws std::invalid_argument with a one-line message: for bad input, if no combination of the
/// pattern is a design, and if Yosys is missing.
ExploreStudy read_study(const ExploreRequest& request);

/// Keeps only the designs of one part.
void keep_part(ExploreStudy& study, const Shard& shard);

/// Explores the designs.
Explored run_study(ExploreStudy study);

}  // namespace mmaspec
