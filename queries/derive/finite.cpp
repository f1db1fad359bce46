#include "queries/derive/finite.h"

#include <algorithm>
#include <set>

#include "concrete/evaluator.h"
#include "queries/ask/budget.h"
#include "queries/ask/dot_question.h"
#include "queries/ask/lemmas/known_bits.h"
#include "queries/draw/samples.h"

namespace mmaspec {
namespace {

constexpr int kSamples = 64;

/// Nodes that classify operands, without arithmetic between them.
std::vector<bool> classifying(const Graph& graph) {
  std::vector<bool> plain(graph.size());
  for (NodeId n = 0; n < graph.size(); ++n) {
    switch (graph[n].op) {
      case Op::floor_shift_right:
        // A shift by a constant gives a field of a pattern.
        plain[n] = plain[graph[n].args[0]] && graph[graph[n].args[1]].range.is_point();
        continue;
      case Op::product:
      case Op::shift_left:
      case Op::bit_length:
      case Op::maximum:
      case Op::minimum:
        continue;
      default:
        plain[n] = std::all_of(graph[n].args.begin(), graph[n].args.end(),
                               [&](NodeId a) { return plain[a]; });
    }
  }
  return plain;
}

/// The value that a Boolean has in all samples, by node.
class Constants {
 public:
  Constants(const TermGraph& text, InputClass inputs)
      : evaluator_(*text.graph, {text.d}), low_(evaluator_.scratch()), high_(low_) {
    Sampler sampler(text.formats, inputs, 0);
    ExactEvaluator::Values values = evaluator_.scratch();
    for (int i = 0; i < kSamples; ++i) {
      evaluator_.evaluate(input_values(*text.graph, sampler.next()), values);
      for (NodeId n : evaluator_.nodes()) {
        low_[n] = i == 0 ? values[n] : std::min(low_[n], values[n]);
        high_[n] = i == 0 ? values[n] : std::max(high_[n], values[n]);
      }
    }
  }
  bool is_constant(NodeId n) const { return low_[n] == high_[n]; }
  bool value(NodeId n) const { return low_[n] != 0; }

 private:
  ExactEvaluator evaluator_;
  ExactEvaluator::Values low_;
  ExactEvaluator::Values high_;
};

}  // namespace

TermGraph within_class(const TermGraph& text, InputClass inputs, Lemmas& lemmas) {
  const Graph& graph = *text.graph;
  const Constants constants(text, inputs);
  const std::vector<bool> plain = classifying(graph);
  Graph run;
  const Graph::Building building(run);
  const DotOperands operands = dot_inputs(text.formats);
  const Image image = image_of(text, operands);
  const std::vector<NodeId> premises =
      conjuncts(run, {belong(inputs, text.formats, operands).id()});
  // From the selections near the result down to their operands.
  std::set<NodeId, std::greater<>> open;
  for (NodeId n : graph.cone({text.d})) {
    if (graph[n].op == Op::select) open.insert(graph[n].args[0]);
  }
  std::vector<std::pair<NodeId, bool>> known;
  std::set<NodeId> seen;
  while (!open.empty()) {
    const NodeId n = *open.begin();
    open.erase(open.begin());
    if (!seen.insert(n).second || graph[n].range.is_point()) continue;
    if (plain[n] && constants.is_constant(n)) {
      const Bool b = Bool::of(*image.nodes[n]);
      const Bool other = constants.value(n) ? !b : b;
      if (lemmas.is_unsat("what the class of inputs decides", run, {other.id()}, premises, {},
                          budget::kNodeLemma)) {
        known.emplace_back(n, constants.value(n));
        continue;
      }
    }
    for (NodeId a : graph[n].args) {
      if (is_boolean(graph[a].op)) open.insert(a);
    }
  }
  return known.empty() ? text : with_constants(text, known);
}

}  // namespace mmaspec
