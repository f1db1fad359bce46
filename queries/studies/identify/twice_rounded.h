#pragma once
/// Inputs that distinguish sums of partial products by the first of their two roundings.

#include <optional>

#include "concrete/dot/model.h"
#include "spec/algorithms/algorithm.h"
#include "util/split_mix.h"

namespace mmaspec {

/// An input on which the design's first rounding, to aligned_bits, makes a tie for the second one,
/// to fraction_bits: a group's sum is one unit of aligned_bits + 1 below half a unit of the second.
/// c and another group make that half unit visible in d. nullopt: the formats or the design do not
/// allow it, or none was drawn.
std::optional<DotValues> twice_rounded(const PartialProductDotAdd& design,
                                       const DotFormats& formats, SplitMix& random);

}  // namespace mmaspec
