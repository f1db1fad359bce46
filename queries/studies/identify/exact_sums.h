#pragma once
/// Inputs whose terms have an exact sum of a few signed powers of two.

#include "queries/studies/identify/structured_rows.h"

namespace mmaspec {

/// The sum is a number with few significant bits, plus half a unit of its last bit, plus small
/// terms near the alignment cut. Each of these powers of two is c, a part of c, a product, several
/// equal products, or two products whose lower bits cancel. What is cut from such terms determines
/// how their sum is rounded.
DotValues exact_sum(const DotFormats& formats, const FittingBits& fitting, SplitMix& random);

}  // namespace mmaspec
