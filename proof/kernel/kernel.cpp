// The rule of the kernel, and its side conditions.

#include "proof/kernel/kernel.h"

#include <algorithm>
#include <string>
#include <utility>

#include "proof/kernel/ranges.h"
#include "proof/kernel/words.h"
#include "proof/sat/lrat.h"

namespace mmaspec::kernel {

Theorem::Theorem(Goal goal, std::size_t steps) : goal_(std::move(goal)), steps_(steps) {
  claims_ =
      static_cast<std::size_t>(std::count_if(goal_.graph.nodes.begin(), goal_.graph.nodes.end(),
                                             [](const Node& n) { return n.op == Op::claim; }));
}

Kernel::Kernel(Goal goal) : goal_(std::move(goal)), graph_(goal_.graph) {
  extend_ranges(graph_, ranges_);
}

void Kernel::require_node(NodeId id) const {
  if (id >= graph_.nodes.size()) throw Rejected("a step has a node that is not there");
}

void Kernel::require_boolean(const Literal& literal) const {
  require_node(literal.node);
  if (!is_boolean(graph_.nodes[literal.node].op)) {
    throw Rejected("a step refutes a node that is not Boolean");
  }
}

/// The premise's only literal that is not among the refuted ones says that the nodes differ.
void Kernel::require_equal(const Rewrite& rewrite, const std::vector<Literal>& refuted) const {
  require_node(rewrite.node);
  require_node(rewrite.by);
  if (rewrite.premise >= steps_.size()) {
    throw Rejected("a rewriting has a premise that does not precede it");
  }
  std::vector<Literal> rest = steps_[rewrite.premise].refuted;
  std::erase_if(rest, [&](const Literal& x) {
    return std::find(refuted.begin(), refuted.end(), x) != refuted.end();
  });
  const std::vector<NodeId> pair{rewrite.node, rewrite.by};
  const bool is_equality =
      rest.size() == 1 &&
      graph_.nodes[rest[0].node].op == (rest[0].negated ? Op::equal : Op::logical_xor) &&
      std::is_permutation(pair.begin(), pair.end(), graph_.nodes[rest[0].node].args.begin(),
                          graph_.nodes[rest[0].node].args.end());
  if (!is_equality)
    throw Rejected("the premise of a rewriting does not say that the nodes are equal");
}

NodeId Kernel::define(Node node) {
  // An input would not be one of the goal's, and a claim would restrict the goal.
  if (node.op == Op::input || node.op == Op::claim) {
    throw Rejected("a definition of an input or a claim");
  }
  try {
    const NodeId id = graph_.add(std::move(node));
    extend_ranges(graph_, ranges_);
    return id;
  } catch (const std::invalid_argument& error) {
    graph_.nodes.resize(ranges_.size());
    throw Rejected(error.what());
  }
}

Cnf Kernel::clauses_of(const Step& step) const {
  std::vector<bool> is_free(graph_.nodes.size());
  for (const NodeId id : step.free) {
    require_node(id);
    is_free[id] = true;
  }
  std::vector<std::optional<NodeId>> by(graph_.nodes.size());
  for (const Rewrite& rewrite : step.rewrites) {
    require_equal(rewrite, step.refuted);
    if (is_free[rewrite.node] || by[rewrite.node]) {
      throw Rejected("a step has two words for a node");
    }
    by[rewrite.node] = rewrite.by;
  }
  std::vector<NodeId> roots;
  const auto add = [&](const std::vector<Literal>& literals) {
    for (const Literal& literal : literals) {
      require_boolean(literal);
      roots.push_back(literal.node);
    }
  };
  if (step.refuted.empty()) throw Rejected("a step refutes nothing");
  add(step.refuted);
  for (const std::size_t premise : step.premises) {
    if (premise >= steps_.size()) throw Rejected("a step has a premise that does not precede it");
    add(steps_[premise].refuted);
  }

  Words words(graph_, ranges_, is_free, by);
  if (!words.make(roots)) throw Rejected("a word is built from itself");
  const auto truth_of = [&](const Literal& literal) {
    const CnfLiteral x = words.literal(literal.node);
    return literal.negated ? -x : x;
  };
  for (const Literal& literal : step.refuted) words.circuit().assert_true(truth_of(literal));
  for (const std::size_t premise : step.premises) {
    std::vector<CnfLiteral> all;
    for (const Literal& literal : steps_[premise].refuted) all.push_back(truth_of(literal));
    words.circuit().assert_true(-words.circuit().conjunction(std::move(all)));
  }
  return std::move(words.circuit().cnf());
}

std::size_t Kernel::admit(const Step& step, std::string_view lrat) {
  return admit(step, [&](const Cnf&) { return std::string(lrat); });
}

std::size_t Kernel::admit(const Step& step, const std::function<std::string(const Cnf&)>& lrat_of) {
  const Cnf clauses = clauses_of(step);
  const std::string fault = fault_of_lrat(clauses, lrat_of(clauses));
  if (!fault.empty()) throw Rejected("step " + std::to_string(steps_.size() + 1) + ": " + fault);
  steps_.push_back(step);
  return steps_.size() - 1;
}

Theorem Kernel::theorem() const {
  const auto is_condition = [&](const Literal& literal) {
    return !literal.negated && std::find(goal_.conditions.begin(), goal_.conditions.end(),
                                         literal.node) != goal_.conditions.end();
  };
  const bool is_proved = std::any_of(steps_.begin(), steps_.end(), [&](const Step& step) {
    return std::all_of(step.refuted.begin(), step.refuted.end(), is_condition);
  });
  if (!is_proved) throw Rejected("no step refutes conditions of the goal alone");
  return Theorem(goal_, steps_.size());
}

}  // namespace mmaspec::kernel
