#pragma once
/// What is proved of the patterns between the steps of a chain, on which relations of later steps
/// rest: that they are finite, not subnormal, no NaNs.

#include <vector>

#include "queries/derive/lemmas.h"
#include "queries/relations/claimed.h"
#include "queries/relations/proved_relations.h"
#include "queries/relations/suggestions.h"

namespace mmaspec {

class PatternsOnTheWay {
 public:
  /// `is_pattern`: of each node of the graph, whether it is one. All must outlive this object.
  PatternsOnTheWay(const Claimed& claimed, const SampledNodes& sampled,
                   const std::vector<bool>& is_pattern, ProvedRelations& proved, Lemmas& lemmas);

  /// Proves what samples suggest of the pattern.
  void learn(NodeId n);

  /// The relation says that a pattern is its base's negative, or the same NaN. Where the statement
  /// does not hold the base is no NaN, if both results are NaNs for one. `statement`: Booleans that
  /// hold together where it does not.
  void learn_that_no_nan(NodeRelation r, std::vector<NodeId> statement);

 private:
  void learn_that_not_subnormal(NodeId n);
  void learn_that_finite(NodeId n);

  const Claimed& claimed_;
  Graph& graph_;
  const SampledNodes& sampled_;
  const std::vector<bool>& is_pattern_;
  const std::vector<NodeId> late_premises_;  ///< those of results
  ProvedRelations& proved_;
  Lemmas& lemmas_;
};

}  // namespace mmaspec
