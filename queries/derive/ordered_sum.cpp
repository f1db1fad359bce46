#include "queries/derive/ordered_sum.h"

#include <algorithm>
#include <set>

#include "queries/ask/budget.h"
#include "queries/derive/cutpoint.h"
#include "queries/derive/leading_bit_split.h"
#include "queries/numbers/difference.h"
#include "spec/formats/unpack.h"
#include "spec/lang/cannot_build.h"
#include "spec/lang/linear.h"

namespace mmaspec {
namespace {

/// A case for the difference between the exponents of both executions: it rises from one to the
/// other, in the direction of `up`, by `least` to `most`.
struct Case {
  bool up;
  Integer least;
  Integer most;
};

/// Solvers are fast if the difference is constant.
std::vector<Case> cases_of(bool up, const Integer& most) {
  constexpr int kAlone = 2;
  std::vector<Case> all;
  Integer least = up ? 0 : 1;  // equality is a case of one direction
  for (; least < kAlone && least <= most; ++least) all.push_back({up, least, least});
  if (least <= most) all.push_back({up, least, most});
  return all;
}

class BySum {
 public:
  BySum(SelfComposition& runs, Lemmas& lemmas, const Cutpoint& at)
      : runs_(runs), lemmas_(lemmas), graph_(runs.graph()), at_(at) {}

  bool derive(bool nans_alike) {
    const auto rises = bound_of_rise(true);
    const auto falls = bound_of_rise(false);
    if (!rises || !falls) return false;
    for (const bool up : {true, false}) {
      const Integer& most = up ? *rises : *falls;
      const auto bound = bound_of_followers(up, most);
      if (!bound) return false;
      for (const Case& c : cases_of(up, most)) {
        if (!sum_is_ordered(c, *bound)) return false;
      }
    }
    return results_are_ordered(*rises + *falls > 0, nans_alike);
  }

 private:
  Int x(NodeId n) const { return Int::of(runs_.first(n)); }
  Int y(NodeId n) const { return Int::of(runs_.second(n)); }
  bool has_exponent() const { return at_.exponent && runs_.varies(*at_.exponent); }

  /// By how much the exponent rises (falls), in the graph of both executions.
  Int rise(bool up) const {
    if (!has_exponent()) return 0;
    return up ? y(*at_.exponent) - x(*at_.exponent) : x(*at_.exponent) - y(*at_.exponent);
  }
  /// The same, limited to the range of the case.
  Int rise(const Case& c) const {
    return c.least == c.most ? Int(c.least) : min(max(rise(c.up), c.least), c.most);
  }
  NodeId in_case(const Case& c) const {
    return (rise(c.up) >= c.least && rise(c.up) <= c.most).id();
  }

  /// The exponents of both executions in terms of the members in which they differ, with one
  /// variable for the maximum of all shared members.
  std::vector<Bool> with_shared_maximum(Substitution& copy) const {
    std::vector<Bool> facts;
    if (!has_exponent()) return facts;
    const NodeId ex = runs_.first(*at_.exponent);
    const NodeId ey = runs_.second(*at_.exponent);
    const Node& mx = graph_[ex];
    const Node& my = graph_[ey];
    if (mx.op != Op::maximum || my.op != Op::maximum) return facts;
    std::vector<NodeId> shared;
    std::set_intersection(mx.args.begin(), mx.args.end(), my.args.begin(), my.args.end(),
                          std::back_inserter(shared));
    if (shared.empty()) return facts;
    Range r = graph_[shared[0]].range;
    for (NodeId m : shared) {
      r.low = std::max(r.low, graph_[m].range.low);
      r.high = std::max(r.high, graph_[m].range.high);
    }
    const Int largest = variable("largest of the others", r, facts);
    // The differing members are copied before the shared members become variables.
    for (const auto& [e, members] : {std::pair(ex, mx.args), std::pair(ey, my.args)}) {
      std::vector<Int> all{largest};
      for (NodeId m : members) {
        if (!std::binary_search(shared.begin(), shared.end(), m)) all.push_back(copy.integer(m));
      }
      copy.replace(e, max(all));
    }
    return facts;
  }

