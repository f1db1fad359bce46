#include "queries/losses/loss_lemmas.h"

#include <algorithm>

#include "queries/derive/lengths.h"
#include "queries/derive/two_runs.h"

namespace mmaspec {
namespace {

constexpr double kLemmaSeconds = 10;

}  // namespace

bool LossLemmas::is_excluded(const std::string& name, const Stated& violated,
                             const std::vector<NodeId>& cut, const std::vector<Stated>& facts) {
  return is_excluded(name, violated, cut, facts, std::nullopt);
}

bool LossLemmas::is_excluded_by_lengths(const std::string& name, const Stated& violated,
                                        const std::vector<NodeId>& cut, NodeId sum) {
  const std::vector<Range> ranges = ranges_of_one_length(run_.graph[sum].range, {{1, 0}});
  return std::all_of(ranges.begin(), ranges.end(), [&](const Range& r) {
    return is_excluded(name, violated, cut, {}, Narrowed{sum, r});
  });
}

bool LossLemmas::is_excluded(const std::string& name, const Stated& violated,
                             const std::vector<NodeId>& cut, const std::vector<Stated>& facts,
                             const std::optional<Narrowed>& narrowed) {
  const Graph& graph = run_.graph;
  std::vector<NodeId> variables = free_;
  for (NodeId n : cut) {
    if (!graph[n].range.is_point()) variables.push_back(n);
  }
  const Change change = [&](Substitution& copy) {
    std::vector<Bool> known;
    if (narrowed) {
      copy.replace(narrowed->node, variable("sum", narrowed->range, known));
    }
    for (NodeId n : variables) known.push_back(free_in_range(graph, n, copy));
    for (const Stated& f : facts) known.push_back(f(View(copy)));
    return known;
  };
  const auto stated = [&](Substitution& copy) { return std::vector<Bool>{violated(View(copy))}; };
  return lemmas_.excluded_as_stated(name, graph, stated, premises_, change, kLemmaSeconds);
}

}  // namespace mmaspec
