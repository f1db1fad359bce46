#pragma once
/// Facts that are needed to prove that a sum of two terms is rounded to odd in the other execution,
/// which keeps fewer of its bits.
///
/// The term with the larger exponent does not lose bits. Its lowest bit is so high that the sum is
/// rounded to odd if and only if the other term is. The sum is then so long that rounding it to
/// nearest is not affected.

#include <set>
#include <vector>

#include "queries/relations/claimed.h"
#include "queries/relations/proved_relations.h"
#include "queries/relations/suggestions.h"

namespace mmaspec {

class SumsRoundedToOdd {
 public:
  /// All arguments must outlive this object.
  SumsRoundedToOdd(const Claimed& claimed, const SampledNodes& sampled,
                   const std::vector<bool>& is_pattern, ProvedRelations& proved)
      : graph_(claimed.graph),
        result_(*claimed.result),
        sampled_(sampled),
        is_pattern_(is_pattern),
        proved_(proved) {}

  /// Call it before the relation, of the kind rounded_to_odd, is asked.
  void learn_before(const NodeRelation& r);
  /// Call it after the relation is proved.
  void learn_after(const NodeRelation& r);

 private:
  void learn_that_long(NodeId sum, unsigned places);
  void learn_that_normalized(NodeId n);

  Graph& graph_;
  const Format& result_;
  const SampledNodes& sampled_;
  const std::vector<bool>& is_pattern_;
  ProvedRelations& proved_;
  std::set<NodeId> asked_;  ///< products for which normalization was asked
};

}  // namespace mmaspec
