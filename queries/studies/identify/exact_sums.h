#pragma once
/// Inputs whose terms are a few signed powers of two together, exactly.

#include "queries/studies/identify/structured_rows.h"

namespace mmaspec {

/// A sum of a number of few bits, half a unit of its last one, and little about where terms are
/// cut. Each of these powers of two is c, or a part of it, or a product, or several equal ones, or
/// two whose lower bits cancel: what is cut of such terms decides where their sum is rounded to.
DotValues exact_sum(const DotFormats& formats, const FittingBits& fitting, SplitMix& random);

}  // namespace mmaspec
