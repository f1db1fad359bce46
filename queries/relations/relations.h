#pragma once
/// Proofs from relational invariants between the nodes of two executions (or of one).
///
/// Nodes of the second execution are visited in the order of their creation. Samples suggest which
/// nodes are linear functions of a node of the first execution (equal, negated, one more, twice as
/// large) for all inputs, or for all except zeros, whose exponents differ between formats; which
/// intermediate patterns are the negative or the double of another; and which Booleans are
/// constant. Solvers prove each candidate from the earlier ones and from the premises about the
/// inputs on which it depends. A proved relation replaces its node from then on, and its base may
/// become a variable. Samples determine only which candidates are tried; the proof does not depend
/// on them.

#include <optional>
#include <string>
#include <vector>

#include "queries/derive/lemmas.h"
#include "queries/relations/derivation_goal.h"

namespace mmaspec {

struct DerivedByRelations {
  std::string because;               ///< a clause that says why the goal holds
  std::vector<LemmaRecord> records;  ///< the last one refutes the statement
};

/// nullopt: the goal was not derived. Builds nodes in the goal's graph, and adds a report of each
/// attempt to `attempts`.
std::optional<DerivedByRelations> derive_by_relations(const DerivationGoal& claimed,
                                                      const Portfolio& solvers,
                                                      const Deadline& deadline,
                                                      std::vector<AttemptReport>& attempts);

}  // namespace mmaspec
