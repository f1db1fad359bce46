#pragma once
/// Reduces statements to goals: that no input satisfies given conditions. Nothing here searches,
/// or asks a solver.

#include "queries/goals/stated_difference.h"
#include "queries/goals/stated_property.h"

namespace mmaspec {

/// True if the property holds for the inputs that satisfy the user's condition (empty: for all) by
/// what `proved` answers. It is asked about each case that is not one expression, in order. With a
/// condition, the reduced form is used if it implies the whole (UnderCondition::reduces); if not,
/// the whole form, and then the reduced form for all inputs. Throws what building throws.
bool follows(const Property& property, const Subject& subject, const Condition& where,
             const Refuter& proved);

/// True if the two instructions never differ in this sense.
bool never_differ(const Pair& pair, const Difference& difference, InputClass inputs, Match match,
                  const Condition& where, const Refuter& proved);

}  // namespace mmaspec
