#pragma once
/// Derivations: a statement about two executions of a design follows from lemmas about the nodes of
/// its graph, which solvers prove, and from linear arithmetic. They do not depend on the
/// algorithm's name or parameters.

#include <optional>
#include <string>

#include "queries/derive/lemmas.h"
#include "queries/property/property.h"

namespace mmaspec {

/// A clause that says why the case of the property holds; nullopt if it was not derived. Adds a
/// report of each attempt to `attempts`.
std::optional<std::string> derive(const Property& property, const Subject& subject, int which,
                                  const Portfolio& solvers, const Deadline& deadline,
                                  std::vector<AttemptReport>& attempts);

}  // namespace mmaspec
