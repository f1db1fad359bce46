#pragma once
/// Facts about intermediate patterns between the steps of a chain: that they are finite, not
/// subnormal, or not NaN. Relations of later steps depend on them.

#include <vector>

#include "queries/derive/lemmas.h"
#include "queries/relations/candidate_invariants.h"
#include "queries/relations/derivation_goal.h"
#include "queries/relations/invariant_store.h"

namespace mmaspec {

class IntermediateResults {
 public:
  /// `is_pattern`: for each node of the graph, whether it is a pattern. All arguments must outlive
  /// this object.
  IntermediateResults(const DerivationGoal& claimed, const SimulationSignatures& sampled,
                      const std::vector<bool>& is_pattern, InvariantStore& proved, Lemmas& lemmas);

  /// Proves the facts about the pattern that hold in all samples.
  void learn(NodeId n);

  /// The relation says that a pattern is its base's negative, or the same NaN. Tries to prove that
  /// the base is not a NaN wherever the statement is violated, for example because both results
  /// would be NaNs. `statement`: Booleans that all hold if the statement is violated.
  void learn_that_no_nan(RelationalInvariant r, const std::vector<NodeId>& statement);

 private:
  void learn_that_not_subnormal(NodeId n);
  void learn_that_finite(NodeId n);

  const DerivationGoal& claimed_;
  Graph& graph_;
  const SimulationSignatures& sampled_;
  const std::vector<bool>& is_pattern_;
  const std::vector<NodeId> late_premises_;  ///< those that concern results
  InvariantStore& proved_;
  Lemmas& lemmas_;
};

}  // namespace mmaspec
