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

}  // namespace mmaspec