  /// The exponent of one execution as a variable, and the other one as that plus the difference.
  std::vector<Bool> with_free_exponents(bool up, const Range& rise, Substitution& copy) const {
    const NodeId low = up ? runs_.first(*at_.exponent) : runs_.second(*at_.exponent);
    const NodeId high = up ? runs_.second(*at_.exponent) : runs_.first(*at_.exponent);
    std::vector<Bool> facts{free_in_range(graph_, low, copy)};
    const Int by = variable("rise", rise, facts);
    copy.replace(high, copy.integer(low) + by);
    facts.push_back(copy.integer(high) <= graph_[high].range.high);
    return facts;
  }

  /// Premises that do not depend on the exponents and therefore hold for all exponents.
  std::vector<NodeId> premises_of_any_exponent() const {
    const NodeId ex = runs_.first(*at_.exponent);
    const NodeId ey = runs_.second(*at_.exponent);
    std::vector<NodeId> all = runs_.premises();
    std::erase_if(all, [&](NodeId p) {
      const std::vector<NodeId> cone = graph_.cone({p});
      return std::binary_search(cone.begin(), cone.end(), ex) ||
             std::binary_search(cone.begin(), cone.end(), ey);
    });
    return all;
  }

  /// The least bound of a list that is proved for the rise (fall) of the exponent.
  std::optional<Integer> bound_of_rise(bool up) {
    if (!has_exponent()) return Integer(0);
    const Graph::Building building(graph_);
    const Int by = rise(up);
    const NodeId ex = runs_.first(*at_.exponent);
    const NodeId ey = runs_.second(*at_.exponent);
    const auto frontier = runs_.shared_below(ex, ey);
    const Change cut = [&](Substitution& copy) {
      std::vector<Bool> facts = with_shared_maximum(copy);
      return with(facts, free_in_range(graph_, frontier, copy));
    };
    const auto is_bound = [&](int n) {
      const NodeId more = (by > n).id();
      std::string name =
          up ? "the exponent rises by no more than " : "the exponent falls by no more than ";
      name += std::to_string(n);
      return lemmas_.is_unsat(name, graph_, {more}, runs_.premises(), cut, budget::kMemberLemma);
    };
    int refuted = -1;
    int proved = 0;
    for (proved = 0; !is_bound(proved); proved = 2 * proved + 1) {
      if (proved > kMostRise) return std::nullopt;
      refuted = proved;
    }
    while (proved - refuted > 1) {
      const int middle = (proved + refuted) / 2;
      (is_bound(middle) ? proved : refuted) = middle;
    }
    return Integer(proved);
  }

  static std::vector<Bool> with(std::vector<Bool> x, const std::vector<Bool>& y) {
    x.insert(x.end(), y.begin(), y.end());
    return x;
  }

  /// A number of each execution such that p * coarse - fine needs a lower bound: m' and m if the
  /// exponent rises, -m and -m' if it falls.
  struct Both {
    Int coarse = 0;
    Int fine = 0;
    void add(const Both& other, const Integer& factor) {
      coarse = coarse + factor * other.coarse;
      fine = fine + factor * other.fine;
    }
  };
  Both both(bool up, NodeId member) const {
    return up ? Both{y(member), x(member)} : Both{-x(member), -y(member)};
  }

  /// p * coarse - fine < -units * (p - 1), where p = 2^rise, without numbers that need as many bits
  /// as the exponent may rise: coarse < ceil((fine - units * (p - 1)) / p), and ceil(n / p) =
  /// floor((n - 1) / p) + 1.
  static Bool loses_more(const Both& both, const Integer& units, Int rise) {
    const Int coarse_at_least =
        floor_shift_right(both.fine + Integer(units - 1), rise) + Integer(1 - units);
    return both.coarse < coarse_at_least;
  }

