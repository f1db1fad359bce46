#pragma once
/// LRAT proofs: that a formula in conjunctive normal form has no model, in steps so small that a
/// checker need not search. (Cruz-Filipe, Heule, Hunt, Kaufmann, Schneider-Kamp, "Efficient
/// certified RAT verification", CADE 2017.)
///
/// A line is a clause's number, its literals, 0, the numbers of clauses that it follows from, 0:
/// with all literals false, each of those in turn is left with one literal, which is true then, and
/// the last one with none. The formula's clauses have the numbers from 1 on, and the lines those
/// that follow, in order; there are no deletions and no RAT steps. The last line's clause is empty.

#include <string>
#include <string_view>

#include "proof/sat/cnf.h"

namespace mmaspec {

/// Empty if the text is such a proof of the formula; else what is wrong with it, in a clause.
std::string fault_of_lrat(const Cnf& cnf, std::string_view proof);

}  // namespace mmaspec
