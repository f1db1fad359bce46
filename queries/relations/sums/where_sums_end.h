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

/// The same of a sum that is proved to be zero where the exponent is less than `least`, for each of
/// its terms is.
std::optional<NodeId> where_sum_is_zero(const Claimed& claimed, NodeId units, NodeId exponent,
                                        const Integer& least, Lemmas& lemmas);

}  // namespace mmaspec
