// The search for proof objects: which part of a goal a SAT solver is asked about, in which order.

#include "certify/prove_goal.h"

#include <algorithm>

#include "proof/kernel/proof.h"
#include "proof/kernel/ranges.h"
#include "proof/recorded/cadical.h"

namespace mmaspec {
namespace {

/// Bits beyond which a number is one of a whole exponent range.
constexpr unsigned kWideBits = 140;

/// Shares of the time left: for the whole formula at first, and for each abstraction of it.
constexpr double kFirstShare = 0.15;
constexpr double kAbstractionShare = 0.25;

class GoalProver {
 public:
  GoalProver(const Question& question, std::string scratch, const Deadline& deadline)
      : question_(question),
        cone_(question.graph->cone(question.conditions)),
        scratch_(std::move(scratch)),
        deadline_(deadline),
        goal_(kernel::goal_of(*question.graph, question.conditions)),
        kernel_(goal_) {}

  std::optional<GoalProof> run() {
    const std::vector<NodeId> all = distinct_conditions();
    if (attempt(all, {}, kFirstShare)) return found();
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

  /// The conditions that need no numbers of a whole exponent range.
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

  /// Sets of nodes whose results a proof may not need: products, and what the question's cuts make
  /// free without saying anything of it.
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
    try {
      cut(copy);
    } catch (const std::logic_error&) {
      return {};  // it does not apply
    }
    std::vector<NodeId> free;
    for (std::size_t i = 0; i < cone_.size(); ++i) {
      const Op op = (*question_.graph)[cone_[i]].op;
      if (op == Op::constant || op == Op::boolean || op == Op::input) continue;
      if (copy.determines(cone_[i])) free.push_back(static_cast<NodeId>(i));
    }
    return free;
  }

  bool attempt(const std::vector<NodeId>& conditions, const std::vector<NodeId>& free,
               double share) {
    if (deadline_.passed()) return false;
    kernel::Step step;
    for (const NodeId c : conditions) step.refuted.push_back({c});
    step.free = free;
    const Cnf clauses = kernel_.clauses_of(step);
    CheckedProof proof =
        prove_unsatisfiable(clauses, to_dimacs(clauses), scratch_, deadline_.part(share));
    if (proof.lrat.empty()) return false;
    lines_ += kernel::step_line(step, clauses);
    kernel_.admit(step, proof.lrat);
    lrat_.push_back(std::move(proof.lrat));
    return true;
  }

  GoalProof found() const { return {kernel::to_json(goal_), lines_, lrat_}; }

  const Question& question_;
  const std::vector<NodeId> cone_;  ///< nodes of the question's graph; the goal's are their places
  const std::string scratch_;
  const Deadline deadline_;
  const kernel::Goal goal_;
  kernel::Kernel kernel_;
  std::string lines_;
  std::vector<std::string> lrat_;
};

}  // namespace

std::optional<GoalProof> prove_goal(const Question& question, const std::string& scratch,
                                    const Deadline& deadline) {
  try {
    return GoalProver(question, scratch, deadline).run();
  } catch (const kernel::OutOfDomain&) {
    return std::nullopt;
  }
}

}  // namespace mmaspec
