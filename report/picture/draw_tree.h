#pragma once
/// Decision trees drawn from left to right: questions, answers, and the remaining classes.

#include <string>
#include <vector>

namespace mmaspec {

struct DrawnNode {
  std::string way = {};                 ///< the answer that leads here; empty at the root
  std::vector<std::string> lines = {};  ///< the lines of its text
  std::vector<DrawnNode> below = {};
};

/// The tree as an SVG document. Each node is a group of class `node`, with data-depth, data-way and
/// data-text (its lines, separated by "; "), followed by its children.
std::string draw_tree(const std::string& title, const std::string& subtitle, const DrawnNode& root);

}  // namespace mmaspec
