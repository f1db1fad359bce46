#include "concrete/dot/trace.h"

#include "concrete/dot/marks.h"
#include "spec/formats/text.h"

namespace mmaspec {

std::vector<TraceLine> trace_lines(const Instruction& instruction, const DotValues& values) {
  std::vector<TraceLine> lines;
  for (MarkValue& mark : marked_run(instruction.algorithm, instruction.formats, values).marks) {
    TraceLine line{std::move(mark.stage), std::move(mark.label), std::move(mark.integer), ""};
    if (mark.exponent) line.number = to_hex_float(line.integer, *mark.exponent);
    lines.push_back(std::move(line));
  }
  return lines;
}

bool is_dull(const TraceLine& line) { return !line.number.empty() && line.integer == 0; }

std::vector<TracePair> side_by_side(const std::vector<TraceLine>& left,
                                    const std::vector<TraceLine>& right) {
  std::vector<bool> used(right.size());
  const auto partner = [&](const TraceLine& line) -> const TraceLine* {
    for (std::size_t j = 0; j < right.size(); ++j) {
      if (used[j] || right[j].stage != line.stage || right[j].label != line.label) continue;
      used[j] = true;
      return &right[j];
    }
    return nullptr;
  };
  std::vector<TracePair> pairs;
  const auto add = [&](const TraceLine* x, const TraceLine* y) {
    if ((x == nullptr || is_dull(*x)) && (y == nullptr || is_dull(*y))) return;
    pairs.push_back({x, y});
  };
  for (const TraceLine& line : left) add(&line, partner(line));
  for (std::size_t j = 0; j < right.size(); ++j) {
    if (!used[j]) add(nullptr, &right[j]);
  }
  return pairs;
}

}  // namespace mmaspec
