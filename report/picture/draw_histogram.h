#pragma once
/// Histograms as SVG.

#include <cstddef>
#include <string>
#include <vector>

namespace mmaspec {

struct HistogramBar {
  std::string label;  ///< what it counts
  std::size_t count;
};

/// One bar below the other, with label, count and share of all; an empty one keeps its row. Lengths
/// are of log2(1 + count): one result among a million is to be seen. A self-contained SVG document
/// that says its numbers, too: each row has data-label and data-count.
std::string draw_histogram(const std::string& title, const std::string& subtitle,
                           const std::vector<HistogramBar>& bars);

}  // namespace mmaspec
