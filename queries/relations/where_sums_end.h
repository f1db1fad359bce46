#pragma once
/// Below which power of two a sum has no bits, whatever its terms' exponents.

#include <optional>

#include "queries/derive/lemmas.h"
#include "queries/relations/claimed.h"
#include "queries/relations/suggestions.h"

namespace mmaspec {

/// `units`, a sum of units of 2^exponent, is proved to be a multiple of a power of two: a Boolean
/// that is built into the claim's graph, for each of the sum's terms is one. nullopt: it is not, of
/// any power that samples suggest and that the exponent says less of.
std::optional<NodeId> where_sum_ends(const Claimed& claimed, const SampledNodes& sampled,
                                     NodeId units, NodeId exponent, Lemmas& lemmas);

}  // namespace mmaspec
