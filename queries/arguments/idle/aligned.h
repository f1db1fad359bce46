#pragma once
/// Parameters that no input shows (queries/arguments/idle/idle.h) of the algorithms that cut terms
/// below their largest exponent.

#include "spec/algorithms/algorithm.h"

namespace mmaspec {

/// The same results, for a well-formed design, with what no input shows said one way.
///
/// Fused and split sums: floors and zeros' exponents, where c joins, how alignment cuts, whether
/// products are normalised, products that count as infinities, rounding, underflow and overflow. A
/// sum of which nothing is ever cut is another algorithm.
Algorithm without_idle(const FusedDotAdd& design, const DotFormats& f);
SplitFp8 without_idle(const SplitFp8& design, const DotFormats& f);

/// Rounded-down sums: groups of one product, bits that products do not have, how far c reaches,
/// zeros' exponents, underflow and overflow.
RoundDownDotAdd without_idle(const RoundDownDotAdd& design, const DotFormats& f);

/// Sums of groups: what a zero scale factor and a zero c count, said by one value far below all
/// where it is idle; underflow and overflow.
GroupDotFusedSum without_idle(const GroupDotFusedSum& design, const DotFormats& f);

}  // namespace mmaspec
