#include "queries/ask/strategies/attempts.h"

namespace mmaspec {
namespace {

/// Nodes that say whether a product is zero.
std::vector<NodeId> zero_products(const Question& question) {
  const Graph& graph = *question.graph;
  std::vector<NodeId> all;
  for (NodeId n : graph.cone(question.conditions)) {
    const Node& node = graph[n];
    if (node.op != Op::equal || graph[node.args[0]].op != Op::product) continue;
    const Node& other = graph[node.args[1]];
    if (other.op == Op::constant && other.value == 0) all.push_back(n);
  }
  return all;
}

Bool some_factor_is_zero(const Graph& from, NodeId product, Substitution& copy) {
  std::vector<Bool> zero;
  for (NodeId factor : from[product].args) zero.push_back(copy.integer(factor) == 0);
  return any_of(zero);
}

}  // namespace

/// Proofs with every product of two variables replaced by a free variable.
void add_relax(const Attempts& attempts, const Backend& backend, std::vector<Attempt>& all) {
  std::vector<NodeId> products;
  for (NodeId n : attempts.question().graph->cone(attempts.question().conditions)) {
    if ((*attempts.question().graph)[n].op == Op::product) products.push_back(n);
  }
  if (products.empty()) return;
  all.push_back(attempts.make("relax", backend,
                              [&from = *attempts.question().graph, products,
                               zero = zero_products(attempts.question())](Substitution& copy) {
                                // A product is zero if and only if a factor is zero.
                                for (NodeId n : zero)
                                  copy.replace(n, some_factor_is_zero(from, from[n].args[0], copy));
                                for (NodeId n : products) havoc(from, n, copy);
                                return std::vector<Bool>();
                              }));
  all.back().refutes = false;
  all.back().seconds = kLongAttempt;
}

}  // namespace mmaspec
