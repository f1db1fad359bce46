#include "queries/derive/term_abstraction.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "queries/derive/self_composition.h"
#include "spec/lang/substitute.h"

namespace mmaspec {
namespace {

/// The sums that use a node, with its coefficients there.
using Uses = std::vector<std::pair<NodeId, Integer>>;

std::vector<NodeId> inputs_below(const Graph& graph, NodeId root) {
  std::vector<NodeId> all = graph.cone({root});
  std::erase_if(all, [&](NodeId n) { return graph[n].op != Op::input; });
  return all;
}

class Terms {
 public:
  Terms(const Graph& graph, const std::vector<NodeId>& roots)
      : graph_(graph), roots_(roots), used_otherwise_(graph.size()) {
    for (NodeId r : roots) used_otherwise_[r] = true;
    for (NodeId n : graph.cone(roots)) {
      const Node& node = graph[n];
      for (std::size_t i = 0; i < node.args.size(); ++i) {
        if (node.op == Op::sum) {
          uses_[node.args[i]].emplace_back(n, node.coefficients[i]);
        } else {
          used_otherwise_[node.args[i]] = true;
        }
      }
    }
  }

  struct Scaled {
    NodeId node;
    Integer factor;
  };
  /// Terms that represent parts of one number wherever they are used; empty unless two sums use
  /// such a number. The first one's factor is 1.
  std::vector<std::vector<Scaled>> used_together() const {
    std::vector<NodeId> used_by_sums;
    for (const auto& [n, uses] : uses_) {
      if (!used_otherwise_[n]) used_by_sums.push_back(n);
    }
    if (together(used_by_sums).empty()) return {};  // for any inputs
    return together(of_their_own());
  }

 private:
  std::vector<std::vector<Scaled>> together(const std::vector<NodeId>& terms) const {
    std::map<Uses, std::vector<Scaled>> by_uses;
    for (NodeId n : terms) {
      Uses uses = uses_.at(n);
      Integer factor = 0;
      for (const auto& [sum, coefficient] : uses) factor = gcd(factor, coefficient);
      if (uses.front().second < 0) factor = -factor;
      for (auto& [sum, coefficient] : uses) coefficient /= factor;
      by_uses[uses].push_back({n, factor});
    }
    std::vector<std::vector<Scaled>> all;
    bool twice = false;
    for (auto& [uses, alike] : by_uses) {
      const auto one =
          std::find_if(alike.begin(), alike.end(), [](const Scaled& t) { return t.factor == 1; });
      if (alike.size() == 1 || one == alike.end()) continue;
      std::iter_swap(alike.begin(), one);
      twice = twice || uses.size() > 1;
      all.push_back(std::move(alike));
    }
    if (!twice) all.clear();
    return all;
  }

  /// The topmost nodes that only sums use and whose inputs are not used elsewhere.
  std::vector<NodeId> of_their_own() const {
    std::vector<bool> is_entered = used_otherwise_;
    while (true) {
      std::vector<NodeId> terms;
      std::vector<int> used(graph_.size());  // for inputs: the number of terms that use them;
                                             // larger if used otherwise
      std::vector<bool> seen(graph_.size());
      std::vector<NodeId> pending = roots_;
      while (!pending.empty()) {
        const NodeId n = pending.back();
        pending.pop_back();
        if (seen[n]) continue;
        seen[n] = true;
        const Node& node = graph_[n];
        if (!is_entered[n] && node.op != Op::constant) {
          terms.push_back(n);
          for (NodeId i : inputs_below(graph_, n)) ++used[i];
        } else if (node.op == Op::input) {
          used[n] = 2;
        } else {
          pending.insert(pending.end(), node.args.begin(), node.args.end());
        }
      }
      std::sort(terms.begin(), terms.end());
      // Of terms that share inputs, the last one may depend on the others.
      const auto shares = std::find_if(terms.rbegin(), terms.rend(), [&](NodeId n) {
        const std::vector<NodeId> inputs = inputs_below(graph_, n);
        return std::any_of(inputs.begin(), inputs.end(), [&](NodeId i) { return used[i] > 1; });
      });
      if (shares == terms.rend()) return terms;
      is_entered[*shares] = true;
    }
  }

  const Graph& graph_;
  const std::vector<NodeId> roots_;
  std::map<NodeId, Uses> uses_;
  std::vector<bool> used_otherwise_;
};

Range sum_of_ranges(const Graph& graph, const std::vector<Terms::Scaled>& terms) {
  Range sum{0, 0};
  for (const auto& [node, factor] : terms) {
    const Range& range = graph[node].range;
    sum.low += factor * (factor > 0 ? range.low : range.high);
    sum.high += factor * (factor > 0 ? range.high : range.low);
  }
  return sum;
}

}  // namespace

std::optional<std::vector<NodeId>> with_terms_merged(const Graph& from,
                                                     const std::vector<NodeId>& conditions) {
  // A condition on a single input is a known fact about it.
  std::vector<NodeId> roots;
  std::vector<NodeId> known;
  for (NodeId c : conditions) {
    (inputs_below(from, c).size() > 1 ? roots : known).push_back(c);
  }
  const std::vector<std::vector<Terms::Scaled>> together = Terms(from, roots).used_together();
  if (together.empty()) return std::nullopt;
  Substitution copy(from);
  std::vector<Bool> facts;
  std::vector<bool> is_gone(from.size());
  for (const std::vector<Terms::Scaled>& terms : together) {
    // The first term may take the value of the sum of all terms times their factors, and the others
    // become zero.
    for (const auto& [n, factor] : terms) {
      for (NodeId i : inputs_below(from, n)) is_gone[i] = true;
      copy.replace(n, Int(0));
    }
    const NodeId first = terms.front().node;
    copy.replace(first,
                 variable("merged " + std::to_string(first), sum_of_ranges(from, terms), facts));
  }
  std::vector<NodeId> all;
  for (NodeId r : roots) all.push_back(copy.boolean(r).id());
  for (NodeId k : known) {
    const std::vector<NodeId> inputs = inputs_below(from, k);
    if (std::none_of(inputs.begin(), inputs.end(), [&](NodeId i) { return is_gone[i]; })) {
      all.push_back(copy.boolean(k).id());
    }
  }
  for (Bool f : facts) all.push_back(f.id());
  for (Bool f : copy.facts()) all.push_back(f.id());
  return all;
}

}  // namespace mmaspec
