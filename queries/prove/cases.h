#pragma once
/// All cases of a property of one subject, by whatever decides them.

#include <optional>

#include "queries/losses/error_bound.h"
#include "queries/prove/prove.h"

namespace mmaspec {

/// When all that is asked of a property is to end.
Deadline whole_of(const ProveOptions& options, const Portfolio& solvers);

/// By an argument, a derivation, search, and solvers. Sub-cases are not tried, nor is it asked
/// whether there is anything of which the property speaks. Throws Contradiction.
Proof prove_cases(const Property& property, const Subject& subject, const ProveOptions& options,
                  const Portfolio& solvers);

/// The error that the property bounds, if it is one that can be derived; the proof of a bound is
/// filled in.
std::optional<DerivedError> derived_error(const Property& property, const Subject& subject,
                                          const ProveOptions& options, const Portfolio& solvers,
                                          const Deadline& deadline, Proof& proof);

}  // namespace mmaspec
