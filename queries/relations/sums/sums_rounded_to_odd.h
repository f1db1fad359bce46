#pragma once
/// Facts that are needed to prove that a sum of two terms is rounded to odd in the other execution,
/// which keeps fewer of its bits.
///
/// The term with the larger exponent does not lose bits. Its lowest bit is so high that the sum is
/// rounded to odd if and only if the other term is. The sum is then so long that rounding it to
/// nearest is not affected.

#include <set>
#include <vector>

#include "queries/relations/candidate_invariants.h"
#include "queries/relations/derivation_goal.h"
#include "queries/relations/invariant_store.h"

namespace mmaspec {

class SumsRoundedToOdd {
 public:
  /// All arguments must outlive this object.
  SumsRoundedToOdd(const DerivationGoal& claimed, const SimulationSignatures& sampled,
                   const std::vector<bool>& is_pattern, InvariantStore& proved)
      : graph_(claimed.graph),
        result_(*claimed.result),
        sampled_(sampled),
        is_pattern_(is_pattern),
        proved_(proved) {}

  /// Call it before the relation, of the kind rounded_to_odd, is asked.
  void learn_before(const RelationalInvariant& r);
  /// Call it after the relation is proved.
  void learn_after(const RelationalInvariant& r);

 private:
  void learn_that_long(NodeId sum, unsigned places);
  void learn_that_normalized(NodeId n);

  Graph& graph_;
  const Format& result_;
  const SimulationSignatures& sampled_;
  const std::vector<bool>& is_pattern_;
  InvariantStore& proved_;
  std::set<NodeId> asked_;  ///< products for which normalization was asked
};

}  // namespace mmaspec
