#include <fmt/format.h>

#include "queries/ask/dot_question.h"
#include "queries/draw/samples.h"
#include "rtl/check.h"
#include "util/split_mix.h"

namespace mmaspec::rtl {
namespace {

bool is_undetermined(const Graph& graph, NodeId input) {
  return graph.input_name(input).starts_with("rtl ");
}

}  // namespace

RtlModel::RtlModel(std::shared_ptr<const RtlDesign> design)
    : design_(std::move(design)), model_(as_algorithm(design_), design_->formats()) {}

Integer RtlModel::run(const DotValues& values) const { return model_.run(values); }

std::vector<std::pair<std::string, Integer>> RtlModel::signals(const DotValues& values) const {
  Graph graph;
  const Graph::Building building(graph);
  const DotOperands operands = dot_inputs(design_->formats());
  Signals all;
  design_->build_determined(operands, &all);
  std::vector<NodeId> roots;
  for (const auto& [name, node] : all) roots.push_back(node.id());
  const ExactEvaluator evaluator(graph, roots);
  ExactEvaluator::Values scratch = evaluator.scratch();
  evaluator.evaluate(in_input_order(values), scratch);
  std::vector<std::pair<std::string, Integer>> result;
  for (const auto& [name, node] : all) result.emplace_back(name, scratch[node.id()]);
  return result;
}

std::optional<std::string> undecided_dependence(const RtlDesign& design,
                                                const Strategies& strategies,
                                                const Portfolio& solvers) {
  Graph graph;
  const Graph::Building building(graph);
  const DotFormats& formats = design.formats();
  const DotOperands operands = dot_inputs(formats);
  const std::size_t known = graph.inputs().size();
  const Int any = design.build(operands);
  const Int determined = design.build_determined(operands);
  std::string names;
  int count = 0;
  for (const NodeId n : graph.cone({any.id()})) {
    if (graph[n].op != Op::input || !is_undetermined(graph, n)) continue;
    if (++count <= 3) names += (names.empty() ? "" : ", ") + graph.input_name(n).substr(4);
  }
  if (count == 0) return std::nullopt;
  if (count > 3) names += fmt::format(" and {} others", count - 3);
  Question question{&graph, {(any != determined).id()}};
  question.candidates = [&](unsigned seed) -> Candidates {
    return [&graph, known, sampler = Sampler(formats, InputClass::any, seed),
            random = SplitMix(seed)](Lanes& lanes) mutable {
      Lanes operands_alone(known, lanes.lanes());
      sampler.fill(operands_alone);
      for (std::size_t i = 0; i < lanes.rows(); ++i) {
        const unsigned width = graph[graph.inputs()[i]].width;
        for (std::size_t lane = 0; lane < lanes.lanes(); ++lane) {
          if (i < known) {
            lanes[i][lane] = operands_alone[i][lane];
          } else {
            const std::uint64_t x = random();
            lanes[i][lane] = width < 64 ? x & ((std::uint64_t{1} << width) - 1) : x;
          }
        }
      }
    };
  };
  for (const NodeId i : graph.inputs()) {
    if (graph[i].width > 64) question.candidates = {};
  }
  const Reply reply = ask(question, strategies, solvers);
  if (reply.verdict == Verdict::satisfiable) {
    throw Undetermined(fmt::format(
        "d of {} depends on {}, which no operand determines: --latency says how many cycles it "
        "takes, --set gives a signal a value, --hold keeps operands at their ports",
        design.top(), names));
  }
  if (reply.verdict == Verdict::unsatisfiable) return std::nullopt;
  return "whether d depends on " + names + ", which no operand determines, is undecided";
}

}  // namespace mmaspec::rtl
