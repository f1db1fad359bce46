#pragma once
/// Inputs made so that long dot products of two designs lie far apart.

#include <vector>

#include "concrete/dot/model.h"
#include "queries/ask/pairing.h"
#include "queries/draw/fitting.h"
#include "util/deadline.h"

namespace mmaspec {

/// Up to `most` inputs in the sets of `fitting`, in the order of how far the two results lie apart,
/// the farthest first. c is the member of its set nearest to zero. Each input repeats three
/// products at most: large ones first, which raise the sum, then ones whose low bits are cut off
/// once the sum is large, and every so often another one, which decides how the step's result is
/// rounded (N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 4.2:
/// sums whose rounding errors all have one sign). Such inputs are drawn, and the best ones changed
/// again and again; the same for the same arguments unless the deadline passes. Conditions that
/// relate operands are not looked at: the caller must check. Empty where the operands' sets are not
/// known.
std::vector<DotValues> constructed_worst_cases(const Pair& pair, const Fitting& fitting,
                                               std::size_t most, const Deadline& deadline);

}  // namespace mmaspec
