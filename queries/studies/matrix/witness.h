#pragma once
/// The part of a row that follows from one input.

#include "queries/studies/matrix/row.h"

namespace mmaspec {

/// The kind of an input that is not ordinary data. `size`: |c| + sum |a||b|; `subnormal`: an
/// operand or a result is subnormal.
Takes takes_of_corner(bool subnormal, double size, double first, double second);

/// The row with the members that follow from its witness: takes, ulp, relative, unbounded.
PairRow of_witness(PairRow row, const Pair& pair);

/// The row of a pair that differs on this input. Throws Contradiction if it does not differ.
PairRow of_input(PairRow row, const DotValues& values, const Pair& pair);

}  // namespace mmaspec
