#pragma once
/// Positions below which all bits of a sum are zero, for all exponents of its terms.

#include <optional>

#include "queries/derive/lemmas.h"
#include "queries/relations/candidate_invariants.h"
#include "queries/relations/derivation_goal.h"

namespace mmaspec {

/// Builds a Boolean in the goal's graph that says that the sum `units`, in units of 2^exponent, is
/// a multiple of a power of two. It is proved from the terms, each of which is such a multiple.
/// nullopt: no power that samples suggest and that the exponent does not imply is proved.
std::optional<NodeId> where_sum_ends(const DerivationGoal& claimed,
                                     const SimulationSignatures& sampled, NodeId units,
                                     NodeId exponent, Lemmas& lemmas);

/// The same for a sum that is proved to be zero if the exponent is less than `least`, because all
/// of its terms are.
std::optional<NodeId> where_sum_is_zero(const DerivationGoal& claimed, NodeId units,
                                        NodeId exponent, const Integer& least, Lemmas& lemmas);

}  // namespace mmaspec
