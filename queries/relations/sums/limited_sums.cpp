#include "queries/relations/sums/limited_sums.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "spec/lang/linear.h"

namespace mmaspec {
namespace {

/// The non-constant member of a minimum or maximum of a node and a constant, and the constant.
std::optional<std::pair<NodeId, Integer>> beside_constant(const Graph& graph, NodeId n, Op op) {
  const Node& node = graph[n];
  if (node.op != op || node.args.size() != 2) return std::nullopt;
  for (const std::size_t i : {0U, 1U}) {
    const Node& limit = graph[node.args[i]];
    if (limit.op == Op::constant) return std::pair{node.args[1 - i], limit.value};
  }
  return std::nullopt;
}

NodeId without_least(const Graph& graph, NodeId n) {
  const auto inner = beside_constant(graph, n, Op::maximum);
  return inner ? inner->first : n;
}

/// The node that a node clamps, and the upper limit. A lower limit is ignored: a relation that
/// needs it is not proved.
std::optional<std::pair<NodeId, Integer>> limited(const Graph& graph, NodeId n) {
  auto of = beside_constant(graph, without_least(graph, n), Op::minimum);
  if (of) of->first = without_least(graph, of->first);
  return of;
}

}  // namespace

std::map<NodeId, RelationalInvariant> limited_sums(Graph& graph, const std::vector<NodeId>& roots) {
  std::map<NodeId, RelationalInvariant> all;
  const Graph::Building building(graph);
  for (NodeId n : graph.cone(roots)) {
    const auto of_node = limited(graph, n);
    if (!of_node) continue;
    const LinearForm sum = LinearForm::of(graph, of_node->first);
    LinearForm whole(sum.constant);
    bool longer = false;
    for (const auto& [term, coefficient] : sum.terms) {
      const auto of_term = limited(graph, term);
      const bool earlier =
          coefficient == 1 && of_term && of_term->second == of_node->second && !longer;
      if (!earlier) {
        whole.add(LinearForm::of(graph, term), coefficient);
        continue;
      }
      longer = true;
      const auto known = all.find(term);
      whole.add(LinearForm::of(graph, known == all.end() ? of_term->first : known->second.base), 1);
    }
    if (!longer) continue;
    RelationalInvariant r{n, RelationalInvariant::Kind::clamped, intern(graph, whole)};
    r.constant = of_node->second;
    all.emplace(n, r);
  }
  return all;
}

}  // namespace mmaspec
