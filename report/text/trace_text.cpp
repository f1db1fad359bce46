#include "report/text/trace_text.h"

#include <fmt/format.h>

namespace mmaspec {
namespace {

std::string shown(const TraceLine& line) {
  return line.number.empty() ? line.integer.str() : line.number;
}

}  // namespace

std::string trace_text(const std::vector<TraceLine>& lines) {
  std::string text;
  std::string stage;
  for (const TraceLine& line : lines) {
    if (is_dull(line)) continue;
    if (line.stage != stage) text += "    " + line.stage + "\n";
    stage = line.stage;
    text += fmt::format(
        "      {:<14} {:>24}  {}\n", line.label, line.number,
        line.number.empty() ? line.integer.str() : "(" + line.integer.str() + " units)");
  }
  return text;
}

std::string trace_text(const std::string& left_name, const std::vector<TraceLine>& left,
                       const std::string& right_name, const std::vector<TraceLine>& right,
                       bool differing_only) {
  std::string text = fmt::format("    {:<16} {:>26} {:>26}\n", "", left_name, right_name);
  std::string stage;
  for (const auto& [x, y] : side_by_side(left, right)) {
    const std::string l = x == nullptr ? "-" : shown(*x);
    const std::string r = y == nullptr ? "-" : shown(*y);
    if (differing_only && l == r) continue;
    const TraceLine& named = x != nullptr ? *x : *y;
    if (named.stage != stage) text += "    " + named.stage + "\n";
    stage = named.stage;
    text += fmt::format("      {:<14} {:>26} {:>26}{}\n", named.label, l, r, l == r ? "" : "  *");
  }
  return text;
}

}  // namespace mmaspec
