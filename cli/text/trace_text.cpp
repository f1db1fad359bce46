#include "cli/text/trace_text.h"

#include <fmt/format.h>

namespace mmaspec::cli {
namespace {

std::string shown(const TraceLine& line) {
  return line.number.empty() ? line.integer.str() : line.number;
}

/// A number that is zero tells nothing, and there are many.
bool is_dull(const TraceLine& line) { return !line.number.empty() && line.integer == 0; }

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
  std::vector<bool> used(right.size());
  const auto partner = [&](const TraceLine& line) -> const TraceLine* {
    for (std::size_t j = 0; j < right.size(); ++j) {
      if (used[j] || right[j].stage != line.stage || right[j].label != line.label) continue;
      used[j] = true;
      return &right[j];
    }
    return nullptr;
  };
  std::string text = fmt::format("    {:<16} {:>26} {:>26}\n", "", left_name, right_name);
  std::string stage;
  const auto add = [&](const TraceLine* x, const TraceLine* y) {
    if ((x == nullptr || is_dull(*x)) && (y == nullptr || is_dull(*y))) return;
    const std::string l = x == nullptr ? "-" : shown(*x);
    const std::string r = y == nullptr ? "-" : shown(*y);
    if (differing_only && l == r) return;
    const TraceLine& named = x != nullptr ? *x : *y;
    if (named.stage != stage) text += "    " + named.stage + "\n";
    stage = named.stage;
    text += fmt::format("      {:<14} {:>26} {:>26}{}\n", named.label, l, r, l == r ? "" : "  *");
  };
  for (const TraceLine& line : left) add(&line, partner(line));
  for (std::size_t j = 0; j < right.size(); ++j) {
    if (!used[j]) add(nullptr, &right[j]);
  }
  return text;
}

}  // namespace mmaspec::cli