  /// Proves p * coarse - fine >= bound (p - 1) for a member that differs only in the exponent.
  /// Returns the bound times the member's coefficient; nullopt: none is proved.
  ///
  /// It is proved for every exponent and the next one, and follows for larger rises step by step: p
  /// m' >= m - units (p - 1) and 2 m'' >= m' - units imply 2 p m'' >= m - units (2 p - 1).
  std::optional<Integer> bound_of_follower(bool up, const Integer& most, NodeId member,
                                           const Integer& coefficient) {
    const Graph::Building building(graph_);
    const auto frontier = runs_.shared_below(runs_.first(member), runs_.second(member));
    if (!holds_of_exponents_between(up, most, member, frontier)) return std::nullopt;
    Both signed_member;
    signed_member.add(both(up, member), coefficient < 0 ? -1 : 1);
    const Change cut = [&](Substitution& copy) {
      std::vector<Bool> facts = with_free_exponents(up, {1, 1}, copy);
      return with(facts, free_in_range(graph_, frontier, copy));
    };
    for (int units : {0, 1, 2}) {
      std::string name = "units that a member loses by a coarser cut, at most: ";
      name += std::to_string(units);
      if (lemmas_.is_unsat(name, graph_, {loses_more(signed_member, units, 1).id()},
                           premises_of_any_exponent(), cut, budget::kMemberLemma)) {
        return Integer(-units * boost::multiprecision::abs(coefficient));
      }
    }
    return std::nullopt;
  }

  /// True if the facts that copies of the member assume for two exponents (that no shift amount is
  /// negative) also hold for exponents between them: for the one next to the lower one.
  bool holds_of_exponents_between(bool up, const Integer& most, NodeId member,
                                  const std::vector<NodeId>& frontier) {
    const NodeId low = up ? runs_.first(*at_.exponent) : runs_.second(*at_.exponent);
    const Change cut = [&](Substitution& copy) {
      std::vector<Bool> facts = with_free_exponents(up, {1, most}, copy);
      return with(facts, free_in_range(graph_, frontier, copy));
    };
    const auto violated = [&](Substitution& copy) {
      Substitution of_next(graph_);
      of_next.replace(low, copy.integer(low) + 1);
      for (NodeId n : frontier) {
        if (of_next.determines(n)) continue;
        if (is_boolean(graph_[n].op)) {
          of_next.replace(n, copy.boolean(n));
        } else {
          of_next.replace(n, copy.integer(n));
        }
      }
      (void)copy.integer(runs_.first(member));
      (void)copy.integer(runs_.second(member));
      (void)of_next.integer(up ? runs_.first(member) : runs_.second(member));
      return std::vector<Bool>{all_of(copy.facts()), !all_of(of_next.facts())};
    };
    return lemmas_.excluded_as_stated("what holds of two exponents holds between", graph_, violated,
                                      premises_of_any_exponent(), cut, budget::kMemberLemma);
  }

  /// Members of the sum that differ in more than the exponent.
  bool is_driver(NodeId member) const {
    return runs_.varies(member) && (!has_exponent() || is_open(runs_, member, *at_.exponent));
  }

  /// The total of the bounds for members that differ only in the exponent, p m' - m >= bound (p -
  /// 1), and for members that both executions share, (p - 1) m or -(p - 1) m.
  std::optional<Integer> bound_of_followers(bool up, const Integer& most) {
    const LinearForm form = LinearForm::of(*runs_.text().graph, at_.sum);
    Integer bounds = up ? form.constant : Integer(-form.constant);
    if (most == 0) return bounds;  // p is 1
    for (const auto& [member, coefficient] : form.terms) {
      if (is_driver(member)) continue;
      if (!runs_.varies(member)) {
        const Range& r = graph_[runs_.first(member)].range;
        const Integer factor = up ? coefficient : Integer(-coefficient);
        bounds += factor * (factor > 0 ? r.low : r.high);
      } else if (const auto bound = bound_of_follower(up, most, member, coefficient)) {
        bounds += *bound;
      } else {
        return std::nullopt;
      }
    }
    return bounds;
  }

