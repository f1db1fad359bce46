#include "queries/relations/relations.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "queries/ask/budget.h"
#include "queries/ask/dot_question.h"
#include "queries/derive/self_composition.h"
#include "queries/relations/candidate_invariants.h"
#include "queries/relations/intermediate_results.h"
#include "queries/relations/invariant_store.h"
#include "queries/relations/maxima.h"
#include "queries/relations/sums/limited_sums.h"
#include "queries/relations/sums/shifted_sums.h"
#include "queries/relations/sums/sums_rounded_to_odd.h"
#include "queries/relations/sums/where_sums_end.h"
#include "queries/relations/tactic_history.h"
#include "spec/lang/bounds.h"
#include "spec/lang/linear.h"

namespace mmaspec {
namespace {

class ByRelations {
 public:
  ByRelations(const DerivationGoal& claimed, Lemmas& lemmas)
      : claimed_(claimed),
        graph_(claimed.graph),
        limited_(limited_sums(graph_, roots_of(claimed))),
        lemmas_(lemmas),
        late_premises_(premises_of(claimed, true)),
        proved_(graph_, premises_of(claimed, false), *claimed.result, lemmas),
        sampled_(graph_, roots_of(claimed), without_nans(claimed)),
        suggestions_(graph_, sampled_, *claimed.result),
        of_first_(graph_.size()),
        is_stage_(graph_.size()),
        is_pattern_(graph_.size()),
        is_of_sum_(graph_.size()),
        is_stated_(booleans_of(graph_, late_premises_)),
        of_patterns_(claimed_, sampled_, is_pattern_, proved_, lemmas_),
        of_odd_sums_(claimed_, sampled_, is_pattern_, proved_) {
    for (const Mark& m : graph_.marks()) {
      is_stage_[m.node] = true;
      if (m.role == MarkRole::pattern) is_pattern_[m.node] = true;
      if (m.role == MarkRole::sum && m.exponent) mark_sum(m.node, *m.exponent);
    }
  }

  bool derive() {
    for (const NodeId n : graph_.cone({claimed_.first})) {
      of_first_[n] = true;
      if (is_constant(n)) continue;
      suggestions_.keep(n);
      if (proved_.is_largest(n)) maxima_.push_back(n);
      if (graph_[n].op == Op::select) choices_.push_back(n);
    }
    const std::vector<NodeId> second = graph_.cone({claimed_.second});
    has_patterns_ =
        std::any_of(second.begin(), second.end(), [&](NodeId n) { return is_pattern_[n]; });
    in_steps_ = has_patterns_ && std::none_of(second.begin(), second.end(), [&](NodeId n) {
                  return !of_first_[n] && is_sum_of_many(n);
                });
    // The nodes of the first execution, which may be constant, precede functions of them.
    std::vector<NodeId> nodes = sampled_.nodes();
    std::stable_partition(nodes.begin(), nodes.end(), [&](NodeId n) { return of_first_[n]; });
    for (const NodeId n : nodes) {
      if (is_constant(n) || graph_[n].op == Op::input || is_stated_[n]) continue;
      if (!of_first_[n] && !is_of_one_product(n)) prove_limited_sums();
      if (is_pattern_[n]) of_patterns_.learn(n);
      if (is_on_the_way(n)) {
        left_out_.push_back(n);
        continue;
      }
      // For a pattern with a short limit, or after the intermediate nodes before it are related.
      soon_ = is_pattern_[n] && !of_first_[n] && !left_out_.empty();
      bool related = relate(n);
      if (!related && std::exchange(soon_, false) && relate_left_out()) related = relate(n);
      soon_ = false;
      if (!related && falls_here_ && is_of_sum_[n]) return false;
      if (related && is_sum_of_terms(n)) learn_of_exponent(n);
      if (related && is_sum_of_terms(n) && exponents_differ_) learn_where_it_ends(n);
      if (related && is_sum_of_terms(n) && follows_already(n)) return true;
      if (!related && !of_first_[n]) learn_of_choice(n);
      if (lemmas_.deadline().passed()) return false;
    }
    return follows_within(budget::kFactLemma) ||
           (relate_left_out() && follows_within(budget::kFactLemma)) ||
           follows_within(budget::kNodeLemma);
  }

