#include "report/picture/draw_tree.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "report/picture/svg.h"

namespace mmaspec {
namespace {

constexpr double kTreeRow = 17;
constexpr double kPad = 6;      // inside a box
constexpr double kTreeGap = 8;  // between boxes
constexpr double kElbow = 18;   // from a box to where its branches separate

double width_of(const std::string& text) { return kGlyph * static_cast<double>(text.size()); }

class Drawing {
 public:
  explicit Drawing(const DrawnNode& root) { measure(root, 0); }

  std::string document(const std::string& title, const std::string& subtitle,
                       const DrawnNode& root) {
    svg_.text({kMargin, kMargin + kTreeRow, title, "head"});
    svg_.text({kMargin, kMargin + 2 * kTreeRow, subtitle, "soft"});
    const double top = kMargin + 3 * kTreeRow;
    draw(root, 0, kMargin, top);
    double width = std::max(width_of(title), width_of(subtitle));
    double right = 0;
    for (std::size_t d = 0; d < boxes_.size(); ++d) right += step(d);
    width = std::max(width, right);
    return svg_.document(width + 2 * kMargin, top + height(root) + kMargin, title, subtitle);
  }

 private:
  /// A column is as wide as its widest content.
  void measure(const DrawnNode& node, std::size_t depth) {
    if (boxes_.size() <= depth) {
      boxes_.resize(depth + 1);
      ways_.resize(depth + 1);
    }
    ways_[depth] = std::max(ways_[depth], width_of(node.way));
    for (const std::string& line : node.lines) {
      boxes_[depth] = std::max(boxes_[depth], width_of(line) + 2 * kPad);
    }
    for (const DrawnNode& below : node.below) measure(below, depth + 1);
  }

  /// From a column's left end, where the branches into it begin, to the next one's.
  double step(std::size_t depth) const { return way(depth) + boxes_[depth] + kElbow; }
  double way(std::size_t depth) const { return depth == 0 ? 0 : ways_[depth] + 2 * kPad; }

  static double own_height(const DrawnNode& node) {
    return kTreeRow * static_cast<double>(node.lines.size()) + 2 * kPad;
  }
  static double height(const DrawnNode& node) {
    double below = 0;
    for (const DrawnNode& n : node.below) below += height(n) + (below > 0 ? kTreeGap : 0);
    return std::max(own_height(node), below);
  }

  /// Draws the subtree from `top` on; returns the vertical center of the node's box.
  double draw(const DrawnNode& node, std::size_t depth, double left, double top) {
    const double middle = top + height(node) / 2;
    const double box = left + way(depth);
    svg_.open_group("node", fmt::format("data-depth=\"{}\" data-way=\"{}\" data-text=\"{}\"", depth,
                                        escaped(node.way),
                                        escaped(fmt::format("{}", fmt::join(node.lines, "; ")))));
    if (depth > 0) {
      svg_.line(left, middle, box, middle, "");
      svg_.text({left + kPad, middle - 3, node.way, "small"});
    }
    const double y = middle - own_height(node) / 2;
    svg_.rect(box, y, boxes_[depth], own_height(node), node.below.empty() ? "result" : "box");
    for (std::size_t i = 0; i < node.lines.size(); ++i) {
      svg_.text(
          {box + kPad, y + kPad + kTreeRow * static_cast<double>(i + 1) - 4, node.lines[i], ""});
    }
    svg_.close_group();
    if (node.below.empty()) return middle;
    const double parting = left + step(depth);
    double first = 0;
    double last = 0;
    double at = top;
    for (const DrawnNode& below : node.below) {
      last = draw(below, depth + 1, parting, at);
      if (&below == &node.below.front()) first = last;
      at += height(below) + kTreeGap;
    }
    svg_.line(box + boxes_[depth], middle, parting, middle, "");
    svg_.line(parting, std::min(first, middle), parting, std::max(last, middle), "");
    return middle;
  }

  Svg svg_;
  std::vector<double> boxes_;  ///< widths, by depth
  std::vector<double> ways_;   ///< widths of the branches' labels, by depth
};

}  // namespace

std::string draw_tree(const std::string& title, const std::string& subtitle,
                      const DrawnNode& root) {
  return Drawing(root).document(title, subtitle, root);
}

}  // namespace mmaspec