  /// p S' >= S, or S' >= p S, if the drivers gain at least `bounds` units times p - 1.
  bool sum_is_ordered(const Case& c, const Integer& bounds) {
    const LinearForm form = LinearForm::of(*runs_.text().graph, at_.sum);
    const Graph::Building building(graph_);
    Both won;
    for (const auto& [member, coefficient] : form.terms) {
      if (is_driver(member)) won.add(both(c.up, member), coefficient);
    }
    const NodeId less = loses_more(won, bounds, rise(c)).id();
    const auto frontier = runs_.shared_below(won.coarse.id(), won.fine.id());
    std::string name = "units that what differs wins where the exponent ";
    name += (c.up ? "rises by " : "falls by ") + c.least.str();
    if (c.most > c.least) name += " or more";
    name += ", at least: " + Integer(-bounds).str();
    const Change with_one_exponent = [&](Substitution& copy) {
      std::vector<Bool> facts = with_free_exponents(c.up, {0, 0}, copy);
      return with(facts, free_in_range(graph_, frontier, copy));
    };
    const Change with_their_maxima = [&](Substitution& copy) {
      std::vector<Bool> facts = with_shared_maximum(copy);
      return with(facts, free_in_range(graph_, frontier, copy));
    };
    const bool stays = has_exponent() && c.most == 0;
    return (stays && lemmas_.is_unsat(name, graph_, {less}, runs_.premises(), with_one_exponent,
                                      budget::kMemberLemma)) ||
           lemmas_.is_unsat(name, graph_, {less, in_case(c)}, runs_.premises(), with_their_maxima,
                            budget::kSumLemma);
  }

  /// True if the statement cannot be violated when the sums are ordered in this way. d is a
  /// function of S, E, nodes that both executions share, and Booleans. For all values of these in
  /// either execution, it is proved that d is determined by the sum, that it keeps the order of S
  /// and S + 1, and that it depends on the value only: 2 S in units of 2^E and S in units of 2^(E +
  /// 1) give the same d.
  ///
  /// Suppose E rises by r. Let p = 2^r and T = ceil(S / p), so that S' >= T. Then d(S, E) is at
  /// most d(p T, E) if p T is a possible sum; that equals d(T, E + r), which is at most d(S', E +
  /// r). From S to p T there is one doubling after another, each time from S to the next even
  /// number. If E falls, the same holds with T = floor(S' / p).
  bool results_are_ordered(bool units_differ, bool nans_alike) {
    const Range& r = graph_[runs_.first(at_.sum)].range;
    const Range& second = graph_[runs_.second(at_.sum)].range;
    if (!(r == second) || r.low > 0 || r.high < 0) return false;
    if (has_exponent() &&
        !(graph_[runs_.first(*at_.exponent)].range == graph_[runs_.second(*at_.exponent)].range)) {
      return false;
    }
    const Graph::Building building(graph_);
    const Format& f = *runs_.text().formats.d;
    const Int one = Int::of(runs_.first_d());
    const Int two = Int::of(runs_.second_d());
    const Bool nan_one = unpack(f, one).is_nan;
    const Bool nan_two = unpack(f, two).is_nan;
    const Bool numbers = !nan_one && !nan_two;
    const Bool falls = numbers && ordinal(f, two) < ordinal(f, one);
    const Bool differs = numbers && ordinal(f, two) != ordinal(f, one);
    const Bool not_alike = nan_one ^ nan_two;
    if (!never_of_sums("the result does not fall from a sum to the next", falls || not_alike,
                       {{r.low, r.high - 1}, {1, 0}, {1, 1}})) {
      return false;
    }
    if (!at_.decisions.empty() && !never_of_sums("a sum has one result", differs || not_alike,
                                                 {{r.low, r.high}, {1, 0}, {1, 0}})) {
      return false;
    }
    if (units_differ) {
      const Bool rises = numbers && ordinal(f, two) > ordinal(f, one);
      const Range halves{-floor_shift_right(Integer(-r.low), 1), floor_shift_right(r.high, 1)};
      if (!never_of_sums("a sum has the result of its double in half the unit",
                         differs || not_alike, {halves, {2, 0}, {1, 0}, 1})) {
        return false;
      }
      // The ends of the range whose even neighbour is outside it.
      if (r.high % 2 != 0 &&
          !never_of_sums("the largest sum is not above its half, rounded up", falls || not_alike,
                         {{1, 1}, {0, r.high}, {0, (r.high + 1) / 2}, 1})) {
        return false;
      }
      if (r.low % 2 != 0 &&
          !never_of_sums("the least sum is not below its half, rounded down", rises || not_alike,
                         {{1, 1}, {0, r.low}, {0, (r.low - 1) / 2}, 1})) {
        return false;
      }
    }
    // It remains to show that this implies the statement.
    const Change free_results = [&](Substitution& copy) {
      std::vector<Bool> facts{free_in_range(graph_, one.id(), copy),
                              free_in_range(graph_, two.id(), copy)};
      facts.push_back(!copy.boolean(falls.id()));
      if (nans_alike) facts.push_back(!copy.boolean(not_alike.id()));
      return facts;
    };
    return lemmas_.is_unsat("the statement is that results are ordered", graph_, runs_.violated(),
                            runs_.premises(), free_results, budget::kMemberLemma);
  }

