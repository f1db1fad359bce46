#include <fmt/format.h>

#include <algorithm>

#include "hardware/rtl/check.h"
#include "queries/ask/dot_question.h"
#include "queries/draw/samples.h"
#include "util/counted.h"
#include "util/split_mix.h"

namespace mmaspec::rtl {
namespace {

bool is_undetermined(const Graph& graph, NodeId input) {
  return RtlDesign::is_free_signal(graph.input_name(input));
}

/// One sentence that says on which free signals d depends, and what the user can do about it.
std::string dependence(const RtlDesign& design, const std::vector<std::string>& inputs) {
  using Kind = RtlDesign::FreeSignal::Kind;
  constexpr std::size_t kMost = 4;
  std::vector<std::string> names;
  bool registers = false;
  bool ports = false;
  bool operands = false;
  bool undefined = false;
  for (const RtlDesign::FreeSignal& u : design.free_signals(inputs)) {
    registers = registers || u.kind == Kind::initial_register;
    ports = ports || (u.kind == Kind::port && !u.is_operand);
    operands = operands || u.is_operand;
    undefined = undefined || u.kind == Kind::undefined;
    const std::string name = (u.kind == Kind::initial_register ? "the initial value of register "
                              : u.kind == Kind::undefined      ? "the undefined value of "
                              : u.is_operand                   ? "later values of port "
                                                               : "port ") +
                             u.text;
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  std::string text;
  for (std::size_t i = 0; i < std::min(kMost, names.size()); ++i) {
    text += (i > 0 ? ", " : "") + names[i];
  }
  if (names.size() > kMost) text += " and " + counted(names.size() - kMost, "more signal");
  std::vector<std::string> hints;
  if (registers) {
    hints.emplace_back("--latency gives the clock edges from operands to result");
    if (design.connection().reset.empty()) {
      hints.emplace_back("--reset gives the port that resets the design");
    }
  }
  if (operands) hints.emplace_back("--hold keeps operands at their ports");
  if (ports) hints.emplace_back("--set PORT=VALUE gives a port a constant value");
  if (undefined)
    hints.emplace_back(
        "a signal is undefined where it has no driver, is assigned x, or is read by an index "
        "beyond "
        "its range");
  return fmt::format("{}, which the operands do not determine ({})", text, fmt::join(hints, "; "));
}

/// The free signals that the difference needs: the others are set to 0, by halving (delta
/// debugging).
std::vector<std::string> needed_inputs(const Graph& graph, NodeId differ, InputValues values) {
  const ExactEvaluator evaluator(graph, {differ});
  ExactEvaluator::Values scratch = evaluator.scratch();
  std::vector<std::size_t> needed;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (is_undetermined(graph, graph.inputs()[i]) && values[i] != 0) needed.push_back(i);
  }
  for (std::size_t part = needed.size(); part > 0; part /= 2) {
    for (std::size_t from = 0; from < needed.size();) {
      const std::size_t to = std::min(from + part, needed.size());
      InputValues without = values;
      for (std::size_t i = from; i < to; ++i) without[needed[i]] = 0;
      evaluator.evaluate(without, scratch);
      if (scratch[differ] == 0) {
        from = to;
        continue;
      }
      values = std::move(without);
      needed.erase(needed.begin() + static_cast<std::ptrdiff_t>(from),
                   needed.begin() + static_cast<std::ptrdiff_t>(to));
    }
  }
  std::vector<std::string> names;
  for (const std::size_t i : needed) names.push_back(graph.input_name(graph.inputs()[i]));
  return names;
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
  const DotOperands operands = design.with_constants(dot_inputs(formats));
  const std::size_t known = graph.inputs().size();
  const Int any = design.build(operands);
  const Int determined = design.build_determined(operands);
  std::vector<std::string> inputs;
  for (const NodeId n : graph.cone({any.id()})) {
    if (graph[n].op == Op::input && is_undetermined(graph, n)) {
      inputs.push_back(graph.input_name(n));
    }
  }
  if (inputs.empty()) return std::nullopt;
  const NodeId differ = (any != determined).id();
  Question question{&graph, {differ}};
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
    throw Undetermined(
        fmt::format("the result of {} depends on {}", design.top(),
                    dependence(design, needed_inputs(graph, differ, reply.witness))));
  }
  if (reply.verdict == Verdict::unsatisfiable) return std::nullopt;
  return fmt::format("it is undecided whether the result of {} depends on {}", design.top(),
                     dependence(design, inputs));
}

}  // namespace mmaspec::rtl
