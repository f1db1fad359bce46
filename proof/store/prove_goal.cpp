// Searches proof objects: selects which part of a goal to give to a SAT solver, and in which order.

#include "proof/store/prove_goal.h"

#include <algorithm>
#include <map>
#include <set>

#include "concrete/evaluator.h"
#include "proof/kernel/proof.h"
#include "proof/kernel/ranges.h"
#include "proof/recorded/cadical.h"
#include "proof/store/prove_records.h"
#include "queries/ask/buildable.h"
#include "queries/relations/relations.h"

namespace mmaspec {
namespace {

/// Width in bits above which a number spans a whole exponent range.
constexpr unsigned kWideBits = 140;

/// Shares of the remaining time: for the whole formula at first, and for each abstraction of it.
constexpr double kFirstShare = 0.15;
constexpr double kFirstSeconds = 5;
constexpr double kDeriveShare = 0.4;
constexpr double kDerivationShare = 0.7;
constexpr double kLemmaShare = 0.4;  // of the rest of this, for each attempt at a lemma
constexpr double kEqualitiesShare = 0.6;
constexpr double kAbstractionShare = 0.25;

/// Bytes of LRAT above which a smaller proof is looked for, and the time for that.
constexpr std::size_t kSmallProof = 50'000;
constexpr double kSmallerShare = 0.25;

/// Number of inputs drawn to find nodes that may be equal, and how many of them must satisfy the
/// premises.
constexpr std::size_t kSamples = 256;
constexpr std::size_t kLeastSamples = 32;
/// Time limit for a lemma.
constexpr double kLemmaSeconds = 1;

class GoalProver {
 public:
  GoalProver(const Question& question, std::string scratch, const Portfolio& solvers,
             const Deadline& deadline)
      : question_(question),
        solvers_(solvers),
        cone_(question.graph->cone(question.conditions)),
        scratch_(std::move(scratch)),
        deadline_(deadline),
        goal_(kernel::goal_of(*question.graph, question.conditions)),
        kernel_(goal_) {}

  /// A proof by parts of the formula: equal nodes, or intermediate results as free variables.
  std::optional<GoalProof> run_by_parts() {
    const std::vector<NodeId> all = distinct_conditions();
    if (attempt_by_equalities(all)) return found();
    for (const std::vector<NodeId>& free : abstractions()) {
      if (attempt(all, free, kAbstractionShare)) return found();
    }
    return std::nullopt;
  }

  std::optional<GoalProof> run() {
    const std::vector<NodeId> all = distinct_conditions();
    const auto soon = [&] {
      return earlier(deadline_.part(kFirstShare), Deadline::in(kFirstSeconds));
    };
    if (attempt_by_constants(all, soon()) || attempt(all, {}, soon())) return found();
    // Sums of integers are sooner proved equal node by node.
    const bool is_of_integers = question_.compared && question_.compared->result->is_integer();
    if (!is_of_integers && attempt_by_derivation()) return found();
    if (attempt_by_equalities(all)) return found();
    if (is_of_integers && attempt_by_derivation()) return found();
    const std::vector<NodeId> narrow = narrow_conditions(all);
    for (const std::vector<NodeId>& free : abstractions()) {
      if (narrow.size() < all.size() && attempt(narrow, free, kAbstractionShare)) return found();
      if (attempt(all, free, kAbstractionShare)) return found();
    }
    if (narrow.size() < all.size() && attempt(narrow, {}, kAbstractionShare)) return found();
    if (attempt(all, {}, 1)) return found();
    return std::nullopt;
  }

 private:
  std::vector<NodeId> distinct_conditions() const {
    std::vector<NodeId> all = goal_.conditions;
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }

  /// The conditions whose numbers do not span a whole exponent range.
  std::vector<NodeId> narrow_conditions(const std::vector<NodeId>& all) const {
    std::vector<bool> is_wide(goal_.graph.nodes.size());
    for (std::size_t i = 0; i < is_wide.size(); ++i) {
      const std::vector<NodeId>& args = goal_.graph.nodes[i].args;
      is_wide[i] = kernel::width_of(kernel_.ranges()[i]) > kWideBits ||
                   std::any_of(args.begin(), args.end(), [&](NodeId a) { return is_wide[a]; });
    }
    std::vector<NodeId> narrow;
    for (const NodeId c : all) {
      if (!is_wide[c]) narrow.push_back(c);
    }
    return narrow.empty() ? all : narrow;
  }

