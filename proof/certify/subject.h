#pragma once
/// What a certificate's statement is about, as queries take it.

#include "proof/certify/theorem.h"
#include "queries/goals/stated_property.h"
#include "queries/numbers/where.h"

namespace mmaspec {

/// The subject of a property's statement. Throws std::invalid_argument if the property needs other
/// names, or a bound that the statement lacks.
Subject subject_of(const Theorem& theorem);

/// The pair of a statement about a difference. Throws std::invalid_argument.
Pair pair_of(const Theorem& theorem);

/// The precondition as a condition; empty: there is none. `where` must outlive it.
Condition condition_of(const Where& where);

}  // namespace mmaspec
