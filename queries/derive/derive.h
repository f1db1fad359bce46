#pragma once
/// Derivations: a statement about two runs of a design follows from lemmas about the nodes of its
/// own graph, each of which a solver proves, and from linear arithmetic. What the algorithm is
/// called, and which parameters it has, nobody asks.

#include <optional>
#include <string>

#include "queries/derive/lemmas.h"
#include "queries/property/property.h"

namespace mmaspec {

/// Why the case of the property holds, in a clause; nullopt: it was not derived. Reports of all
/// that was asked are added to `attempts`.
std::optional<std::string> derive(const Property& property, const Subject& subject, int which,
                                  const Portfolio& solvers, const Deadline& deadline,
                                  std::vector<AttemptReport>& attempts);

}  // namespace mmaspec
