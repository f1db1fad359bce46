#include "concrete/dot/trace.h"

#include "spec/formats/text.h"

namespace mmaspec {

std::vector<TraceLine> trace_lines(const Instruction& instruction, const DotValues& values) {
  const DotModel model(instruction.algorithm, instruction.formats);
  // Marks are part of the graph, but not of the result's cone.
  std::vector<NodeId> roots{model.result()};
  for (const Mark& mark : model.graph().marks()) {
    roots.push_back(mark.node);
    if (mark.exponent) roots.push_back(*mark.exponent);
  }
  const ExactEvaluator evaluator(model.graph(), roots);
  ExactEvaluator::Values all = evaluator.scratch();
  evaluator.evaluate(in_input_order(values), all);
  std::vector<TraceLine> lines;
  for (const Mark& mark : model.graph().marks()) {
    TraceLine line{mark.stage, mark.label, all[mark.node], ""};
    if (mark.exponent) {
      line.number =
          to_hex_float(line.integer, all[*mark.exponent].convert_to<int>() + mark.exponent_offset);
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace mmaspec
