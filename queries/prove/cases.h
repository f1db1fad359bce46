#pragma once
/// Decides all cases of a property of one subject.

#include <optional>

#include "queries/error_bounds/error_bound.h"
#include "queries/prove/prove.h"

namespace mmaspec {

/// The deadline of all questions about a property.
Deadline whole_of(const ProveOptions& options, const Portfolio& solvers);

/// Tries an analytical proof, a derivation, search, and solvers. It tries no sub-cases, and does
/// not check whether the property is vacuous. Throws Contradiction.
Proof prove_cases(const Property& property, const Subject& subject, const ProveOptions& options,
                  const Portfolio& solvers);

/// Derives the error that the property bounds, if it is such a property. Fills in `proof` for the
/// bound.
std::optional<DerivedError> derived_error(const Property& property, const Subject& subject,
                                          const ProveOptions& options, const Portfolio& solvers,
                                          const Deadline& deadline, Proof& proof);

}  // namespace mmaspec
