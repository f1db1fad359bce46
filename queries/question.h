#pragma once
/// "Is there an input on which all of these hold?", and the strategies that answer it.
///
/// Each strategy is sound for the answer it gives. Search and restriction find witnesses, and prove
/// nothing; relaxation and cutting prove, and what they find instead is no witness; splitting does
/// both. The two sides of a question were brought to normal form as the language built them, which
/// often leaves nothing to ask.

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "solver/solver.h"
#include "spec/lang/substitute.h"

namespace mmaspec {

/// Values of a graph's inputs, in the order of Graph::inputs().
using InputValues = std::vector<Integer>;

/// Fewer inputs: replaces some of the graph's inputs by constants or by expressions over new ones.
struct Restriction {
  std::string name;
  std::function<void(const Graph& graph, Substitution& copy)> apply;
};

/// Draws one candidate after the other: values that may answer the question, or not.
using Candidates = std::function<InputValues()>;

struct Question {
  const Graph* graph;
  std::vector<NodeId> conditions;  ///< Booleans that are all to hold
  /// A source of candidates for a seed; empty: no search.
  std::function<Candidates(unsigned seed)> candidates = {};
  std::vector<Restriction> restrictions = {};
  /// Nodes of the graph behind which proofs need not look, from the coarsest set to the finest:
  /// each is tried with all nodes of the set as free variables.
  std::vector<std::vector<NodeId>> cuts = {};
};

struct Strategies {
  bool search = true;
  bool restrict = true;
  bool relax = true;
  bool cut = true;
  bool split = true;
  int jobs = 0;  ///< processes at once; 0: as many as the machine has cores
  unsigned seed = 0;
  /// Runs all strategies to their ends, and throws Contradiction unless their answers agree.
  bool to_the_end = false;

  /// The formula as it is, given to the solvers.
  static Strategies none() { return {false, false, false, false, false, 0, 0, false}; }
};

struct Reply {
  Verdict verdict = Verdict::unknown;
  InputValues witness;  ///< satisfiable: confirmed by the exact evaluator on the graph
  std::string how;      ///< the strategy and the solver; or why it is unknown
  double seconds = 0;
  std::vector<AttemptReport> attempts;  ///< all that were made, in the order of their ends
};

/// A solver's model that does not evaluate as the solver said, or two strategies that contradict
/// each other: a bug of ours or of a solver. what() holds all that is needed to see it again.
class Contradiction : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// Throws Contradiction.
Reply ask(const Question& question, const Strategies& strategies, const Portfolio& solvers);

}  // namespace mmaspec
