#pragma once
/// Histograms as SVG.

#include <cstddef>
#include <string>
#include <vector>

namespace mmaspec {

struct HistogramBar {
  std::string label;  ///< the label of what it counts
  std::size_t count;
};

/// Draws one bar below another, with label, count and share of the total; an empty bar keeps its
/// row. Lengths are proportional to log2(1 + count), so that one result in a million is visible.
/// The result is a self-contained SVG document that also contains the numbers: each row has
/// data-label and data-count.
std::string draw_histogram(const std::string& title, const std::string& subtitle,
                           const std::vector<HistogramBar>& bars);

}  // namespace mmaspec
