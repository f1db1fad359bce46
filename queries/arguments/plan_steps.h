#pragma once
/// What follows from the operations that plans do outside of the unit: additions and
/// multiplications of IEEE 754 to nearest even, and conversions. All are monotone where no factor
/// is negative.

#include "spec/plans/scheme.h"

namespace mmaspec {

/// c goes through such operations alone, and none of their other operands depends on it.
bool adds_c_outside(const Composition& plan);

/// The inner one, where a larger sum of it never gives a smaller result (of results that are no
/// NaN), whatever the sums are added to; else nullptr.
const Inner* rises_with_inner(const Composition& plan);

}  // namespace mmaspec
