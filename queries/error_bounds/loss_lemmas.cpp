#include "queries/error_bounds/loss_lemmas.h"

#include <algorithm>
#include <set>

#include "queries/ask/budget.h"
#include "queries/derive/leading_bit_split.h"
#include "queries/derive/self_composition.h"
#include "queries/error_bounds/largest_exponents.h"
#include "spec/lang/cannot_build.h"

namespace mmaspec {
namespace {

/// The position of its leading bit; -1 for zero.
int leading_place(const Integer& x) {
  return static_cast<int>(bit_length(Integer(boost::multiprecision::abs(x)))) - 1;
}

/// Splits the whole range at the starts.
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

bool LossLemmas::is_unsat(const std::string& name, const Stated& violated,
                          const std::vector<NodeId>& cut, const LossFacts& facts) {
  return is_unsat(name, violated, cut, facts, std::vector<Narrowed>());
}

bool LossLemmas::is_excluded_by_lengths(const std::string& name, const Stated& violated,
                                        const std::vector<NodeId>& cut, NodeId sum) {
  const std::vector<Range> ranges = ranges_of_one_length(run_.graph[sum].range, {{1, 0}});
  return std::all_of(ranges.begin(), ranges.end(), [&](const Range& r) {
    return is_unsat(name, violated, cut, {}, {{sum, r}});
  });
}

std::vector<LossLemmas::SumPart> LossLemmas::parts_of(const ScaledSum& sum,
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

bool LossLemmas::is_unsat(const std::string& name, const Stated& violated,
                          const std::vector<NodeId>& cut, const ScaledSum& sum,
                          const SumPart& part) {
  return is_unsat(name, violated, cut, {},
                  {{sum.units, part.units}, {sum.exponent, part.exponent}});
}

bool LossLemmas::is_so_of_opposites(const Stated& violated, const RoundedSum& rounded,
                                    const Integer& largest) {
  const NodeId sum = rounded.sum.units;
  const NodeId significand = rounded.d.significand.id();
  const Range& range = run_.graph[significand].range;
  if (largest < 1 || range.low != -range.high) return false;
  const auto [known, is_new] = changes_sign_.try_emplace({significand, sum});
  if (is_new) known->second = changes_sign_with_its_sum(rounded, largest);
  if (!known->second) return false;

  const std::vector<NodeId> variables =
      variables_beside({rounded.d.exponent.id(), rounded.finite.id(), rounded.sum.exponent});
  std::optional<Int> opposite_d;
  std::optional<Int> opposite_sum;
  const Change change = [&](Substitution& copy) {
    std::vector<Bool> facts;
    opposite_d = variable("opposite d", range, facts);
    opposite_sum = variable("opposite sum", {1, largest}, facts);
    copy.replace(significand, -*opposite_d);
    copy.replace(sum, -*opposite_sum);
    for (NodeId n : variables) facts.push_back(free_in_range(run_.graph, n, copy));
    return facts;
  };
  const auto stated = [&](Substitution& copy) {
    Substitution of_opposites(run_.graph);
    of_opposites.replace(significand, *opposite_d);
    of_opposites.replace(sum, *opposite_sum);
    for (NodeId n : variables) take_over(run_.graph, n, copy, of_opposites);
    std::vector<Bool> opposite{violated(View(of_opposites))};
    opposite.insert(opposite.end(), of_opposites.facts().begin(), of_opposites.facts().end());
    return std::vector<Bool>{violated(View(copy)), !all_of(opposite)};
  };
  return lemmas_.excluded_as_stated("what holds for a sum holds for its negation", run_.graph,
                                    stated, {}, change, budget::kOppositesLemma);
}

bool LossLemmas::changes_sign_with_its_sum(const RoundedSum& rounded, const Integer& largest) {
  const std::vector<NodeId> variables = variables_beside(rounded.cut);
  std::optional<Int> opposite_sum;
  const Change change = [&](Substitution& copy) {
    std::vector<Bool> facts;
    opposite_sum = variable("opposite sum", {1, largest}, facts);
    copy.replace(rounded.sum.units, -*opposite_sum);
    for (NodeId n : variables) facts.push_back(free_in_range(run_.graph, n, copy));
    return facts;
  };
  const auto stated = [&](Substitution& copy) {
    Substitution of_opposite(run_.graph);
    of_opposite.replace(rounded.sum.units, *opposite_sum);
    for (NodeId n : variables) take_over(run_.graph, n, copy, of_opposite);
    const View one(copy);
    const View other(of_opposite);
    std::vector<Bool> opposite{other.of(rounded.finite),
                               other.of(rounded.d.significand) == -one.of(rounded.d.significand),
                               other.of(rounded.d.exponent) == one.of(rounded.d.exponent)};
    // What was assumed about the sums for which it is proved.
    for (NodeId p : premises_) {
      const Bool premise = of_opposite.boolean(p);
      if (premise.id() != copy.boolean(p).id()) opposite.push_back(premise);
    }
    opposite.insert(opposite.end(), of_opposite.facts().begin(), of_opposite.facts().end());
    return std::vector<Bool>{one.of(rounded.finite), !all_of(opposite)};
  };
  return lemmas_.excluded_as_stated("a result changes its sign with its sum", run_.graph, stated,
                                    premises_, change, budget::kOppositesLemma);
}

std::vector<NodeId> LossLemmas::variables_beside(const std::vector<NodeId>& cut) const {
  std::vector<NodeId> variables = free_;
  for (NodeId n : cut) {
    if (!run_.graph[n].range.is_point()) variables.push_back(n);
  }
  return variables;
}

void LossLemmas::free_above(const LargestOf& largest, const std::vector<NodeId>& variables,
                            Substitution& copy, std::vector<Bool>& known) const {
  const auto& [exponent, member, offset] = largest;
  const std::vector<Member> members = members_of(run_.graph, exponent);
  if (std::none_of(members.begin(), members.end(), [node = member, by = offset](const Member& m) {
        return m.node == node && m.offset == by;
      })) {
    throw CannotBuild("an exponent is not the largest of these");
  }
  for (NodeId n : variables) {
    if (n != exponent) known.push_back(free_in_range(run_.graph, n, copy));
  }
  if (copy.determines(exponent)) return;
  const Integer farthest = run_.graph[exponent].range.high - run_.graph[member].range.low - offset;
  const Int above = variable("above " + std::to_string(member), {0, farthest}, known);
  copy.replace(exponent, copy.integer(member) + offset + above);
}

bool LossLemmas::is_unsat(const std::string& name, const Stated& violated,
                          const std::vector<NodeId>& cut, const LossFacts& facts,
                          const std::vector<Narrowed>& narrowed) {
  const Graph& graph = run_.graph;
  const std::vector<NodeId> variables = variables_beside(cut);
  const Change change = [&](Substitution& copy) {
    std::vector<Bool> known;
    for (const Narrowed& n : narrowed) {
      if (copy.determines(n.node)) continue;
      copy.replace(n.node, variable("narrowed " + std::to_string(n.node), n.range, known));
    }
    if (facts.largest && std::count(cut.begin(), cut.end(), facts.largest->exponent) > 0) {
      free_above(*facts.largest, variables, copy, known);
    }
    for (NodeId n : variables) known.push_back(free_in_range(graph, n, copy));
    for (const Stated& f : facts.stated) known.push_back(f(View(copy)));
    return known;
  };
  const auto stated = [&](Substitution& copy) { return std::vector<Bool>{violated(View(copy))}; };
  return lemmas_.excluded_as_stated(name, graph, stated, premises_, change, budget::kNodeLemma);
}

}  // namespace mmaspec
