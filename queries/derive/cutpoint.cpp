#include "queries/derive/cutpoint.h"

#include <algorithm>
#include <set>

namespace mmaspec {
namespace {

constexpr std::size_t kMostSeparations = 2;  // limit of cutpoints that are tried

/// The cutpoint given by these nodes; nullopt if they do not separate d from the varying inputs.
std::optional<Cutpoint> separation_by(const SelfComposition& runs, NodeId sum,
                                      std::optional<NodeId> exponent) {
  const Graph& graph = *runs.text().graph;
  std::vector<NodeId> both{sum};
  if (exponent) both.push_back(*exponent);
  const std::vector<bool> made = made_of(graph, both);
  const auto decides = [&](NodeId n) { return is_boolean(graph[n].op) && !made[n]; };
  const auto passes = [&](NodeId n) {
    return n != sum && n != exponent && runs.varies(n) && !decides(n);
  };
  const std::vector<bool> in = reached(graph, runs.text().d, passes);
  Cutpoint separation{sum, exponent};
  std::set<NodeId> decisions;
  for (NodeId n = 0; n < in.size(); ++n) {
    if (!in[n]) continue;
    if (graph[n].op == Op::input) return std::nullopt;
    for (NodeId a : graph[n].args) {
      if (runs.varies(a) && decides(a)) decisions.insert(a);
    }
  }
  separation.decisions.assign(decisions.begin(), decisions.end());
  return separation;
}

/// With the topmost exponent that, together with the sum, separates d from the varying inputs, and
/// that does not depend on the sum.
std::optional<Cutpoint> separation_with_exponent(const SelfComposition& runs, NodeId sum) {
  const Graph& graph = *runs.text().graph;
  const NodeId d = runs.text().d;
  const std::vector<bool> above = made_of(graph, {sum});
  const std::vector<bool> rest =
      reached(graph, d, [&](NodeId n) { return n != sum && runs.varies(n); });
  for (NodeId n = d + 1; n-- > 0;) {
    if (!rest[n] || above[n] || is_boolean(graph[n].op) || graph[n].op == Op::input) continue;
    if (auto separation = separation_by(runs, sum, n)) return separation;
  }
  return std::nullopt;
}

}  // namespace

bool is_open(const SelfComposition& runs, NodeId root, NodeId blocked) {
  const Graph& graph = *runs.text().graph;
  const std::vector<bool> in =
      reached(graph, root, [&](NodeId n) { return n != blocked && runs.varies(n); });
  return std::any_of(graph.inputs().begin(), graph.inputs().end(),
                     [&](NodeId i) { return i < in.size() && in[i]; });
}

std::vector<Cutpoint> separations(const SelfComposition& runs) {
  const Graph& graph = *runs.text().graph;
  std::set<NodeId> sums;
  for (const Mark& m : graph.marks()) {
    if (m.role == MarkRole::sum) sums.insert(m.node);
  }
  enum class Likely { marked, of_either_sign, others };
  const auto how_likely = [&](NodeId n) {
    if (sums.contains(n)) return Likely::marked;
    return graph[n].range.low < 0 ? Likely::of_either_sign : Likely::others;
  };
  std::vector<Cutpoint> all;
  for (const Likely likely : {Likely::marked, Likely::of_either_sign, Likely::others}) {
    std::vector<Cutpoint> later;
    for (NodeId n : graph.cone({runs.text().d})) {
      if (graph[n].op != Op::sum || !runs.varies(n) || how_likely(n) != likely) continue;
      if (all.size() >= kMostSeparations) break;
      const auto alone = separation_by(runs, n, std::nullopt);
      if (alone && alone->decisions.empty()) {
        all.push_back(*alone);
      } else if (const auto with = separation_with_exponent(runs, n)) {
        (graph[*with->exponent].op == Op::maximum ? all : later).push_back(*with);
      } else if (alone) {
        later.push_back(*alone);
      }
    }
    all.insert(all.end(), later.begin(), later.end());
  }
  if (all.size() > kMostSeparations) all.resize(kMostSeparations);
  return all;
}

}  // namespace mmaspec
