#pragma once
/// Redundant parameters (queries/theorems/redundant/idle.h) of the algorithms that align terms to
/// their largest exponent and cut the bits below.

#include "spec/algorithms/algorithm.h"

namespace mmaspec {

/// The same results, for a well-formed design, with every redundant parameter set to one canonical
/// value.
///
/// Fused and split sums: exponent floors and the exponents of zeros, where c is added, how
/// alignment cuts, whether products are normalized, products that count as infinities, rounding,
/// underflow and overflow. A sum in which nothing is ever cut becomes another algorithm.
Algorithm without_idle(const FusedDotAdd& design, const DotFormats& f);
SplitFp8 without_idle(const SplitFp8& design, const DotFormats& f);

/// Rounded-down sums: groups of one product, bits that products do not have, the range of c, the
/// exponents of zeros, underflow and overflow.
RoundDownDotAdd without_idle(const RoundDownDotAdd& design, const DotFormats& f);

/// Sums of groups: the exponents that a zero scale factor and a zero c count as (one value far
/// below all others where they are redundant); underflow and overflow.
GroupDotFusedSum without_idle(const GroupDotFusedSum& design, const DotFormats& f);

}  // namespace mmaspec
