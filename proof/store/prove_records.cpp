// Converts the recorded lemmas of a derivation to steps for the kernel.

#include "proof/store/prove_records.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace mmaspec {
namespace {

using kernel::Literal;
using kernel::Step;

/// A node of the derivation has no node of the goal: an input or a claim that the goal lacks.
struct NotOfGoal {};

class ByRecords {
 public:
  ByRecords(const RecordedDerivation& derivation, kernel::Kernel& kernel, const Admit& admit)
      : of_(derivation), graph_(derivation.graph), kernel_(kernel), admit_(admit) {
    for (std::size_t i = 0; i < of_.cone.size(); ++i) {
      places_[of_.cone[i]] = static_cast<NodeId>(i);
    }
    for (std::size_t i = 0; i < of_.records.size(); ++i) {
      const LemmaRecord& record = of_.records[i];
      if (record.refuted.size() != 1) continue;
      Plain shown = plain(record.refuted[0]);
      shown.negated = !shown.negated;
      shown_by_.try_emplace({shown.node, shown.negated}, i);
    }
  }

  bool prove(const std::vector<NodeId>& goal_conditions) {
    if (of_.records.empty()) return false;
    std::set<std::size_t> needed;
    if (!find_needed(of_.records.size() - 1, needed)) return false;
    for (const std::size_t i : needed) {
      if (i + 1 == of_.records.size()) break;
      if (!prove_record(i)) return false;
    }
    return conclude(goal_conditions);
  }

 private:
  /// A Boolean without its negations.
  struct Plain {
    NodeId node;
    bool negated;
  };
  Plain plain(NodeId n) const {
    bool negated = false;
    while (graph_[n].op == Op::logical_not) {
      n = graph_[n].args[0];
      negated = !negated;
    }
    return {n, negated};
  }

  struct Proved {
    std::size_t step = 0;
    std::set<NodeId> assumed = {};  ///< premises, among those of the derivation
  };

  /// That a node equals the expression in its place.
  struct Equality {
    std::size_t step = 0;
    std::vector<Literal> assumed = {};  ///< which the step refutes too
    std::vector<NodeId> free = {};      ///< nodes of these, of which it uses the range alone
  };

  struct Built {
    Step step;
    std::set<NodeId> assumed;
  };

  bool is_true(NodeId fact) const { return graph_[fact].range == Range{1, 1}; }

  /// The record that shows a fact; nullopt: none.
  std::optional<std::size_t> shown(NodeId fact) const {
    const Plain x = plain(fact);
    const auto found = shown_by_.find({x.node, x.negated});
    return found == shown_by_.end() ? std::nullopt : std::optional(found->second);
  }

  static std::vector<NodeId> facts_of(const LemmaRecord& record) {
    std::vector<NodeId> all = record.facts;
    for (const auto& r : record.rewrites) all.push_back(r.fact);
    return all;
  }

  /// Adds the record and those that it uses. False if one is missing.
  bool find_needed(std::size_t last, std::set<std::size_t>& needed) const {
    std::vector<std::size_t> pending{last};
    while (!pending.empty()) {
      const std::size_t i = pending.back();
      pending.pop_back();
      if (!needed.insert(i).second) continue;
      for (const NodeId fact : facts_of(of_.records[i])) {
        if (is_true(fact)) continue;
        const auto by = shown(fact);
        if (!by || *by >= i) return false;
        pending.push_back(*by);
      }
    }
    return true;
  }

  /// The kernel's node for a node of the derivation. Throws NotOfGoal.
  NodeId place(NodeId n) {
    if (const auto known = places_.find(n); known != places_.end()) return known->second;
    for (const NodeId id : graph_.cone({n})) {
      if (places_.contains(id)) continue;
      Node node = graph_[id];
      if (node.op == Op::input || node.op == Op::claim) throw NotOfGoal();
      for (NodeId& arg : node.args) arg = places_.at(arg);
      places_[id] = kernel_.define(std::move(node));
    }
    return places_.at(n);
  }

  Literal literal(NodeId n, bool negated = false) {
    const Plain x = plain(n);
    return {place(x.node), x.negated != negated};
  }

  /// The nodes from which the roots are computed, in the graph of the derivation.
  void reach(std::vector<NodeId> pending, const LemmaRecord& record, const std::set<NodeId>& free,
             std::set<NodeId>& reached) const {
    while (!pending.empty()) {
      const NodeId n = pending.back();
      pending.pop_back();
      if (!reached.insert(n).second || free.contains(n)) continue;
      const auto rewrite = std::find_if(record.rewrites.begin(), record.rewrites.end(),
                                        [&](const auto& r) { return r.node == n; });
      if (rewrite != record.rewrites.end()) {
        pending.push_back(rewrite->by);
      } else {
        pending.insert(pending.end(), graph_[n].args.begin(), graph_[n].args.end());
      }
    }
  }

