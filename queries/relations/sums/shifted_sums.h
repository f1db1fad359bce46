#pragma once
/// Sums of which each term is shifted as another sum's is.

#include "queries/relations/proved_relations.h"

namespace mmaspec {

/// The relation, that a sum is another one shifted, follows from those of the terms by linear
/// arithmetic. Exactly so: of no term a bit is lost.
bool is_sum_of_shifted(const Graph& graph, const ProvedRelations& proved, const NodeRelation& r);

}  // namespace mmaspec
