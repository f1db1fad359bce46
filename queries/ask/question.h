#pragma once
/// Existential questions, "is there an input on which all of these conditions hold?", and their
/// answers.
///
/// Each strategy is sound for the answers that it gives. If the inputs are few, enumeration tries
/// all of them. `search` and `restrict` find witnesses and never prove. `relax`, `weaken` and `cut`
/// prove; a model that they find is not a witness. `split` does both. The language normalizes both
/// sides of a question while they are built, which often decides the question at once.

#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "concrete/batch/evaluator.h"
#include "queries/ask/strategy.h"
#include "queries/statement/justification.h"
#include "queries/statement/operands.h"
#include "solver/solver.h"
#include "spec/formats/format.h"
#include "spec/lang/substitute.h"

namespace mmaspec {

/// Reduces the set of inputs: replaces some of the graph's inputs by constants or by expressions
/// over new inputs.
struct Restriction {
  std::string name;
  std::function<void(const Graph& graph, Substitution& copy)> apply;
};

/// Replaces nodes in a copy of a question, and returns the conditions that then hold in addition.
using Change = std::function<std::vector<Bool>(Substitution& copy)>;

/// Fills lanes with candidates, which may or may not satisfy the question: one row for each of the
/// graph's inputs. Each call gives new candidates.
using Candidates = std::function<void(Lanes& inputs)>;

/// What derivations need to know of a question about two executions, or about one.
struct ComparedRuns {
  Graph* graph;                  ///< the question's, in which they build nodes
  NodeId first;                  ///< the result of one execution
  NodeId second;                 ///< the result of the other
  std::vector<NodeId> premises;  ///< the conjuncts of the conditions that are assumed
  std::vector<NodeId> violated;  ///< the other conditions
  const Format* result;          ///< the format of the results
};

struct Question {
  const Graph* graph;
  std::vector<NodeId> conditions;  ///< Booleans that must all hold
  /// Facts that follow from the conditions, such as nodes that are equal wherever the conditions
  /// hold. Every strategy applies them first.
  Change given = {};
  /// Creates a source of candidates from a seed. Empty: there is no search.
  std::function<Candidates(unsigned seed)> candidates = {};
  /// Approximate cost of drawing one value of a candidate, in operations of the batch evaluator.
  std::size_t drawing = 60;
  std::vector<Restriction> restrictions = {};
  /// Abstractions for proofs, from the coarsest on. Each replaces some nodes by variables that are
  /// free, or limited only by known facts about the nodes.
  std::vector<Change> cuts = {};
  /// Number of cuts, counted from the first, that use proved relations between two executions.
  std::size_t cuts_at_lemmas = 0;
  /// Not set: the question has no derivation.
  std::optional<ComparedRuns> compared = {};
};

struct Reply {
  Verdict verdict = Verdict::unknown;
  InputValues witness;  ///< if satisfiable: confirmed by the exact evaluator on the graph
  Justification justification;
  double seconds = 0;
  std::vector<AttemptReport> attempts;  ///< all attempts, in the order in which they ended
};

/// Thrown if a solver's model does not evaluate to what the solver claimed, or if two strategies
/// contradict each other: a bug in this library or in a solver. what() has all data needed to
/// reproduce it.
class Contradiction : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// Replaces the node by a fresh variable of the node's range, unless earlier replacements determine
/// it.
void havoc(const Graph& from, NodeId node, Substitution& copy);

/// Replaces all these nodes by fresh variables.
Change havoc(const Graph& from, std::vector<NodeId> nodes);

/// Replaces these aligned terms by fresh variables. The bound of each is the largest magnitude of
/// its format shifted right as the largest exponent demands. This keeps the fact that a product of
/// small factors is negligible next to a large c.
Change set_free_within_reach(const Graph& from, std::vector<NodeId> aligned);

/// True if some condition is the constant false, so that the question is unsatisfiable.
bool is_one_expression(const Question& question);

/// A portfolio for questions that are only searched or proved analytically.
inline Portfolio no_solvers() { return Portfolio(std::vector<std::unique_ptr<Backend>>(), {}); }

/// Gives the unchanged formula to the solvers for a short time, because they decide most questions
/// that they can decide at once: below one second, or a few seconds if the search is off or if
/// conditions simplify much of the formula (`is_folded`). Throws Contradiction.
Reply ask_at_once(const Question& question, const Strategies& strategies, const Portfolio& solvers,
                  bool is_folded = false);

/// Answers the question by all strategies in use. Throws Contradiction.
Reply ask(const Question& question, const Strategies& strategies, const Portfolio& solvers);

}  // namespace mmaspec