  /// Leaves out how nodes that the step does not compute, but a fact is about, are computed.
  void free_below(NodeId fact, const std::set<NodeId>& reached, std::set<NodeId>& free) const {
    const NodeId said = plain(fact).node;
    if (reached.contains(said)) return;
    for (const NodeId n : graph_[said].args) free_unreached(n, reached, free);
  }

  /// Whether the node is a function of these nodes alone.
  bool is_made_of(NodeId node, const std::set<NodeId>& of) const {
    std::vector<NodeId> pending{node};
    std::set<NodeId> seen;
    while (!pending.empty()) {
      const NodeId n = pending.back();
      pending.pop_back();
      if (of.contains(n) || !seen.insert(n).second) continue;
      if (graph_[n].op == Op::input) return false;
      pending.insert(pending.end(), graph_[n].args.begin(), graph_[n].args.end());
    }
    return true;
  }

  /// Leaves out how a node is computed, unless the step computes it or what it is made of.
  void free_unreached(NodeId node, const std::set<NodeId>& reached, std::set<NodeId>& free) const {
    std::vector<NodeId> pending{node};
    std::set<NodeId> seen;
    while (!pending.empty()) {
      const NodeId n = pending.back();
      pending.pop_back();
      if (reached.contains(n) || !seen.insert(n).second) continue;
      const Op op = graph_[n].op;
      if (op == Op::constant || op == Op::boolean) continue;
      if (is_made_of(n, reached)) continue;
      if (n < of_.size_before && op != Op::logical_not) {
        free.insert(n);
      } else {
        pending.insert(pending.end(), graph_[n].args.begin(), graph_[n].args.end());
      }
    }
  }

  /// The same, unless some of these nodes are below: then they are kept. The normal form of a fact
  /// may name the terms of a sum, not the sum.
  void free_around(NodeId node, const std::set<NodeId>& kept, std::set<NodeId>& free) const {
    std::vector<NodeId> pending{node};
    std::set<NodeId> seen;
    while (!pending.empty()) {
      const NodeId n = pending.back();
      pending.pop_back();
      if (kept.contains(n) || !seen.insert(n).second) continue;
      const std::vector<NodeId> cone = graph_.cone({n});
      const bool is_above =
          std::any_of(cone.begin(), cone.end(), [&](NodeId m) { return kept.contains(m); });
      if (is_above) {
        pending.insert(pending.end(), graph_[n].args.begin(), graph_[n].args.end());
      } else {
        free_unreached(n, {}, free);
      }
    }
  }

  /// Computes a node that is a function of the others.
  void keep_functions(std::set<NodeId>& free) const {
    const std::vector<NodeId> all(free.rbegin(), free.rend());
    for (const NodeId n : all) {
      free.erase(n);
      if (!is_made_of(n, free)) free.insert(n);
    }
  }

  /// Computes a sum of one node, which a query replaces together with the node.
  void keep_offsets(std::set<NodeId>& free) const {
    std::erase_if(free, [&](NodeId n) {
      return graph_[n].op == Op::sum && graph_[n].args.size() == 1 &&
             free.contains(graph_[n].args[0]);
    });
  }

  bool is_of_reached_inputs(NodeId premise, const std::set<NodeId>& reached) const {
    const std::vector<NodeId> cone = graph_.cone({premise});
    return std::all_of(cone.begin(), cone.end(),
                       [&](NodeId n) { return graph_[n].op != Op::input || reached.contains(n); });
  }

  /// The record unchanged, with free nodes computed that are functions of others, and with none
  /// free: the encoder of the query may have used more than the record says.
  std::vector<LemmaRecord> readings_of(const LemmaRecord& record) const {
    std::vector<LemmaRecord> all{record};
    std::set<NodeId> free(record.free.begin(), record.free.end());
    keep_functions(free);
    for (const std::set<NodeId>& fewer : {free, std::set<NodeId>()}) {
      if (fewer.size() == all.back().free.size()) continue;
      all.push_back(record);
      all.back().free.assign(fewer.begin(), fewer.end());
    }
    return all;
  }

  bool prove_record(std::size_t i) {
    for (const LemmaRecord& reading : readings_of(of_.records[i])) {
      const auto built = step_of(reading, {});
      const auto number = built ? admit_(built->step) : std::nullopt;
      if (number) {
        proved_[i] = {*number, built->assumed};
        return true;
      }
    }
    return false;
  }

