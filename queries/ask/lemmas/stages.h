#pragma once
/// The way from a statement about one run or two to solvers, the same for differences and for
/// properties: what conditions fix is put in, relations between the stages of two runs are proved,
/// and proofs are cut at stages.

#include <functional>
#include <vector>

#include "queries/ask/lemmas/fixed_bits.h"
#include "queries/ask/lemmas/lemmas.h"

namespace mmaspec {

/// The runs that a question is about. The graph's marks must be theirs: all of the first run's,
/// then all of the second's.
struct Runs {
  std::vector<NodeId> results;  ///< d of each
  bool of_two_designs = false;  ///< the second run is not of the first one's design
  const Format* d;              ///< the format of the results
  /// What a stage of two runs may keep; empty: that it is equal.
  std::function<Relation(const StagePair&)> relation = {};
};

/// Where proofs about these runs may stop looking, from the coarsest cut on.
std::vector<Change> stage_cuts(const Graph& graph, const Runs& runs);

/// True if the condition depends on no stage of two runs.
bool depends_on_inputs_alone(const Graph& graph, const Runs& runs, NodeId condition);

/// What the question's conditions say of single operands is put in before all else; `where` are
/// those of them that may say something. True if they say anything. The graph must be the current
/// one.
bool put_in_fixed_bits(Question& question, Graph& graph, const std::vector<NodeId>& where,
                       const Portfolio& solvers, const Deadline& deadline);

/// Asks solvers, having proved what it can of the stages of two runs in half of the time.
/// `lemma_premises`: conditions of the question under which that is to hold. The graph must be the
/// current one. Throws Contradiction.
Reply ask_in_stages(Question question, const Runs& runs, const std::vector<NodeId>& lemma_premises,
                    const Strategies& strategies, const Portfolio& solvers);

}  // namespace mmaspec