  /// Sets of nodes whose values a proof may not need: products, and the nodes that the question's
  /// cuts replace by unrestricted variables.
  std::vector<std::vector<NodeId>> abstractions() const {
    std::vector<std::vector<NodeId>> sets;
    std::vector<NodeId> products;
    for (std::size_t i = 0; i < goal_.graph.nodes.size(); ++i) {
      if (goal_.graph.nodes[i].op == Op::product) products.push_back(static_cast<NodeId>(i));
    }
    if (!products.empty()) sets.push_back(products);
    for (const Change& cut : question_.cuts) {
      std::vector<NodeId> free = freed_by(cut);
      if (!free.empty() && std::find(sets.begin(), sets.end(), free) == sets.end()) {
        sets.push_back(std::move(free));
      }
    }
    return sets;
  }

  std::vector<NodeId> freed_by(const Change& cut) const {
    Graph scratch;
    const Graph::Building building(scratch);
    Substitution copy(*question_.graph);
    if (!build_if_possible([&] { return cut(copy); }).value) return {};  // it does not apply
    std::vector<NodeId> free;
    for (std::size_t i = 0; i < cone_.size(); ++i) {
      const Op op = (*question_.graph)[cone_[i]].op;
      if (op == Op::constant || op == Op::boolean || op == Op::input) continue;
      if (copy.determines(cone_[i])) free.push_back(static_cast<NodeId>(i));
    }
    return free;
  }

  bool attempt(const std::vector<NodeId>& conditions, const std::vector<NodeId>& free,
               const Deadline& deadline) {
    kernel::Step step;
    for (const NodeId c : conditions) step.refuted.push_back({c});
    step.free = free;
    return admits(step, deadline);
  }
  bool attempt(const std::vector<NodeId>& conditions, const std::vector<NodeId>& free,
               double share) {
    return attempt(conditions, free, deadline_.part(share));
  }

  /// Adds the step if CaDiCaL proves it before the deadline.
  bool admits(const kernel::Step& step, const Deadline& deadline) {
    if (deadline.passed()) return false;
    struct NotProved {};
    std::string lrat;
    try {
      kernel_.admit(step, [&](const Cnf& clauses) {
        lrat = prove_unsatisfiable(clauses, to_dimacs(clauses), scratch_, deadline).lrat;
        if (lrat.empty()) throw NotProved();
        return lrat;
      });
    } catch (const NotProved&) {
      return false;
    }
    steps_.push_back(step);
    lrat_.push_back(std::move(lrat));
    return true;
  }

  /// A lemma's statement that two nodes are equal, or negations of each other.
  struct Equality {
    NodeId node;
    NodeId other;
    std::size_t step;
  };

  /// Values of the goal's nodes on drawn inputs; empty if the question has no candidates.
  std::vector<std::vector<Integer>> drawn_values() const {
    const Graph& graph = *question_.graph;
    std::vector<std::vector<Integer>> all;
    if (!question_.candidates) return all;
    Lanes lanes(graph.inputs().size(), kSamples);
    question_.candidates(0)(lanes);
    const ExactEvaluator evaluator(graph, question_.conditions);
    ExactEvaluator::Values values = evaluator.scratch();
    for (std::size_t lane = 0; lane < kSamples; ++lane) {
      InputValues inputs;
      for (std::size_t i = 0; i < lanes.rows(); ++i) inputs.emplace_back(lanes[i][lane]);
      try {
        evaluator.evaluate(inputs, values);
      } catch (const ClaimViolated&) {
        continue;
      }
      std::vector<Integer>& of_goal = all.emplace_back();
      for (const NodeId id : cone_) of_goal.push_back(values[id]);
    }
    return all;
  }

  /// Conditions that hold on most drawn inputs; the goal refutes the others. Keeps the samples on
  /// which they hold.
  std::vector<NodeId> premises_among(const std::vector<NodeId>& conditions,
                                     std::vector<std::vector<Integer>>& samples) const {
    std::vector<NodeId> premises;
    for (const NodeId c : conditions) {
      const auto holds = std::count_if(samples.begin(), samples.end(),
                                       [&](const auto& values) { return values[c] != 0; });
      if (2 * static_cast<std::size_t>(holds) > samples.size()) premises.push_back(c);
    }
    std::erase_if(samples, [&](const auto& values) {
      return std::any_of(premises.begin(), premises.end(),
                         [&](NodeId c) { return values[c] == 0; });
    });
    return premises;
  }

