#pragma once
/// Parameters that a design has and that no input shows: by argument, not by trial.

#include "spec/algorithms/algorithm.h"

namespace mmaspec {

/// The same computation with the parameters that are idle at these formats given one value: no
/// floor, zeros left out, gradual underflow, overflow to infinity. Designs with equal results may
/// still come out unlike (and any NaN counts as any other): it knows these arguments, and declines
/// where they do not hold.
///
/// Floor and zeros, of fused dot-adds and what is made of them: what is not a term raises the
/// largest exponent to A at most: the floor, or what zeros count. Where it decides, all terms that
/// are not zero have exponents below A. If all such terms are multiples of 2^(A - F), then nothing
/// of them is cut, there or at their own largest exponent, whose grid is finer: the sum is the same
/// number, and the rounding of it is, too.
///
/// Where c alone is cut, no more than its rounding would cut anyway, that is idle, too; and where
/// what is added there comes to so little that it is flushed.
///
/// Where c joins: no product is cut, however large c is, so that c is cut in the same place and
/// added to the same sum; or there is one product in a step. Groups of one product alike. How
/// alignment cuts, and whether products are normalised: nothing is ever cut. In which direction two
/// terms are cut: the sum is rounded up, and the rest of the smaller one cannot reach a result.
///
/// Products that count as infinities: there are none so large, or what they come to is infinite.
///
/// Underflow: rounding never reaches the least normal number from below, so that it does not matter
/// whether what is tiny is told before rounding; or all that is added are multiples of a number
/// that is normal in d's format, or c itself is normal and products are far above it. Overflow:
/// products are too small to carry the largest c any further, or no number on the way is large, or
/// the direction of rounding says what becomes of it. Rounding: sums have no more bits than are
/// kept. Guard bits: those below every product's last bit, or, of two products, below all that
/// rounding looks at. And products that no rounding changes
/// may be added one by one or rounded first.
Algorithm without_idle_parameters(const Algorithm& algorithm, const DotFormats& formats);

}  // namespace mmaspec
