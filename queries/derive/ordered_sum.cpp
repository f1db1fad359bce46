#include "queries/derive/ordered_sum.h"

#include <algorithm>

#include "queries/derive/lengths.h"
#include "queries/numbers/difference.h"
#include "spec/formats/unpack.h"
#include "spec/lang/linear.h"

namespace mmaspec {
namespace {

constexpr double kSmallLemma = 20;  // seconds
constexpr double kLargeLemma = 120;
constexpr std::size_t kMostSeparations = 2;  // that are tried

/// A sum and the exponent of its unit, through which all passes that the runs do not share.
struct Separation {
  NodeId sum;
  std::optional<NodeId> exponent;  ///< nullopt: the unit is the same in both runs
};

/// Some input that varies is reached from `root` past the blocked nodes.
bool is_open(const TwoRuns& runs, NodeId root, NodeId blocked, std::optional<NodeId> also) {
  const Graph& graph = *runs.text().graph;
  const std::vector<bool> in =
      reached(graph, root, [&](NodeId n) { return n != blocked && n != also && runs.varies(n); });
  for (NodeId i : graph.inputs()) {
    if (i < in.size() && in[i]) return true;
  }
  return false;
}

/// The topmost exponent that, with the sum, separates d from what varies; of which the sum is no
/// part.
std::optional<NodeId> exponent_of(const TwoRuns& runs, NodeId sum) {
  const Graph& graph = *runs.text().graph;
  const NodeId d = runs.text().d;
  std::vector<bool> above(graph.size());
  above[sum] = true;
  for (NodeId n = sum + 1; n < graph.size(); ++n) {
    for (NodeId a : graph[n].args) above[n] = above[n] || above[a];
  }
  const std::vector<bool> rest =
      reached(graph, d, [&](NodeId n) { return n != sum && runs.varies(n); });
  for (NodeId n = d + 1; n-- > 0;) {
    if (!rest[n] || above[n] || is_boolean(graph[n].op) || graph[n].op == Op::input) continue;
    if (!is_open(runs, d, sum, n)) return n;
  }
  return std::nullopt;
}

/// From the inputs up; first those whose unit is what a largest exponent or nothing makes it. Which
/// are tried in what order decides nothing but time.
std::vector<Separation> separations(const TwoRuns& runs) {
  const Graph& graph = *runs.text().graph;
  std::vector<Separation> likely;
  std::vector<Separation> others;
  for (NodeId n : graph.cone({runs.text().d})) {
    if (graph[n].op != Op::sum || !runs.varies(n)) continue;
    if (!is_open(runs, runs.text().d, n, std::nullopt)) {
      likely.push_back({n, std::nullopt});
    } else if (const auto e = exponent_of(runs, n)) {
      (graph[*e].op == Op::maximum ? likely : others).push_back({n, e});
    }
    if (likely.size() == kMostSeparations) break;
  }
  likely.insert(likely.end(), others.begin(), others.end());
  if (likely.size() > kMostSeparations) likely.resize(kMostSeparations);
  return likely;
}

/// One case of how the exponents of both runs lie to each other: `rise` (the second less the first,
/// or the other way round) is not negative, and at most `most`.
struct Case {
  bool up;
  Integer most;
};

class BySum {
 public:
  BySum(TwoRuns& runs, Lemmas& lemmas, const Separation& at)
      : runs_(runs), lemmas_(lemmas), graph_(runs.graph()), at_(at) {}

  bool derive(bool nans_alike) {
    const auto rises = bound_of_rise(true);
    const auto falls = bound_of_rise(false);
    if (!rises || !falls) return false;
    for (const Case& c : {Case{true, *rises}, Case{false, *falls}}) {
      if (!c.up && c.most == 0) continue;  // that it stays, the other case says
      if (!sum_is_ordered(c)) return false;
    }
    return results_are_ordered(*rises + *falls > 0, nans_alike);
  }

 private:
  Int x(NodeId n) const { return Int::of(runs_.first(n)); }
  Int y(NodeId n) const { return Int::of(runs_.second(n)); }
  bool has_exponent() const { return at_.exponent && runs_.varies(*at_.exponent); }

  /// How much the exponent rises (falls), in the graph of both runs.
  Int rise(bool up) const {
    if (!has_exponent()) return 0;
    return up ? y(*at_.exponent) - x(*at_.exponent) : x(*at_.exponent) - y(*at_.exponent);
  }
  /// The same where it is of the case.
  Int rise(const Case& c) const { return min(max(rise(c.up), 0), c.most); }

