#include "concrete/dot/marks.h"

#include "concrete/dot/lengths.h"

namespace mmaspec {

MarkedRun marked_run(const Algorithm& algorithm, const DotFormats& formats,
                     const DotValues& values) {
  require_lengths(formats, values);
  const DotModel model(algorithm, formats);
  // Marks are in the graph, but not necessarily in the cone of the result.
  std::vector<NodeId> roots{model.result()};
  for (const Mark& mark : model.graph().marks()) {
    roots.push_back(mark.node);
    if (mark.exponent) roots.push_back(*mark.exponent);
  }
  const ExactEvaluator evaluator(model.graph(), roots);
  ExactEvaluator::Values all = evaluator.scratch();
  evaluator.evaluate(in_input_order(values), all);
  MarkedRun run{{}, all[model.result()]};
  for (const Mark& mark : model.graph().marks()) {
    MarkValue value{mark.stage, mark.label, mark.role, all[mark.node], {}};
    if (mark.exponent) {
      value.exponent = all[*mark.exponent].convert_to<int>() + mark.exponent_offset;
    }
    run.marks.push_back(std::move(value));
  }
  return run;
}

}  // namespace mmaspec