  /// The terms of the second execution are those of the first one shifted right. For proofs, those
  /// of the first one must then be shown to be shifted left.
  bool falls_the_other_way() const { return falls_the_other_way_; }

 private:
  using Kind = RelationalInvariant::Kind;

  bool is_constant(NodeId n) const {
    return graph_[n].op == Op::constant || graph_[n].op == Op::boolean;
  }

  /// Call it when products are known not to be negative.
  void prove_limited_sums() {
    for (const auto& [n, r] : std::exchange(limited_, {})) {
      if (!prove(r)) return;  // later ones depend on it and are not proved either
    }
  }

  /// Tries to prove that the node is a function of an earlier one.
  bool relate(NodeId n) {
    falls_here_ = false;
    if (is_of_sum_[n] && !of_first_[n] && suggestions_.is_finer(n)) {
      falls_here_ = falls_the_other_way_ = true;
      return false;
    }
    if (proved_.is_largest(n) && !of_first_[n] && is_bound(n)) {
      const RelationalInvariant& r = *proved_.of(n);
      if (r.kind == Kind::bounded_difference) suggestions_.keep(r.fall);
      if (r.kind == Kind::bounded_difference || r.constant != 0) exponents_differ_ = true;
      return true;
    }
    const std::vector<RelationalInvariant> all = suggestions_.of(n);
    return std::any_of(all.begin(), all.end(), [&](RelationalInvariant r) {
      const bool constant = r.kind == Kind::constant;
      if (!(constant ? is_of_one_product(n) : !of_first_[n])) return false;
      if (r.kind == Kind::shifted && !is_made_of(n, r.fall.to)) return false;
      // A difference of constant sign is a left shift in the other execution, which is proved
      // sooner if the largest exponents there are limited by these.
      const bool one_way = r.places >= r.fall.most && !r.fall.least;
      if (r.kind == Kind::shifted && one_way) r.is_exact = false;
      if (prove(r)) return true;
      // Samples may not contain cut bits.
      return r.kind == Kind::shifted && std::exchange(r.is_exact, false) && prove(r);
    });
  }

  /// True if it depends on a sum of the second execution's terms.
  bool is_after_a_sum(NodeId n) const {
    const std::vector<NodeId> cone = graph_.cone({n});
    return std::any_of(cone.begin(), cone.end(),
                       [&](NodeId m) { return !of_first_[m] && is_sum_of_terms(m); });
  }

  /// Except through functions of the first execution's nodes.
  bool is_made_of(NodeId n, NodeId of) const {
    const std::vector<NodeId> below = proved_.reached({n}, Depth::nearest);
    return std::find(below.begin(), below.end(), of) != below.end();
  }

  /// True for an intermediate node between a sum or pattern and the next pattern or the result.
  /// Such nodes are seldom needed, and each costs a query.
  bool is_on_the_way(NodeId n) const {
    if (of_first_[n] || is_pattern_[n]) return false;
    if (in_steps_) return n != claimed_.second && !is_of_one_product(n) && !is_of_sum_[n];
    bool sum = false;
    for (NodeId m : proved_.reached({n}, Depth::nearest)) {
      if (graph_[m].op == Op::input) return false;
      sum = sum || (m != n && is_sum_of_terms(m) && proved_.is_variable(m, Depth::nearest));
    }
    return sum;
  }

  /// True if there were any.
  bool relate_left_out() {
    const std::vector<NodeId> all = std::exchange(left_out_, {});
    for (NodeId n : all) {
      if (lemmas_.deadline().passed()) return false;
      relate(n);
    }
    return !all.empty();
  }