  std::vector<bool> cone_of(const std::vector<NodeId>& roots) const {
    const std::vector<Node>& nodes = kernel_.graph().nodes;
    std::vector<bool> in_cone(nodes.size());
    for (const NodeId root : roots) in_cone[root] = true;
    for (std::size_t i = nodes.size(); i-- > 0;) {
      if (!in_cone[i]) continue;
      for (const NodeId arg : nodes[i].args) in_cone[arg] = true;
    }
    return in_cone;
  }

  /// Adds to the step what it leaves out: everything below the nodes of these equalities, which
  /// become its premises, and below the `shared` nodes. With `deep`, an equality only leaves out
  /// what is below its later node.
  void cut(const std::vector<NodeId>& roots, const std::vector<Equality>& equalities,
           const std::vector<bool>& shared, bool deep, kernel::Step& step) const {
    const std::vector<Node>& nodes = kernel_.graph().nodes;
    std::vector<std::vector<const Equality*>> of_node(nodes.size());
    for (const Equality& e : equalities) {
      of_node[e.node].push_back(&e);
      if (!deep) of_node[e.other].push_back(&e);
    }
    std::vector<bool> seen(nodes.size());
    std::vector<NodeId> pending = roots;
    std::set<NodeId> free;
    std::set<std::size_t> premises;
    while (!pending.empty()) {
      const NodeId id = pending.back();
      pending.pop_back();
      if (seen[id]) continue;
      seen[id] = true;
      const bool is_root = std::find(roots.begin(), roots.end(), id) != roots.end();
      if (is_root || (of_node[id].empty() && !(id < shared.size() && shared[id]))) {
        pending.insert(pending.end(), nodes[id].args.begin(), nodes[id].args.end());
        continue;
      }
      free.insert(id);
      for (const Equality* e : of_node[id]) {
        premises.insert(e->step);
        if (deep) {
          pending.push_back(e->other);
        } else {
          free.insert({e->node, e->other});
        }
      }
    }
    for (const NodeId root : roots) free.erase(root);
    step.free.assign(free.begin(), free.end());
    step.premises.assign(premises.begin(), premises.end());
  }

  /// Cuts at all nodes that both nodes share, and at equalities between nodes below one and nodes
  /// below the other.
  void cut_between(NodeId x, NodeId y, const std::vector<Equality>& known,
                   kernel::Step& step) const {
    const std::vector<bool> of_x = cone_of({x});
    const std::vector<bool> of_y = cone_of({y});
    std::vector<Equality> across;
    std::copy_if(known.begin(), known.end(), std::back_inserter(across), [&](const Equality& e) {
      const bool is_one_sided = (of_x[e.node] && of_x[e.other]) || (of_y[e.node] && of_y[e.other]);
      return !is_one_sided && ((of_x[e.node] && of_y[e.other]) || (of_y[e.node] && of_x[e.other]));
    });
    std::vector<bool> shared(of_x.size());
    for (std::size_t i = 0; i < shared.size(); ++i) {
      const Op op = kernel_.graph().nodes[i].op;
      const bool is_leaf = op == Op::constant || op == Op::boolean || op == Op::input;
      shared[i] = of_x[i] && of_y[i] && !is_leaf;
    }
    cut({x, y}, across, shared, false, step);
  }

  /// The steps of a derivation from relations between the nodes of two executions.
  bool attempt_by_derivation() {
    if (!question_.compared || !question_.candidates) return false;
    const Deadline until = deadline_.part(kDerivationShare);
    const std::size_t size = question_.graph->size();
    std::vector<AttemptReport> attempts;
    const auto derived = derive_by_relations(mmaspec::goal_of(question_), solvers_,
                                             deadline_.part(kDeriveShare), attempts);
    if (!derived) return false;
    const RecordedDerivation recorded{*question_.graph, size, cone_, question_.compared->premises,
                                      derived->records};
    return prove_by_records(recorded, kernel_, goal_.conditions,
                            [&](const kernel::Step& step) -> std::optional<std::size_t> {
                              if (!admits(step, until.part(kLemmaShare))) return std::nullopt;
                              return kernel_.steps() - 1;
                            });
  }

