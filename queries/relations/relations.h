#pragma once
/// Statements that follow from relations between the nodes of what they speak of.
///
/// Of the nodes of the second of two runs, in the order of their making, samples suggest which are
/// linear functions of one of the first run (equal, negated, one more, twice as large), for all
/// inputs or but for zeros, whose exponents differ between formats; or, of patterns on the way, its
/// negative or its double; and which Booleans are the same for all inputs. Each that solvers prove,
/// from those proved before and from what the statement presumes of the inputs it depends on, takes
/// the node's place from then on, and what it is a function of may become a variable. Which samples
/// are drawn decides what is asked, never what is believed.

#include <optional>
#include <string>
#include <vector>

#include "queries/derive/lemmas.h"
#include "queries/relations/claimed.h"

namespace mmaspec {

/// Why it holds, in a clause; nullopt: it was not derived. What is to be proved is built into the
/// graph; reports of all that was asked are added to `attempts`.
std::optional<std::string> derive_by_relations(const Claimed& claimed, const Portfolio& solvers,
                                               const Deadline& deadline,
                                               std::vector<AttemptReport>& attempts);

}  // namespace mmaspec