  bool prove(const RelationalInvariant& r) {
    if (r.kind == Kind::shifted && r.places > 0 && !r.is_exact) {
      falls_here_ = falls_the_other_way_ = true;
      // A sum of terms that are rounded separately is a different sum.
      if (is_of_sum_[r.node]) return false;
    }
    // For several consecutive sums, samples suggest too many relations. For a single sum the
    // candidates are accepted, which saves time.
    if (falls_here_ && is_of_sum_[r.node] && !has_patterns_) return false;
    if (r.kind == Kind::rounded_to_odd) of_odd_sums_.learn_before(r);
    const Graph::Building building(graph_);
    const NodeId violated = (!holds(r, *claimed_.result)).id();
    const bool is_stage = is_stage_[r.node] || proved_.is_largest(r.node);
    const bool is_term = is_stage && r.kind == Kind::shifted;
    const double seconds = is_pattern_[r.node] || is_term ? budget::kStepLemma
                           : is_stage                     ? budget::kNodeLemma
                                                          : budget::kFactLemma;
    const bool to_the_inputs = is_stage || is_of_one_product(r.node) ||
                               (graph_[r.node].op == Op::maximum && !is_after_a_sum(r.node));
    const std::string name = description_of(r, graph_);
    const auto is_excluded_at = [&](Depth depth, double given) {
      return proved_.is_unsat(name, {violated}, depth, false, given);
    };
    // One method may decide at once what another one does not decide at all: try each briefly
    // first.
    const auto is_excluded_within = [&](double given) {
      return (is_pattern_[r.node] && excluded_by_shared(name, violated, r, given)) ||
             (!soon_ && last_way_.proves(r.kind, depths(to_the_inputs), given, is_excluded_at));
    };
    const bool is_linear = is_sum_of_shifted(graph_, proved_, r);
    if (is_linear) proved_.record_by_relations(r);
    const bool proved = is_linear ||
                        (!soon_ && last_way_.proves_next(r.kind, seconds, is_excluded_at)) ||
                        is_excluded_within(budget::kBriefLemma) ||
                        is_excluded_within(std::min(budget::kFactLemma, seconds)) ||
                        (seconds > budget::kFactLemma && is_excluded_within(seconds));
    if (!proved) return false;
    proved_.keep(r);
    learn_of_range(r);
    if (r.kind == Kind::rounded_to_odd) {
      suggestions_.keep_rounding_to_odd(r.places);
      of_odd_sums_.learn_after(r);
    }
    if (r.kind == Kind::negated_pattern) {
      of_patterns_.learn_that_no_nan(r, statement());
    }
    return true;
  }

  /// For two results or intermediate patterns such that the first depends on the last of these
  /// sums, and the second on nodes proved equal to the first one's.
  bool is_excluded_of_last_sum(const std::string& name, const std::vector<NodeId>& conditions,
                               NodeId first, NodeId second, double seconds) {
    const auto sum = last_sum_of(first);
    return sum && proved_.excluded_of_sum(name, conditions, first, second, *sum, seconds);
  }

  /// The last marked sum on which a node depends.
  std::optional<InvariantStore::Sum> last_sum_of(NodeId n) const {
    const std::vector<NodeId> cone = graph_.cone({n});
    for (auto it = marked_sums_.rbegin(); it != marked_sums_.rend(); ++it) {
      if (!std::binary_search(cone.begin(), cone.end(), it->first)) continue;
      return InvariantStore::Sum{it->first, it->second};
    }
    return std::nullopt;
  }

  /// The same, split by the leading bit of the last sum.
  bool is_excluded_by_lengths(const std::string& name, const std::vector<NodeId>& conditions,
                              NodeId first, double seconds) {
    const auto sum = last_sum_of(first);
    return sum && proved_.excluded_by_lengths(name, conditions, sum->units, seconds);
  }

  /// Intermediate patterns may depend on nodes that both executions share.
  bool excluded_by_shared(const std::string& name, NodeId violated, const RelationalInvariant& r,
                          double seconds) {
    const double soon = std::min(seconds, budget::kFactLemma);
    if (is_excluded_of_last_sum(name, {violated}, r.base, r.node, soon)) return true;
    proved_.share(shared_frontier(graph_, r.base, r.node));
    return proved_.is_unsat(name, {violated}, Depth::shared, false,
                            soon_ ? soon : std::min(seconds, budget::kNodeLemma)) ||
           is_excluded_by_lengths(name, {violated}, r.base, soon);
  }

