#pragma once
/// "Is there an input on which all of these hold?", and the strategies that answer it.
///
/// Each strategy is sound for the answer it gives. Where inputs are few, all are tried. Search and
/// restriction find witnesses, and prove nothing; relaxation, weakening and cutting prove, and what
/// they find instead is not a witness; splitting does both. The two sides of a question were
/// brought to normal form as the language built them, which often leaves nothing to ask.

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "concrete/batch/evaluator.h"
#include "queries/ask/grounds.h"
#include "queries/ask/strategy.h"
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

/// What is put into a copy of a question: replaces nodes, and returns what holds besides.
using Change = std::function<std::vector<Bool>(Substitution& copy)>;

/// Fills lanes with candidates, values that may answer the question or not: a row for each of the
/// graph's inputs, other ones at each call.
using Candidates = std::function<void(Lanes& inputs)>;

struct Question {
  const Graph* graph;
  std::vector<NodeId> conditions;  ///< Booleans that are all to hold
  /// What is known where the conditions hold, such as nodes that are equal there. Every strategy
  /// starts from it.
  Change given = {};
  /// A source of candidates for a seed; empty: no search.
  std::function<Candidates(unsigned seed)> candidates = {};
  /// Operations of the batch evaluator that drawing one value of a candidate is worth, about.
  std::size_t drawing = 60;
  std::vector<Restriction> restrictions = {};
  /// Ways to leave out what a proof may not need, from the coarsest on: each makes some nodes free,
  /// or bound by no more than what is known of them.
  std::vector<Change> cuts = {};
  /// How many of the cuts, from the first on, put in relations that were proved of two runs.
  std::size_t cuts_at_lemmas = 0;
};

struct Reply {
  Verdict verdict = Verdict::unknown;
  InputValues witness;  ///< satisfiable: confirmed by the exact evaluator on the graph
  Grounds grounds;
  double seconds = 0;
  std::vector<AttemptReport> attempts;  ///< all that were made, in the order of their ends
};

/// A solver's model that does not evaluate as the solver said, or two strategies that contradict
/// each other: a bug of ours or of a solver. what() holds all that is needed to see it again.
class Contradiction : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// A variable of the node's range in its place, unless what was replaced before determines it.
void set_free(const Graph& from, NodeId node, Substitution& copy);

/// A cut at all these nodes.
Change set_free(const Graph& from, std::vector<NodeId> nodes);

/// A cut at aligned terms, each within what the largest exponent leaves of the largest number that
/// its format has: a product of small factors is nothing beside a huge c.
Change set_free_within_reach(const Graph& from, std::vector<NodeId> aligned);

/// Some condition is false whatever the inputs: nothing is left to ask.
bool is_one_expression(const Question& question);

/// For what is only searched, or argued.
inline Portfolio no_solvers() { return Portfolio(std::vector<std::unique_ptr<Backend>>(), {}); }

/// The formula as it is, for a moment: what solvers decide by themselves they mostly decide at
/// once. For some seconds where nothing is searched, or conditions fold much of it. Throws
/// Contradiction.
Reply ask_at_once(const Question& question, const Strategies& strategies, const Portfolio& solvers,
                  bool is_folded = false);

/// Throws Contradiction.
Reply ask(const Question& question, const Strategies& strategies, const Portfolio& solvers);

}  // namespace mmaspec
