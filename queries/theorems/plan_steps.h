#pragma once
/// Properties of the operations that plans execute outside the unit: IEEE 754 additions and
/// multiplications to nearest even, and conversions. All of them are monotone if no factor is
/// negative.

#include "spec/plans/scheme.h"

namespace mmaspec {

/// True if c is an operand of such operations only, and none of their other operands depends on it.
bool adds_c_outside(const Composition& plan);

/// The inner node, if a larger inner sum never gives a smaller result (NaN excepted), whatever else
/// is added; otherwise nullptr.
const Inner* rises_with_inner(const Composition& plan);

}  // namespace mmaspec
