#pragma once
/// Sums whose terms are all shifted by the same amount as the terms of another sum.

#include "queries/relations/invariant_store.h"

namespace mmaspec {

/// True if the relation, that a sum is another sum shifted, follows from relations of the terms by
/// linear arithmetic. The relations must be exact: no term may lose a bit.
bool is_sum_of_shifted(const Graph& graph, const InvariantStore& proved,
                       const RelationalInvariant& r);

}  // namespace mmaspec