  /// The step for a record. `others`: literals that it refutes in addition, as nodes.
  std::optional<Built> step_of(const LemmaRecord& record, const std::vector<NodeId>& others) {
    try {
      Built built;
      std::set<NodeId> free(record.free.begin(), record.free.end());
      for (const auto& r : record.rewrites) free.erase(r.node);
      std::set<NodeId> reached;
      reach(record.refuted, record, free, reached);
      reach(record.conditions, record, free, reached);
      std::vector<NodeId> own;
      for (const NodeId p : record.premises) {
        if (is_of_reached_inputs(p, reached)) own.push_back(p);
      }
      reach(own, record, free, reached);
      built.assumed.insert(own.begin(), own.end());
      built.assumed.insert(record.conditions.begin(), record.conditions.end());
      std::set<NodeId> facts;
      for (const NodeId fact : facts_of(record)) {
        if (is_true(fact)) continue;
        const Proved& by = proved_.at(shown(fact).value());
        built.assumed.insert(by.assumed.begin(), by.assumed.end());
      }
      for (const NodeId fact : record.facts) {
        if (!is_true(fact)) facts.insert(fact);
      }
      for (const auto& r : record.rewrites) {
        const auto equal = equality(r);
        if (!equal) return std::nullopt;
        built.step.rewrites.push_back({place(r.node), place(r.by), equal->step});
        const auto bounds = bounds_of(r, *equal);
        built.step.premises.insert(built.step.premises.end(), bounds.begin(), bounds.end());
      }
      for (const NodeId fact : facts) {
        built.step.premises.push_back(proved_.at(*shown(fact)).step);
        free_below(fact, reached, free);
      }
      for (const NodeId n : others) free_unreached(n, reached, free);
      for (const NodeId p : built.assumed) free_unreached(p, reached, free);
      std::set<std::pair<NodeId, bool>> refuted;
      const auto refute = [&](NodeId n) {
        const Literal x = literal(n);
        if (refuted.emplace(x.node, x.negated).second) built.step.refuted.push_back(x);
      };
      for (const NodeId n : record.refuted) refute(n);
      for (const NodeId n : others) refute(n);
      for (const NodeId n : built.assumed) refute(n);
      keep_offsets(free);
      for (const NodeId n : free) built.step.free.push_back(place(n));
      return built;
    } catch (const NotOfGoal&) {
      return std::nullopt;
    } catch (const kernel::Rejected&) {
      return std::nullopt;
    }
  }

  /// The nodes of which these are sums, through all sums below them.
  std::set<NodeId> terms_of(std::vector<NodeId> pending) const {
    std::set<NodeId> terms;
    std::set<NodeId> seen;
    while (!pending.empty()) {
      const NodeId n = pending.back();
      pending.pop_back();
      if (!seen.insert(n).second) continue;
      const Op op = graph_[n].op;
      if (op == Op::sum) {
        pending.insert(pending.end(), graph_[n].args.begin(), graph_[n].args.end());
      } else if (op != Op::constant && op != Op::boolean) {
        terms.insert(n);
      }
    }
    return terms;
  }

  /// The step that shows that a rewritten node equals its expression.
  std::optional<Equality> equality(const LemmaRecord::Rewrite& rewrite) {
    const auto known = equalities_.find(rewrite.node);
    if (known != equalities_.end()) return known->second;
    const bool is_bool = is_boolean(graph_[rewrite.node].op);
    Node says{};
    says.op = is_bool ? Op::logical_xor : Op::equal;
    says.args = {place(rewrite.node), place(rewrite.by)};
    const Literal differ{kernel_.define(std::move(says)), !is_bool};
    std::optional<Equality> found;
    // A fact that the normal form decides is about the expressions of both nodes.
    if (is_true(rewrite.fact)) {
      if (const auto step = admit_({{differ}, {}, {}, {}})) found = Equality{*step, {}, {}};
    } else {
      const std::set<NodeId> both{plain(rewrite.node).node, plain(rewrite.by).node};
      std::set<NodeId> free;
      free_below(rewrite.fact, both, free);
      const std::set<NodeId> said = free;
      free_around(rewrite.node, said, free);
      free_around(rewrite.by, said, free);
      keep_functions(free);
      found = equality_by_fact(rewrite.fact, differ, free);
      if (!found && !is_bool) {
        // The node and the fact may be sums of the same terms.
        std::vector<NodeId> roots{rewrite.node, rewrite.by};
        const std::vector<NodeId>& args = graph_[plain(rewrite.fact).node].args;
        roots.insert(roots.end(), args.begin(), args.end());
        free = terms_of(roots);
        keep_functions(free);
        found = equality_by_fact(rewrite.fact, differ, free);
      }
    }
    if (found) equalities_[rewrite.node] = *found;
    return found;
  }

