#include "queries/ask/dot_question.h"

#include <algorithm>

#include "util/unsigned.h"

namespace mmaspec {
namespace {

std::string indexed(const char* name, int i) {
  return std::string(name) + "[" + std::to_string(i) + "]";
}

/// Replaces an input of the copied graph if the graph has it.
void replace_input(const Graph& graph, Substitution& copy, const std::string& name, Int by) {
  if (const auto known = graph.find_input(name)) copy.replace(*known, by);
}

}  // namespace

std::vector<Restriction> dot_restrictions(const DotFormats& formats) {
  std::vector<Restriction> all;
  if (formats.k > 3 && formats.a->has_zero && formats.b->has_zero) {
    all.push_back({"three terms", [formats](const Graph& graph, Substitution& copy) {
                     for (int k = 3; k < formats.k; ++k) {
                       replace_input(graph, copy, indexed("a", k), 0);
                       replace_input(graph, copy, indexed("b", k), 0);
                     }
                   }});
  }
  if (formats.b->is_integer()) {
    all.push_back({"b zeros and ones", [formats](const Graph& graph, Substitution& copy) {
                     for (int k = 0; k < formats.k; ++k) {
                       replace_input(graph, copy, indexed("b", k),
                                     input(indexed("b is one", k), 1));
                     }
                   }});
    return all;
  }
  all.push_back({"b powers of two", [formats](const Graph& graph, Substitution& copy) {
                   const Format& f = *formats.b;
                   for (int k = 0; k < formats.k; ++k) {
                     const Int field = input(indexed("exponent of b", k), u(f.exponent_bits));
                     replace_input(graph, copy, indexed("b", k),
                                   field * power_of_two(u(f.fraction_bits + f.ignored_low_bits)));
                   }
                 }});
  return all;
}

std::vector<NodeId> shared_frontier(const Graph& graph, NodeId first, NodeId second) {
  enum : unsigned char { kFirst = 1, kSecond = 2, kBoth = 3 };
  std::vector<unsigned char> seen(graph.size());
  for (NodeId n : graph.cone({first})) seen[n] |= kFirst;
  for (NodeId n : graph.cone({second})) seen[n] |= kSecond;
  std::vector<bool> used(graph.size());
  used[first] = used[second] = true;
  // A negation is not counted as a node itself, but as a use of its argument.
  const auto is_negation = [&](NodeId n) { return graph[n].op == Op::logical_not; };
  for (NodeId n = static_cast<NodeId>(graph.size()); n-- > 0;) {
    const bool of_one = seen[n] == kFirst || seen[n] == kSecond;
    if (!of_one && !(seen[n] == kBoth && used[n] && is_negation(n))) continue;
    for (NodeId a : graph[n].args) used[a] = true;
  }
  // Remove conjunctions that are computed from other nodes of the frontier.
  std::vector<NodeId> frontier;
  std::vector<bool> is_made(graph.size());
  for (NodeId n = 0; n < graph.size(); ++n) {
    const Op op = graph[n].op;
    const std::vector<NodeId>& args = graph[n].args;
    const bool is_logic = op == Op::logical_not || op == Op::logical_and || op == Op::logical_xor;
    const bool is_constant = op == Op::constant || op == Op::boolean;
    is_made[n] = is_constant || (is_logic && std::all_of(args.begin(), args.end(),
                                                         [&](NodeId a) { return is_made[a]; }));
    if (seen[n] != kBoth || !used[n] || is_made[n] || is_negation(n) || op == Op::input) continue;
    frontier.push_back(n);
    is_made[n] = true;
  }
  return frontier;
}

namespace {

/// The dominators of nodes: nodes through which every path from the inputs passes.
class Dominators {
 public:
  explicit Dominators(const Graph& graph) : graph_(graph), all_(graph.size()) {
    for (NodeId n = 0; n < graph.size(); ++n) all_[n] = of(n);
  }

  /// The lowest dominator of the node, which may be the node itself; nullopt if it is an input.
  std::optional<NodeId> lowest(NodeId n) const {
    while (all_[n].depth > 1) n = *all_[n].next;
    return graph_[n].op == Op::input ? std::nullopt : std::optional(n);
  }

 private:
  /// The nearest dominator. None for inputs, constants, and nodes whose paths do not share a node.
  struct Entry {
    std::optional<NodeId> next;
    int depth = 0;  ///< 0: a constant
  };

  Entry of(NodeId n) const {
    if (graph_[n].op == Op::input) return {std::nullopt, 1};
    std::optional<NodeId> common;
    bool first = true;
    for (NodeId arg : graph_[n].args) {
      if (all_[arg].depth == 0) continue;
      common = first ? std::optional(arg) : nearest_common(common, arg);
      first = false;
    }
    if (first) return {};
    return {common, common ? all_[*common].depth + 1 : 1};
  }

  std::optional<NodeId> nearest_common(std::optional<NodeId> x, std::optional<NodeId> y) const {
    while (x != y) {
      if (!x || !y) return std::nullopt;
      if (all_[*x].depth >= all_[*y].depth) {
        x = all_[*x].next;
      } else {
        y = all_[*y].next;
      }
    }
    return x;
  }

  const Graph& graph_;
  std::vector<Entry> all_;
};

}  // namespace

std::vector<NodeId> shared_dominators(const Graph& graph, NodeId first, NodeId second) {
  const Dominators dominators(graph);
  std::vector<NodeId> all;
  for (NodeId n : shared_frontier(graph, first, second)) {
    if (const auto lowest = dominators.lowest(n)) all.push_back(*lowest);
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

}  // namespace mmaspec