  /// The exponents of both runs in terms of what makes them differ, one variable for the largest of
  /// all that they share.
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
    // What makes them differ is looked into before the shared members become variables.
    for (const auto& [e, members] : {std::pair(ex, mx.args), std::pair(ey, my.args)}) {
      std::vector<Int> all{largest};
      for (NodeId m : members) {
        if (!std::binary_search(shared.begin(), shared.end(), m)) all.push_back(copy.integer(m));
      }
      copy.replace(e, max(all));
    }
    return facts;
  }

  /// The exponents of both runs as a variable, and another one for the rise.
  std::vector<Bool> with_free_exponent(const Case& c, Substitution& copy) const {
    std::vector<Bool> facts;
    if (!has_exponent()) return facts;
    const NodeId ex = runs_.first(*at_.exponent);
    const NodeId ey = runs_.second(*at_.exponent);
    const NodeId low = c.up ? ex : ey;
    const NodeId high = c.up ? ey : ex;
    facts.push_back(free_in_range(graph_, low, copy));
    Int by = 0;
    if (c.most > 0) {
      by = variable("rise", {0, c.most}, facts);
    }
    copy.replace(high, copy.integer(low) + by);
    facts.push_back(copy.integer(high) <= graph_[high].range.high);
    return facts;
  }

  /// The least bound of a list for which the exponent is proved to rise (fall) by no more.
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
      return lemmas_.excluded(name, graph_, {more}, runs_.premises(), cut, kSmallLemma);
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

  /// p times the member of the run of the coarser unit, less that of the other one, where that is
  /// to be bounded from below: p m' - m where the exponent rises, m' - p m where it falls.
  Int difference(const Case& c, NodeId member) const {
    const Int by = rise(c);
    return c.up ? shift_left(y(member), by) - x(member) : y(member) - shift_left(x(member), by);
  }

  /// difference() >= bound (p - 1) for a member that differs in the exponent alone. The bound,
  /// times the member's coefficient; nullopt: none is proved.
  std::optional<Integer> bound_of_follower(const Case& c, NodeId member,
                                           const Integer& coefficient) {
    const Graph::Building building(graph_);
    const Int scaled = coefficient * difference(c, member);
    const Int p_less_one = shift_left(1, rise(c)) - 1;
    const auto frontier = runs_.shared_below(runs_.first(member), runs_.second(member));
    const Change cut = [&](Substitution& copy) {
      std::vector<Bool> facts = with_free_exponent(c, copy);
      return with(facts, free_in_range(graph_, frontier, copy));
    };
    const Integer size = boost::multiprecision::abs(coefficient);
    for (int factor : {0, 1, 2}) {
      const Integer bound = -factor * size;
      const NodeId less = (scaled < bound * p_less_one).id();
      std::string name = "units that a member loses by a coarser cut, at most: ";
      name += std::to_string(factor);
      if (lemmas_.excluded(name, graph_, {less, in_case(c)}, runs_.premises(), cut, kSmallLemma)) {
        return bound;
      }
    }
    return std::nullopt;
  }

  NodeId in_case(const Case& c) const { return (rise(c.up) >= 0).id(); }

  /// p S' >= S, or S' >= p S.
  bool sum_is_ordered(const Case& c) {
    const Graph& text = *runs_.text().graph;
    const LinearForm form = LinearForm::of(text, at_.sum);
    std::vector<std::pair<NodeId, Integer>> drivers;
    // Of each member p m' - m >= bound (p - 1); of what both runs share (p - 1) m, or -(p - 1) m.
    Integer bounds = c.up ? form.constant : Integer(-form.constant);
    for (const auto& [member, coefficient] : form.terms) {
      if (!runs_.varies(member)) {
        const Range& r = graph_[runs_.first(member)].range;
        const Integer factor = c.up ? coefficient : Integer(-coefficient);
        bounds += factor * (factor > 0 ? r.low : r.high);
      } else if (!has_exponent() || is_open(runs_, member, *at_.exponent, std::nullopt)) {
        drivers.emplace_back(member, coefficient);
      } else if (const auto bound = bound_of_follower(c, member, coefficient)) {
        bounds += *bound;
      } else {
        return false;
      }
    }
    const Graph::Building building(graph_);
    Int won = 0;
    Int mine = 0;
    Int others = 0;
    for (const auto& [member, coefficient] : drivers) {
      won = won + coefficient * difference(c, member);
      mine = mine + coefficient * x(member);
      others = others + coefficient * y(member);
    }
    const NodeId less = (won + bounds * (shift_left(1, rise(c)) - 1) < 0).id();
    const auto frontier = runs_.shared_below(mine.id(), others.id());
    const Change cut = [&](Substitution& copy) {
      std::vector<Bool> facts = with_shared_maximum(copy);
      return with(facts, free_in_range(graph_, frontier, copy));
    };
    std::string name = "units that what differs wins, at least: ";
    name += Integer(-bounds).str();
    return lemmas_.excluded(name, graph_, {less, in_case(c)}, runs_.premises(), cut, kLargeLemma);
  }