  struct Constant {
    NodeId node;
    Integer value;
  };

  /// Integer nodes of the goal that the question's given facts replace by constants.
  std::vector<Constant> given_constants() const {
    std::vector<Constant> constants;
    if (!question_.given) return constants;
    Graph scratch;
    const Graph::Building building(scratch);
    Substitution copy(*question_.graph);
    const auto facts = build_if_possible([&] { return question_.given(copy); });
    if (!facts.value || !facts.value->empty()) return constants;
    for (std::size_t i = 0; i < cone_.size(); ++i) {
      const Op op = (*question_.graph)[cone_[i]].op;
      if (op == Op::constant || is_boolean(op) || !copy.determines(cone_[i])) continue;
      const Range& range = scratch[copy.integer(cone_[i]).id()].range;
      if (range.is_point()) constants.push_back({static_cast<NodeId>(i), range.low});
    }
    return constants;
  }

  /// Proves that nodes which follow from one of the conditions are constants, and then the goal
  /// with these constants instead of the nodes.
  bool attempt_by_constants(const std::vector<NodeId>& conditions, const Deadline& until) {
    kernel::Step step;
    for (const NodeId c : conditions) step.refuted.push_back({c});
    for (const Constant& given : given_constants()) {
      Node constant{};
      constant.op = Op::constant;
      constant.value = given.value;
      const NodeId value = kernel_.define(std::move(constant));
      Node equal{};
      equal.op = Op::equal;
      equal.args = {given.node, value};
      const NodeId is_equal = kernel_.define(std::move(equal));
      const bool follows = std::any_of(conditions.begin(), conditions.end(), [&](NodeId c) {
        kernel::Step lemma;
        lemma.refuted = {{is_equal, true}, {c}};
        return admits(lemma, earlier(until, Deadline::in(kLemmaSeconds)));
      });
      if (!follows) return false;
      step.rewrites.push_back({given.node, value, kernel_.steps() - 1});
    }
    return !step.rewrites.empty() && admits(step, until);
  }

  /// SAT sweeping on words: nodes that are equal on all drawn inputs are proved equal one after
  /// another, each from the equal nodes below it.
  bool attempt_by_equalities(const std::vector<NodeId>& conditions) {
    std::vector<std::vector<Integer>> samples = drawn_values();
    const std::vector<NodeId> premises = premises_among(conditions, samples);
    if (samples.size() < kLeastSamples || premises.size() == conditions.size()) return false;
    const Deadline until = deadline_.part(kEqualitiesShare);
    std::map<std::vector<Integer>, NodeId> first_of;
    std::vector<Equality> known;
    for (std::size_t i = 0; i < goal_.graph.nodes.size() && !until.passed(); ++i) {
      const Op op = goal_.graph.nodes[i].op;
      if (op == Op::constant || op == Op::boolean) continue;
      std::vector<Integer> signature;
      for (const auto& values : samples) signature.push_back(values[i]);
      const bool is_constant = std::all_of(signature.begin(), signature.end(),
                                           [&](const Integer& x) { return x == signature[0]; });
      if (is_constant) continue;
      const auto id = static_cast<NodeId>(i);
      if (const auto same = first_of.find(signature); same != first_of.end()) {
        add_equality(id, same->second, same->second, premises, until, known);
      } else if (!is_boolean(op)) {
        std::vector<Integer> opposite = signature;
        for (Integer& x : opposite) x = -x;
        if (const auto other = first_of.find(opposite); other != first_of.end()) {
          Node negation{};
          negation.op = Op::sum;
          negation.args = {other->second};
          negation.coefficients = {-1};
          add_equality(id, other->second, kernel_.define(std::move(negation)), premises, until,
                       known);
        }
      }
      first_of.try_emplace(std::move(signature), id);
    }
    if (known.empty()) return false;
    kernel::Step step;
    for (const NodeId c : conditions) step.refuted.push_back({c});
    for (const bool deep : {true, false}) {
      cut(conditions, known, {}, deep, step);
      if (admits(step, deadline_.part(kAbstractionShare))) return true;
    }
    return false;
  }

