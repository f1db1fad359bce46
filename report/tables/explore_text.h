#pragma once
/// Output of `explore` as a table, comma-separated values, JSON and an interactive page.

#include <string>
#include <utility>
#include <vector>

#include "queries/studies/explore/explore.h"

namespace mmaspec {

struct Explored {
  std::string pattern;
  std::vector<Requirement> requirements;
  std::string bound;    ///< the property whose number is a column
  std::string against;  ///< the unit with which `mismatches` compares; empty: none
  /// For each design the values of the parameters with several values.
  std::vector<std::vector<std::pair<std::string, std::string>>> chosen;
  /// Combinations of parameters that do not form a design, each with the reason.
  std::vector<std::pair<std::string, std::string>> skipped;
  Exploration exploration;
  double seconds = 0;
};

/// The Pareto front as a table, counts, and the cheapest design.
std::string text_of(const Explored& explored);
/// One design per line.
std::string csv_of(const Explored& explored);
std::string json_of(const Explored& explored);
/// A self-contained file.
std::string html_of(const Explored& explored);

}  // namespace mmaspec
