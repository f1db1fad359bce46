#pragma once
/// Output of `explore` as a table, comma-separated values, JSON and an interactive page.

#include <string>

#include "queries/studies/explore/study.h"

namespace mmaspec {

/// The Pareto front as a table, counts, and the cheapest design.
std::string text_of(const Explored& explored);
/// One design per line.
std::string csv_of(const Explored& explored);
std::string json_of(const Explored& explored);
/// A self-contained file.
std::string html_of(const Explored& explored);

}  // namespace mmaspec