  /// True if the condition holds for no two such sums, for all values of shared nodes. Solvers take
  /// seconds for sums with one length in bits, and minutes for all sums at once.
  bool never_of_sums(const std::string& name, Bool condition, TwoSums sums) {
    std::vector<Range> ranges = ranges_of_one_length(sums.variable, {sums.first, sums.second});
    const auto never_of = [&](const Range& r) {
      sums.variable = r;
      return never_of_these_sums(name, condition, sums);
    };
    const Range of_opposites = negation_symmetry(sums);
    const auto is_opposite = [&](const Range& r) {
      return of_opposites.low <= r.low && r.high <= of_opposites.high;
    };
    const auto first_opposite = std::stable_partition(
        ranges.begin(), ranges.end(), [&](const Range& r) { return !is_opposite(r); });
    if (!std::all_of(ranges.begin(), first_opposite, never_of)) return false;
    return first_opposite == ranges.end() || is_so_of_opposites(condition, sums, of_opposites) ||
           std::all_of(first_opposite, ranges.end(), never_of);
  }

  /// Makes the decisions of each execution independent variables.
  void free_decisions(Substitution& copy) const {
    const auto free_all = [&](const auto& of_run) {
      for (NodeId n : at_.decisions) {
        if (!copy.determines(of_run(n))) havoc(graph_, of_run(n), copy);
      }
    };
    free_all([&](NodeId n) { return runs_.first(n); });
    if (std::any_of(at_.decisions.begin(), at_.decisions.end(),
                    [&](NodeId n) { return copy.determines(runs_.second(n)); })) {
      throw CannotBuild("one run decides what the other one does");
    }
    free_all([&](NodeId n) { return runs_.second(n); });
  }

