#pragma once
/// What `explore` found as a table, comma-separated values, JSON and an interactive page.

#include <string>
#include <utility>
#include <vector>

#include "queries/studies/explore/explore.h"

namespace mmaspec {

struct Explored {
  std::string pattern;
  std::vector<Requirement> requirements;
  std::string bound;    ///< the property whose number is a column
  std::string against;  ///< the unit that `mismatches` counts differences to; empty: none
  /// For each design the values of the parameters that have several.
  std::vector<std::vector<std::pair<std::string, std::string>>> chosen;
  /// Combinations of parameters that do not form a design, each with the reason.
  std::vector<std::pair<std::string, std::string>> skipped;
  Exploration exploration;
  double seconds = 0;
};

/// The Pareto front as a table, counts, and the cheapest design.
std::string text_of(const Explored& explored);
/// A design a line.
std::string csv_of(const Explored& explored);
std::string json_of(const Explored& explored);
/// One file that loads nothing.
std::string html_of(const Explored& explored);

}  // namespace mmaspec
