#pragma once
/// Constructed inputs for which long dot products of two designs differ by much.

#include <vector>

#include "concrete/dot/model.h"
#include "queries/draw/fitting.h"
#include "queries/statement/pairing.h"
#include "util/deadline.h"

namespace mmaspec {

/// Up to `most` inputs in the sets of `fitting`, sorted by the distance of the two results, largest
/// first. c is the member of its set nearest to zero.
///
/// Each input repeats at most three products: large products first, which raise the sum; then
/// products whose low bits are cut off once the sum is large; and at intervals another product,
/// which determines how the step's result is rounded (N. J. Higham, Accuracy and Stability of
/// Numerical Algorithms, 2nd ed., section 4.2: sums whose rounding errors all have one sign). The
/// search draws such inputs and repeatedly changes the best ones.
///
/// The result is the same for the same arguments unless the deadline passes. Conditions that relate
/// operands are ignored; the caller must check them. Empty if the operands' sets are not known.
std::vector<DotValues> constructed_worst_cases(const Pair& pair, const Fitting& fitting,
                                               std::size_t most, const Deadline& deadline);

}  // namespace mmaspec