  /// Adds the lemma that the node equals `value`, an expression of `other`, if it is proved: for
  /// all inputs, or for those that satisfy the premises.
  void add_equality(NodeId node, NodeId other, NodeId value, const std::vector<NodeId>& premises,
                    const Deadline& until, std::vector<Equality>& known) {
    Node equal{};
    equal.op = Op::equal;
    equal.args = {node, value};
    const NodeId is_equal = kernel_.define(std::move(equal));
    const auto is_proved = [&](bool deep, bool with_premises) {
      kernel::Step step;
      step.refuted = {{is_equal, true}};
      if (with_premises) {
        for (const NodeId p : premises) step.refuted.push_back({p});
      }
      if (deep) {
        cut({node, other}, known, {}, true, step);
      } else {
        cut_between(node, other, known, step);
      }
      return admits(step, earlier(until, Deadline::in(kLemmaSeconds)));
    };
    const bool found = is_proved(false, false) || is_proved(true, false) ||
                       (!premises.empty() && is_proved(true, true));
    if (found) known.push_back({node, other, kernel_.steps() - 1});
  }

  /// The steps on which the last one depends, and the definitions that they use, in order.
  GoalProof found() const {
    std::vector<bool> is_needed(steps_.size());
    is_needed.back() = true;
    std::set<NodeId> nodes;
    for (std::size_t i = steps_.size(); i-- > 0;) {
      if (!is_needed[i]) continue;
      for (const std::size_t premise : steps_[i].premises) is_needed[premise] = true;
      for (const kernel::Rewrite& r : steps_[i].rewrites) {
        is_needed[r.premise] = true;
        nodes.insert({r.node, r.by});
      }
      for (const kernel::Literal& x : steps_[i].refuted) nodes.insert(x.node);
      nodes.insert(steps_[i].free.begin(), steps_[i].free.end());
    }
    const std::vector<bool> in_cone = cone_of({nodes.begin(), nodes.end()});
    kernel::Kernel kernel(goal_);
    GoalProof proof{kernel::to_json(goal_), "", {}};
    std::vector<NodeId> places(in_cone.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
      places[i] = static_cast<NodeId>(i);
      if (i < goal_.graph.nodes.size() || !in_cone[i]) continue;
      Node node = kernel_.graph().nodes[i];
      for (NodeId& arg : node.args) arg = places[arg];
      places[i] = kernel.define(std::move(node));
      proof.proof += kernel::define_line(kernel.graph(), places[i]);
    }
    std::vector<std::size_t> numbers(steps_.size());
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      if (!is_needed[i]) continue;
      kernel::Step step = steps_[i];
      for (kernel::Literal& x : step.refuted) x.node = places[x.node];
      for (NodeId& id : step.free) id = places[id];
      for (std::size_t& premise : step.premises) premise = numbers[premise];
      for (kernel::Rewrite& r : step.rewrites) {
        r = {places[r.node], places[r.by], numbers[r.premise]};
      }
      proof.proof += kernel::step_line(step, kernel.clauses_of(step));
      numbers[i] = kernel.admit(step, lrat_[i]);
      proof.lrat.push_back(lrat_[i]);
    }
    return proof;
  }

  const Question& question_;
  const Portfolio& solvers_;        ///< which find derivations
  const std::vector<NodeId> cone_;  ///< nodes of the question's graph, by index in the goal
  const std::string scratch_;
  const Deadline deadline_;
  const kernel::Goal goal_;
  kernel::Kernel kernel_;
  std::vector<kernel::Step> steps_;  ///< admitted by the kernel, with their proofs
  std::vector<std::string> lrat_;
};

std::size_t bytes_of(const GoalProof& proof) {
  std::size_t bytes = proof.proof.size();
  for (const std::string& lrat : proof.lrat) bytes += lrat.size();
  return bytes;
}

}  // namespace

std::optional<GoalProof> prove_goal(const Question& question, const std::string& scratch,
                                    const Portfolio& solvers, const Deadline& deadline) {
  try {
    std::optional<GoalProof> proof = GoalProver(question, scratch, solvers, deadline).run();
    if (!proof || bytes_of(*proof) <= kSmallProof) return proof;
    const Deadline until = earlier(deadline.part(kSmallerShare), Deadline::in(kFirstSeconds));
    std::optional<GoalProof> smaller = GoalProver(question, scratch, solvers, until).run_by_parts();
    return smaller && bytes_of(*smaller) < bytes_of(*proof) ? smaller : proof;
  } catch (const kernel::OutOfDomain&) {
    return std::nullopt;
  }
}

}  // namespace mmaspec
