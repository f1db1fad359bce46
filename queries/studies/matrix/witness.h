#pragma once
/// What one input says of a pair.

#include "queries/studies/matrix/row.h"

namespace mmaspec {

/// What an input that is no ordinary data takes. `size`: |c| + sum |a||b|; `subnormal`: an operand
/// or a result is.
Takes takes_of_corner(bool subnormal, double size, double first, double second);

/// The row with what follows from its witness: takes, ulp, relative, unbounded.
PairRow of_witness(PairRow row, const Pair& pair);

/// The row of a pair that differs on this input. Throws Contradiction if it does not.
PairRow of_input(PairRow row, const DotValues& values, const Pair& pair);

}  // namespace mmaspec