  /// The depths worth trying.
  static std::vector<Depth> depths(bool to_the_inputs) {
    if (!to_the_inputs) return {Depth::nearest, Depth::stages};
    return {Depth::nearest, Depth::stages, Depth::maxima, Depth::inputs};
  }

  /// If a Boolean selects between a constant and a number, in either execution, the number matters
  /// only if the constant is not selected. An example is a zero's exponent, which differs between
  /// formats. Nodes computed from sums are is_unsat, because the query would fail.
  void learn_of_choice(NodeId n) {
    if (graph_[n].op != Op::select) return;
    const NodeId condition = of_first_run(graph_[n].args[0]);
    for (NodeId m : choices_) {
      if (graph_[m].args[0] != condition) continue;
      for (const std::size_t chosen : {1U, 2U}) {
        const NodeId x = graph_[m].args[3 - chosen];
        const NodeId y = graph_[n].args[3 - chosen];
        if (!is_constant(graph_[m].args[chosen]) || !is_constant(graph_[n].args[chosen]) ||
            is_constant(y) || of_first_[y] || proved_.of(y) != nullptr || !is_of_one_product(y)) {
          continue;
        }
        const Graph::Building building(graph_);
        const Bool unless = chosen == 1 ? Bool::of(condition) : !Bool::of(condition);
        const auto r = equal_unless(sampled_, y, x, {unless.id(), condition, chosen == 1});
        if (r && prove(*r)) return;
      }
    }
  }

  /// A Boolean of the first execution equal to this one; otherwise the Boolean itself.
  NodeId of_first_run(NodeId n) const {
    const RelationalInvariant* r = of_first_[n] ? nullptr : proved_.of(n);
    const bool equal = r != nullptr && r->kind == Kind::linear && r->factor > 0;
    return equal ? r->base : n;
  }

  /// If two formats hold the operands, both hold their products, possibly of one sign only.
  void learn_of_range(const RelationalInvariant& r) {
    const Node& base = graph_[r.base];
    const bool equal =
        r.kind == Kind::linear && r.factor == 1 && r.places == 0 && r.constant == 0 && !r.unless;
    if (!equal || base.op != Op::product || base.range.low >= 0) return;
    const Graph::Building building(graph_);
    Range range = intersect(base.range, graph_[r.node].range);
    bool is_not_negative = false;
    const std::vector<Integer>& values = sampled_.values(r.base);
    if (range.low < 0 && is_of_one_product(r.base) &&
        std::none_of(values.begin(), values.end(), [](const Integer& x) { return x < 0; })) {
      is_not_negative = proved_.is_unsat("a product is not negative", {(Int::of(r.base) < 0).id()},
                                         Depth::inputs, false, budget::kFactLemma);
      if (is_not_negative) range.low = 0;
    }
    const NodeId fact = proved_.keep_range(r.base, range);
    std::vector<NodeId> facts{holds(r, *claimed_.result).id()};
    if (is_not_negative) facts.push_back((Int::of(r.base) >= 0).id());
    proved_.record_by_facts(fact, facts, {r.base, r.node});
  }

  /// The exponent of a sum is irrelevant if the sum is zero.
  void learn_of_exponent(NodeId n) {
    const RelationalInvariant* r = proved_.of(n);
    const bool zero_alike =
        r != nullptr && (r->kind == Kind::linear || r->kind == Kind::rounded_to_odd);
    if (!zero_alike) return;
    const auto of_first = marked_sums_.find(r->base);
    const auto of_second = marked_sums_.find(n);
    if (of_first == marked_sums_.end() || of_second == marked_sums_.end()) return;
    const NodeId y = of_second->second;
    const NodeId x = of_first->second;
    if (of_first_[y] || proved_.of(y) != nullptr) return;
    const Graph::Building building(graph_);
    const NodeId zero = (Int::of(r->base) == 0).id();
    const auto apart = equal_unless(sampled_, y, x, {zero, r->base, false});
    if (!apart) return;
    std::vector<NodeId> opened{r->base};
    for (const auto& [term, factor] : LinearForm::of(graph_, r->base).terms) opened.push_back(term);
    if (proved_.excluded_opening("exponents of a sum are alike unless it is zero",
                                 {(!holds(*apart, *claimed_.result)).id()}, opened,
                                 budget::kFactLemma)) {
      proved_.keep(*apart);
    }
  }