  /// Steps that say that the expression in place of a node is in the node's range: with free nodes
  /// below it, it could be outside.
  std::vector<std::size_t> bounds_of(const LemmaRecord::Rewrite& rewrite, const Equality& equal) {
    const Range& range = graph_[rewrite.node].range;
    const Range& other = graph_[rewrite.by].range;
    std::vector<std::size_t> steps;
    for (const bool is_low : {true, false}) {
      if (is_low ? other.low >= range.low : other.high <= range.high) continue;
      const auto [known, is_new] = bounds_.try_emplace({rewrite.node, is_low});
      if (is_new) {
        Node bound{};
        bound.op = Op::constant;
        bound.value = is_low ? range.low : range.high;
        const NodeId limit = kernel_.define(std::move(bound));
        Node outside{};
        outside.op = Op::less;
        outside.args = {limit, place(rewrite.by)};
        if (is_low) std::swap(outside.args[0], outside.args[1]);
        Step step;
        step.refuted = equal.assumed;
        step.refuted.push_back({kernel_.define(std::move(outside))});
        step.premises = {equal.step};
        step.free = equal.free;
        for (const NodeId n : {rewrite.node, rewrite.by}) step.free.push_back(place(n));
        known->second = admit_(step);
      }
      if (known->second) steps.push_back(*known->second);
    }
    return steps;
  }

  std::optional<Equality> equality_by_fact(NodeId fact, const Literal& differ,
                                           const std::set<NodeId>& free) {
    const Proved& by = proved_.at(shown(fact).value());
    Equality found;
    std::set<NodeId> below;
    for (const NodeId p : by.assumed) {
      found.assumed.push_back(literal(p));
      free_unreached(p, {}, below);
    }
    for (const NodeId n : below) found.free.push_back(place(n));
    Step step;
    step.refuted = found.assumed;
    step.refuted.push_back(differ);
    step.premises = {by.step};
    below.insert(free.begin(), free.end());
    for (const NodeId n : below) step.free.push_back(place(n));
    const auto number = admit_(step);
    if (!number) return std::nullopt;
    found.step = *number;
    return found;
  }

  /// The last record, then the goal's conditions alone: these imply the premises, which are their
  /// conjuncts.
  bool conclude(const std::vector<NodeId>& goal_conditions) {
    std::vector<NodeId> conditions;
    for (const NodeId c : goal_conditions) conditions.push_back(of_.cone[c]);
    std::optional<Built> last;
    std::optional<std::size_t> number;
    for (const LemmaRecord& reading : readings_of(of_.records.back())) {
      last = step_of(reading, conditions);
      number = last ? admit_(last->step) : std::nullopt;
      if (number) break;
    }
    if (!number) return false;
    Step step;
    std::set<NodeId> free;
    const auto leave_open = [&](NodeId n) {
      const NodeId of = plain(n).node;
      const Op op = graph_[of].op;
      if (op != Op::logical_and && op != Op::boolean) free.insert(of);
    };
    for (const NodeId n : of_.premises) leave_open(n);
    for (const NodeId n : conditions) leave_open(n);
    for (const Literal& x : last->step.refuted) {
      if (x.node < of_.cone.size()) leave_open(of_.cone[x.node]);
    }
    for (const NodeId c : goal_conditions) step.refuted.push_back({c});
    step.premises = {*number};
    for (const NodeId n : free) step.free.push_back(place(n));
    return admit_(step).has_value();
  }

  const RecordedDerivation& of_;
  const Graph& graph_;
  kernel::Kernel& kernel_;
  const Admit& admit_;
  std::map<NodeId, NodeId> places_;  ///< the kernel's node for nodes of the derivation
  std::map<std::pair<NodeId, bool>, std::size_t> shown_by_;  ///< records by the literal they show
  std::map<std::size_t, Proved> proved_;                     ///< by record
  std::map<NodeId, Equality> equalities_;                    ///< by rewritten node
  /// The steps of bounds_of(); nullopt: none was admitted.
  std::map<std::pair<NodeId, bool>, std::optional<std::size_t>> bounds_;
};

}  // namespace

bool prove_by_records(const RecordedDerivation& derivation, kernel::Kernel& kernel,
                      const std::vector<NodeId>& goal_conditions, const Admit& admit) {
  return ByRecords(derivation, kernel, admit).prove(goal_conditions);
}

}  // namespace mmaspec
