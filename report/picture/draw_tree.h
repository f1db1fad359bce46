#pragma once
/// Trees, from left to right: questions, answers and what they leave.

#include <string>
#include <vector>

namespace mmaspec {

struct DrawnNode {
  std::string way = {};                 ///< what leads here; empty at the root
  std::vector<std::string> lines = {};  ///< what it says
  std::vector<DrawnNode> below = {};
};

/// The tree as an SVG document. Each node is a group of class `node`, with data-depth, data-way and
/// data-text (its lines, separated by "; "), before those below it.
std::string draw_tree(const std::string& title, const std::string& subtitle, const DrawnNode& root);

}  // namespace mmaspec
