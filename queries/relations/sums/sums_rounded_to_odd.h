#pragma once
/// What has to be known of a sum of two for its being rounded to odd in the other run, which keeps
/// fewer of its bits.
///
/// Of two terms the one of the larger exponent loses no bits, and its lowest bit lies so high that
/// the sum is rounded to odd where the other term is. The sum is long then, so that a rounding to
/// nearest is told nothing else by it.

#include <set>
#include <vector>

#include "queries/relations/claimed.h"
#include "queries/relations/proved_relations.h"
#include "queries/relations/suggestions.h"

namespace mmaspec {

class SumsRoundedToOdd {
 public:
  /// All must outlive this object.
  SumsRoundedToOdd(const Claimed& claimed, const SampledNodes& sampled,
                   const std::vector<bool>& is_pattern, ProvedRelations& proved)
      : graph_(claimed.graph),
        result_(*claimed.result),
        sampled_(sampled),
        is_pattern_(is_pattern),
        proved_(proved) {}

  /// Before the relation, one of rounding to odd, is asked.
  void learn_before(const NodeRelation& r);
  /// Once it is proved.
  void learn_after(const NodeRelation& r);

 private:
  void learn_that_long(NodeId sum, unsigned places);
  void learn_that_normalized(NodeId n);

  Graph& graph_;
  const Format& result_;
  const SampledNodes& sampled_;
  const std::vector<bool>& is_pattern_;
  ProvedRelations& proved_;
  std::set<NodeId> asked_;  ///< products of which it was asked whether they are normalised
};

}  // namespace mmaspec
