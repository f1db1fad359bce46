#pragma once
/// The pipeline from a statement about one or two executions to the solvers, shared by differences
/// and properties. It substitutes fixed bits, proves relations between the stages of two
/// executions, and cuts proofs at stages.

#include <functional>
#include <vector>

#include "queries/ask/lemmas/known_bits.h"
#include "queries/ask/lemmas/lemmas.h"

namespace mmaspec {

/// The executions that a question concerns. The graph's marks must be theirs: all of the first
/// execution's, then all of the second's.
struct Runs {
  std::vector<NodeId> results;  ///< d of each
  bool of_two_designs = false;  ///< the second execution is that of another design
  const Format* d;              ///< the format of the results
  /// The relation to try for a pair of stages. Empty: equality.
  std::function<Relation(const StagePair&)> relation = {};
};

/// Cutpoints for proofs about these executions, from the coarsest cut on.
std::vector<Change> stage_cuts(const Graph& graph, const Runs& runs);

/// True if the condition does not depend on any stage of the executions.
bool depends_on_inputs_alone(const Graph& graph, const Runs& runs, NodeId condition);

/// Substitutes the bits that the question's conditions fix. `where` are the conditions that may fix
/// bits. Returns true if any bit is fixed. The graph must be the current one.
bool put_in_known_bits(Question& question, Graph& graph, const std::vector<NodeId>& where,
                       const Portfolio& solvers, const Deadline& deadline);

/// Proves lemmas about the stages of two executions in at most half of the time, then asks the
/// solvers. `lemma_premises` are the conditions of the question under which the lemmas are to hold.
/// The graph must be the current one. Throws Contradiction.
Reply ask_in_stages(Question question, const Runs& runs, const std::vector<NodeId>& lemma_premises,
                    const Strategies& strategies, const Portfolio& solvers);

}  // namespace mmaspec