  /// Nothing violates the statement where the sums are so ordered: d is a function of S, E and what
  /// both runs share, and that is proved to keep the order of S to S + 1, and to tell numbers by
  /// their values, of 2 S in units of 2^E and S in units of 2^(E + 1).
  ///
  /// So where E rises by r, with p = 2^r and T = ceil(S / p), which S' is not below: d of S, E is
  /// not above that of p T, E if that is a sum that there may be, which is that of T, E + r, which
  /// is not above that of S'. Between S and p T, one doubling after the other: S to the next even
  /// number. Where E falls likewise, T = floor(S' / p).
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
    if (units_differ) {
      const Bool rises = numbers && ordinal(f, two) > ordinal(f, one);
      const Range halves{-floor_shift_right(Integer(-r.low), 1), floor_shift_right(r.high, 1)};
      if (!never_of_sums("a sum has the result of its double in half the unit",
                         differs || not_alike, {halves, {2, 0}, {1, 0}, 1})) {
        return false;
      }
      // The ends of the range whose even neighbour is none of it.
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
    // What is left is to see that this is what the statement says.
    const Change free_results = [&](Substitution& copy) {
      std::vector<Bool> facts{free_in_range(graph_, one.id(), copy),
                              free_in_range(graph_, two.id(), copy)};
      facts.push_back(!copy.boolean(falls.id()));
      if (nans_alike) facts.push_back(!copy.boolean(not_alike.id()));
      return facts;
    };
    return lemmas_.excluded("the statement is that results are ordered", graph_, runs_.violated(),
                            runs_.premises(), free_results, kSmallLemma);
  }

  /// Two sums, each a linear function of one variable, and by how much the exponent of the second
  /// one's unit is larger.
  struct Sums {
    Range variable;
    LinearFunction first;
    LinearFunction second;
    int rise = 0;
  };

  /// The condition holds of no two such sums, whatever both runs share. Solvers take seconds for
  /// sums of one length in bits, and minutes for all at once.
  bool never_of_sums(const std::string& name, Bool condition, Sums sums) {
    const std::vector<Range> ranges =
        ranges_of_one_length(sums.variable, {sums.first, sums.second});
    return std::all_of(ranges.begin(), ranges.end(), [&](const Range& r) {
      sums.variable = r;
      return never_of_these_sums(name, condition, sums);
    });
  }

  bool never_of_these_sums(const std::string& name, Bool condition, const Sums& sums) {
    const auto frontier = runs_.shared_below(runs_.first_d(), runs_.second_d());
    const Change cut = [&](Substitution& copy) {
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
      return with(facts, free_in_range(graph_, frontier, copy));
    };
    return lemmas_.excluded_of_all(name, graph_, condition.id(), cut, kLargeLemma);
  }

  static constexpr int kMostRise = 100;

  TwoRuns& runs_;
  Lemmas& lemmas_;
  Graph& graph_;
  const Separation at_;
};

}  // namespace

bool derive_as_whole(TwoRuns& runs, bool nans_alike, Lemmas& lemmas) {
  Graph& graph = runs.graph();
  const Graph::Building building(graph);
  const auto frontier = runs.shared_far_below(runs.first_d(), runs.second_d());
  const Change cut = [&](Substitution& copy) { return free_in_range(graph, frontier, copy); };
  if (nans_alike) {
    const Format& f = *runs.text().formats.d;
    const Bool one = unpack(f, Int::of(runs.first_d())).is_nan;
    const Bool two = unpack(f, Int::of(runs.second_d())).is_nan;
    if (!lemmas.excluded("a result is a NaN where the other one is", graph, {(one ^ two).id()},
                         runs.premises(), cut, kSmallLemma)) {
      return false;
    }
  }
  return lemmas.excluded("results are ordered, whatever both runs share", graph, runs.violated(),
                         runs.premises(), cut, kSmallLemma);
}

bool derive_by_sum(TwoRuns& runs, bool nans_alike, Lemmas& lemmas) {
  for (const Separation& at : separations(runs)) {
    if (BySum(runs, lemmas, at).derive(nans_alike)) return true;
  }
  return false;
}

}  // namespace mmaspec
