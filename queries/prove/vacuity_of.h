#pragma once
/// Decides whether a property is vacuous.

#include "queries/prove/prove.h"

namespace mmaspec {

/// Whether no input satisfies the property's assumption.
Vacuity vacuity_of(const Property& property, const Subject& subject, const ProveOptions& options,
                   const Deadline& deadline, const Portfolio& solvers);

}  // namespace mmaspec