  /// If exponents differ, so does what is cut from a sum below the least normal number, unless the
  /// sum has no bits there. If zeros have far smaller exponents, the sum is zero there.
  void learn_where_it_ends(NodeId n) {
    const RelationalInvariant* r = proved_.of(n);
    const auto sum = r == nullptr ? marked_sums_.end() : marked_sums_.find(r->base);
    if (sum == marked_sums_.end()) return;
    const auto& [units, exponent] = *sum;
    if (const auto ends = where_sum_ends(claimed_, sampled_, units, exponent, lemmas_)) {
      proved_.keep_fact(units, *ends);
    }
    if (r->kind != Kind::shifted || !r->fall.least) return;
    const auto zero = where_sum_is_zero(claimed_, units, exponent, *r->fall.least, lemmas_);
    if (zero) proved_.keep_fact(units, *zero);
  }

  /// Limited by a largest exponent of the first execution; if zeros count, all exponents may be
  /// between.
  bool is_bound(NodeId n) {
    constexpr int kNear = 40;
    constexpr int kFar = 128;
    for (const auto& [zeros, farthest] :
         {std::pair{Zeros::members, kNear}, {Zeros::far_below, kNear}, {Zeros::members, kFar}}) {
      for (const NodeId base : maxima_) {
        if (bound(n, base, zeros, farthest)) return true;
      }
    }
    return false;
  }

  bool bound(NodeId n, NodeId base, Zeros zeros, int farthest) {
    const Graph::Building building(graph_);
    std::vector<NodeId> facts;
    const auto is_excluded_soon = [&](const std::string& name, Bool violated) {
      for (const double seconds : {budget::kBriefLemma, budget::kFactLemma}) {
        for (const Depth depth : depths(true)) {
          if (!proved_.is_unsat(name, {violated.id()}, depth, false, seconds)) continue;
          facts.push_back((!violated).id());
          return true;
        }
      }
      return false;
    };
    std::vector<NodeId> members = graph_[n].args;
    members.insert(members.end(), graph_[base].args.begin(), graph_[base].args.end());
    const auto r = bound_by_members(n, base, zeros, farthest, sampled_, is_excluded_soon);
    if (!r) return false;
    if (r->kind == Kind::bounded_difference) {
      proved_.record_by_facts(*r, facts, members);
      const auto range = range_by_members(base, sampled_, is_excluded_soon);
      if (range) proved_.record_by_facts(proved_.keep_range(base, *range), facts, members);
    } else {
      proved_.record_by_facts(*r, facts, members);
    }
    proved_.keep(*r);
    return true;
  }

  void mark_sum(NodeId units, NodeId exponent) {
    marked_sums_[units] = exponent;
    is_of_sum_[units] = is_of_sum_[exponent] = true;
    for (const auto& [term, factor] : LinearForm::of(graph_, units).terms) is_of_sum_[term] = true;
  }

  /// True if it depends on at most two operands: it classifies operands and does not concern
  /// results of sums.
  bool is_of_one_product(NodeId n) const {
    const std::vector<NodeId> cone = graph_.cone({n});
    return std::count_if(cone.begin(), cone.end(),
                         [&](NodeId x) { return graph_[x].op == Op::input; }) <= 2;
  }

  std::vector<NodeId> statement() const {
    std::vector<NodeId> all = claimed_.violated;
    all.insert(all.end(), late_premises_.begin(), late_premises_.end());
    return all;
  }

  /// True for a sum of more than two terms of either sign, as alignment gives them.
  bool is_sum_of_many(NodeId n) const {
    const std::vector<NodeId>& terms = graph_[n].args;
    return graph_[n].op == Op::sum && std::count_if(terms.begin(), terms.end(), [&](NodeId t) {
                                        return graph_[t].range.low < 0;
                                      }) > 2;
  }
  bool is_sum_of_terms(NodeId n) const { return marked_sums_.contains(n) || is_sum_of_many(n); }

