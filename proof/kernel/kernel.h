#pragma once
/// The proof kernel: the only code that creates a kernel::Theorem. Code that finds proofs (search,
/// solvers, strategies) is not trusted: a mistake there causes a rejected step, never a wrong
/// theorem.
///
/// A step states that some Booleans, plain or negated, are never all true at once: a clause of
/// their negations, for all inputs on which all claims hold. There is one rule:
///
///     The circuit of the Booleans, with the words of some nodes fresh within their ranges, the
///     words of others replaced by those of equal nodes, and the clauses of earlier steps added,
///     cannot make all of them true. An LRAT proof says so.
///
/// Soundness: suppose that an input makes all of them true, and give each fresh word the value of
/// its node. The value is in its range, each gate computes its node's value (words.cpp), and each
/// earlier clause holds by its own step. A replaced word has its node's value: an earlier step
/// shows that both nodes are equal wherever the step's Booleans are all true, and no word is built
/// from itself. The circuit's clauses would then have a model, which the LRAT proof excludes.
///
/// With fresh words the rule proves facts from a part of the graph only (an abstraction, with
/// cutpoints). With earlier steps it is a proof by lemmas. With replaced words it is rewriting: two
/// expressions of equal nodes become one circuit. With a step for each of several cases, and one
/// that says that the cases are exhaustive, it is a proof by cases.

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "proof/kernel/goal.h"
#include "proof/sat/cnf.h"

namespace mmaspec::kernel {

/// A Boolean node, or its negation.
struct Literal {
  NodeId node;
  bool negated = false;
  friend bool operator==(const Literal&, const Literal&) = default;
};

/// A node whose word is replaced by that of another node. The premise, an earlier step, must refute
/// that the two differ, apart from literals that the new step refutes too: the negation of an
/// `equal` node of the two, or for Booleans their `logical_xor` node.
struct Rewrite {
  NodeId node;
  NodeId by;
  std::size_t premise;  ///< number of an earlier step, from 0
  friend bool operator==(const Rewrite&, const Rewrite&) = default;
};

struct Step {
  std::vector<Literal> refuted;            ///< literals that are never all true at once
  std::vector<NodeId> free = {};           ///< nodes of which the proof uses only the range
  std::vector<std::size_t> premises = {};  ///< numbers of earlier steps, from 0
  std::vector<Rewrite> rewrites = {};      ///< of nodes that are not free
};

/// Thrown by the kernel for a step that does not follow or is malformed.
class Rejected : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A goal that holds. Only Kernel::theorem() creates it.
class Theorem {
 public:
  const Goal& goal() const { return goal_; }
  std::size_t steps() const { return steps_; }
  /// Number of nodes of the goal that are claims: the theorem concerns inputs on which they hold.
  std::size_t claims() const { return claims_; }

 private:
  friend class Kernel;
  Theorem(Goal goal, std::size_t steps);
  Goal goal_;
  std::size_t steps_;
  std::size_t claims_ = 0;
};

class Kernel {
 public:
  /// Throws OutOfDomain (proof/kernel/ranges.h).
  explicit Kernel(Goal goal);

  const TermGraph& graph() const { return graph_; }
  const std::vector<Range>& ranges() const { return ranges_; }
  std::size_t steps() const { return steps_.size(); }

  /// Defines a term that later steps may use: a node over existing nodes that is not an input and
  /// not a claim. Throws Rejected.
  NodeId define(Node node);

  /// The clauses for which an LRAT proof admits the step. Throws Rejected if the step is malformed.
  Cnf clauses_of(const Step& step) const;

  /// Admits the step and returns its number. Throws Rejected unless the text is an LRAT proof
  /// (proof/sat/lrat.h) of clauses_of(step).
  std::size_t admit(const Step& step, std::string_view lrat);
  /// The same with a proof that is a function of the clauses; throws what that function throws.
  std::size_t admit(const Step& step, const std::function<std::string(const Cnf&)>& lrat_of);

  /// The goal, after a step has refuted some of its conditions. Throws Rejected before.
  Theorem theorem() const;

 private:
  void require_node(NodeId id) const;
  void require_boolean(const Literal& literal) const;
  void require_equal(const Rewrite& rewrite, const std::vector<Literal>& refuted) const;

  Goal goal_;
  TermGraph graph_;  ///< the goal's nodes, and defined ones
  std::vector<Range> ranges_;
  std::vector<Step> steps_;
};

}  // namespace mmaspec::kernel