  Change with_sums(const TwoSums& sums) {
    return [this, sums](Substitution& copy) {
      std::vector<Bool> facts;
      if (has_exponent()) {
        Range r = graph_[runs_.first(*at_.exponent)].range;
        r.high -= sums.rise;
        const Int e = variable("exponent", r, facts);
        copy.replace(runs_.first(*at_.exponent), e);
        copy.replace(runs_.second(*at_.exponent), e + sums.rise);
      }
      const Int s = variable("sum", sums.variable, facts);
      copy.replace(runs_.first(at_.sum), sums.first(s));
      copy.replace(runs_.second(at_.sum), sums.second(s));
      free_decisions(copy);
      const auto frontier = runs_.shared_below(runs_.first_d(), runs_.second_d());
      return with(facts, free_in_range(graph_, frontier, copy));
    };
  }

  bool never_of_these_sums(const std::string& name, Bool condition, const TwoSums& sums) {
    return lemmas_.excluded_of_all(name, graph_, condition.id(), with_sums(sums),
                                   budget::kSumLemma);
  }

  /// True if the condition, when it holds for two sums, also holds for their negatives, exchanged,
  /// with the same exponent and shared nodes, and with each execution's decisions exchanged.
  bool is_so_of_opposites(Bool condition, TwoSums sums, const Range& variable) {
    sums.variable = variable;
    const auto stated = [&](Substitution& copy) {
      Substitution of_opposites(graph_);
      const auto exchange = [&](NodeId first, NodeId second) {
        if (of_opposites.determines(first) || of_opposites.determines(second)) return;
        of_opposites.replace(first, copy.boolean(second));
        of_opposites.replace(second, copy.boolean(first));
      };
      if (has_exponent()) {
        take_over(graph_, runs_.first(*at_.exponent), copy, of_opposites);
        take_over(graph_, runs_.second(*at_.exponent), copy, of_opposites);
      }
      of_opposites.replace(runs_.first(at_.sum), -copy.integer(runs_.second(at_.sum)));
      of_opposites.replace(runs_.second(at_.sum), -copy.integer(runs_.first(at_.sum)));
      for (NodeId n : at_.decisions) exchange(runs_.first(n), runs_.second(n));
      for (NodeId n : runs_.shared_below(runs_.first_d(), runs_.second_d())) {
        take_over(graph_, n, copy, of_opposites);
      }
      const std::vector<Bool> all{copy.boolean(condition.id()),
                                  !of_opposites.boolean(condition.id())};
      if (!copy.facts().empty() || !of_opposites.facts().empty()) {
        throw CannotBuild("needs more than ranges");
      }
      return all;
    };
    return lemmas_.excluded_as_stated("what holds for sums holds for their negations", graph_,
                                      stated, {}, with_sums(sums), budget::kOppositesLemma);
  }

  static constexpr int kMostRise = 5000;

  SelfComposition& runs_;
  Lemmas& lemmas_;
  Graph& graph_;
  const Cutpoint at_;
};

}  // namespace

bool derive_as_whole(SelfComposition& runs, bool nans_alike, Lemmas& lemmas) {
  Graph& graph = runs.graph();
  const Graph::Building building(graph);
  const auto frontier = runs.shared_far_below(runs.first_d(), runs.second_d());
  const Change cut = [&](Substitution& copy) { return free_in_range(graph, frontier, copy); };
  if (nans_alike) {
    const Format& f = *runs.text().formats.d;
    const Bool one = unpack(f, Int::of(runs.first_d())).is_nan;
    const Bool two = unpack(f, Int::of(runs.second_d())).is_nan;
    if (!lemmas.is_unsat("a result is a NaN where the other one is", graph, {(one ^ two).id()},
                         runs.premises(), cut, budget::kMemberLemma)) {
      return false;
    }
  }
  return lemmas.is_unsat("results are ordered, whatever both runs share", graph, runs.violated(),
                         runs.premises(), cut, budget::kMemberLemma);
}

bool derive_by_sum(SelfComposition& runs, bool nans_alike, Lemmas& lemmas) {
  for (const Cutpoint& at : separations(runs)) {
    if (BySum(runs, lemmas, at).derive(nans_alike)) return true;
  }
  return false;
}

}  // namespace mmaspec