  /// If products of operands no longer occur, the statement can be asked at once: after the last
  /// sum.
  bool follows_already(NodeId sum) {
    if (const auto last = last_sum_of(claimed_.second); last && last->units > sum) return false;
    const std::vector<NodeId> all = statement();
    const std::vector<NodeId> left = proved_.reached(all, Depth::nearest);
    const bool products = std::any_of(left.begin(), left.end(), [&](NodeId n) {
      return graph_[n].op == Op::product && !proved_.is_variable(n, Depth::nearest);
    });
    return !products &&
           (proved_.is_unsat("the statement", all, Depth::nearest, false, budget::kBriefLemma) ||
            is_excluded_by_lengths("the statement", all, claimed_.first, budget::kFactLemma) ||
            proved_.is_unsat("the statement", all, Depth::nearest, false, budget::kFactLemma));
  }

  /// The statement, from the proved relations.
  bool follows_within(double seconds) {
    const std::vector<NodeId> all = statement();
    if (is_excluded_of_last_sum("the statement", all, claimed_.first, claimed_.second,
                                budget::kFactLemma) ||
        is_excluded_by_lengths("the statement", all, claimed_.first, budget::kFactLemma)) {
      return true;
    }
    // One depth may decide at once what another one does not decide at all.
    for (const double given : {budget::kBriefLemma, seconds}) {
      for (const bool every : {false, true}) {
        for (const Depth depth : {Depth::nearest, Depth::stages, Depth::inputs}) {
          if (proved_.is_unsat("the statement", all, depth, every, given)) return true;
        }
      }
    }
    return false;
  }

  const DerivationGoal claimed_;
  Graph& graph_;
  std::map<NodeId, RelationalInvariant> limited_;  ///< initialized before members with an entry for
                                                   ///< each node
  Lemmas& lemmas_;
  const std::vector<NodeId> late_premises_;  ///< those that concern results
  InvariantStore proved_;
  const SimulationSignatures sampled_;
  CandidateInvariants suggestions_;
  std::vector<bool> of_first_;            ///< nodes of the first execution
  std::vector<bool> is_stage_;            ///< it is marked
  std::vector<bool> is_pattern_;          ///< as an intermediate pattern
  std::map<NodeId, NodeId> marked_sums_;  ///< with their exponents
  std::vector<bool> is_of_sum_;           ///< one of these, its exponent or a term
  // What premises say about results of stages must stay expressed, although it follows from them.
  std::vector<bool> is_stated_;  ///< a Boolean on which a late premise depends
  TacticHistory last_way_;
  IntermediateResults of_patterns_;
  SumsRoundedToOdd of_odd_sums_;
  std::vector<NodeId> maxima_;     ///< largest exponents of the first execution
  std::vector<NodeId> choices_;    ///< select nodes of the first execution
  std::vector<NodeId> left_out_;   ///< intermediate nodes of the second execution
  bool soon_ = false;              ///< the current query may be asked again
  bool in_steps_ = false;          ///< the second execution computes pattern after pattern by sums
                                   ///< of two
  bool exponents_differ_ = false;  ///< largest exponents differ between the executions
  bool has_patterns_ = false;      ///< the second execution has intermediate patterns
  bool falls_here_ = false;        ///< the current node may be shifted right
  bool falls_the_other_way_ = false;
};

}  // namespace

std::optional<DerivedByRelations> derive_by_relations(const DerivationGoal& claimed,
                                                      const Portfolio& solvers,
                                                      const Deadline& deadline,
                                                      std::vector<AttemptReport>& attempts) {
  if (claimed.samples.empty() || solvers.backends().empty()) return std::nullopt;
  Lemmas lemmas(solvers, deadline, attempts);
  ByRelations forwards(claimed, lemmas);
  bool derived = forwards.derive();
  if (!derived && forwards.falls_the_other_way()) {
    DerivationGoal swapped = claimed;
    std::swap(swapped.first, swapped.second);
    derived = ByRelations(swapped, lemmas).derive();
  }
  if (!derived) return std::nullopt;
  return DerivedByRelations{std::to_string(lemmas.asked()) + " lemmas about nodes of the runs",
                            lemmas.records()};
}

}  // namespace mmaspec
