#pragma once
/// Whether there is anything of which a property speaks.

#include "queries/prove/prove.h"

namespace mmaspec {

/// Whether the property presumes what no input satisfies.
Vacuity vacuity_of(const Property& property, const Subject& subject, const ProveOptions& options,
                   const Deadline& deadline, const Portfolio& solvers);

}  // namespace mmaspec
