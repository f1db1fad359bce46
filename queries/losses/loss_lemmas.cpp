#include "queries/losses/loss_lemmas.h"

#include <algorithm>
#include <set>

#include "queries/derive/lengths.h"
#include "queries/derive/two_runs.h"

namespace mmaspec {
namespace {

constexpr double kLemmaSeconds = 10;

/// The place of its leading bit; -1 of zero.
int leading_place(const Integer& x) {
  return static_cast<int>(bit_length(Integer(boost::multiprecision::abs(x)))) - 1;
}

/// What the starts make of the whole.
std::vector<Range> parts_between(const Range& whole, const std::set<Integer>& starts) {
  std::vector<Range> parts{whole};
  for (const Integer& start : starts) {
    if (start <= parts.back().low || start > parts.back().high) continue;
    parts.push_back({start, parts.back().high});
    parts[parts.size() - 2].high = start - 1;
  }
  return parts;
}

}  // namespace

bool LossLemmas::is_excluded(const std::string& name, const Stated& violated,
                             const std::vector<NodeId>& cut, const std::vector<Stated>& facts) {
  return is_excluded(name, violated, cut, facts, std::vector<Narrowed>());
}

bool LossLemmas::is_excluded_by_lengths(const std::string& name, const Stated& violated,
                                        const std::vector<NodeId>& cut, NodeId sum) {
  const std::vector<Range> ranges = ranges_of_one_length(run_.graph[sum].range, {{1, 0}});
  return std::all_of(ranges.begin(), ranges.end(), [&](const Range& r) {
    return is_excluded(name, violated, cut, {}, {{sum, r}});
  });
}

std::vector<LossLemmas::SumPart> LossLemmas::parts_of(const SumOfNumbers& sum,
                                                      const std::vector<int>& bounds) const {
  std::vector<SumPart> parts;
  for (const Range& units : ranges_of_one_length(run_.graph[sum.units].range, {{1, 0}})) {
    const auto [least, largest] =
        std::minmax({leading_place(units.low), leading_place(units.high)});
    std::set<Integer> starts;
    for (const int bound : bounds) {
      starts.insert(bound - least - sum.offset);
      starts.insert(bound - largest - sum.offset);
    }
    for (const Range& exponent : parts_between(run_.graph[sum.exponent].range, starts)) {
      parts.push_back({units, exponent, least, largest});
    }
  }
  return parts;
}

bool LossLemmas::is_excluded(const std::string& name, const Stated& violated,
                             const std::vector<NodeId>& cut, const SumOfNumbers& sum,
                             const SumPart& part) {
  return is_excluded(name, violated, cut, {},
                     {{sum.units, part.units}, {sum.exponent, part.exponent}});
}

bool LossLemmas::is_excluded(const std::string& name, const Stated& violated,
                             const std::vector<NodeId>& cut, const std::vector<Stated>& facts,
                             const std::vector<Narrowed>& narrowed) {
  const Graph& graph = run_.graph;
  std::vector<NodeId> variables = free_;
  for (NodeId n : cut) {
    if (!graph[n].range.is_point()) variables.push_back(n);
  }
  const Change change = [&](Substitution& copy) {
    std::vector<Bool> known;
    for (const Narrowed& n : narrowed) {
      if (copy.determines(n.node)) continue;
      copy.replace(n.node, variable("narrowed " + std::to_string(n.node), n.range, known));
    }
    for (NodeId n : variables) known.push_back(free_in_range(graph, n, copy));
    for (const Stated& f : facts) known.push_back(f(View(copy)));
    return known;
  };
  const auto stated = [&](Substitution& copy) { return std::vector<Bool>{violated(View(copy))}; };
  return lemmas_.excluded_as_stated(name, graph, stated, premises_, change, kLemmaSeconds);
}

}  // namespace mmaspec
