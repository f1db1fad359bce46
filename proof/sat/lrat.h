#pragma once
/// LRAT proofs: they show that a formula in conjunctive normal form is unsatisfiable, in steps so
/// small that a checker need not search. (Cruz-Filipe, Heule, Hunt, Kaufmann, Schneider-Kamp,
/// "Efficient certified RAT verification", CADE 2017.)
///
/// A line has a clause's number, its literals, 0, the numbers of the clauses from which it follows,
/// 0. If all its literals are false, each of those clauses in turn becomes a unit clause, whose
/// literal is then true, and the last one becomes empty. The formula's clauses have the numbers
/// from 1 on, and the lines have the numbers that follow, in order. Deletions and RAT steps are not
/// allowed. The last line's clause is empty.

#include <string>
#include <string_view>

#include "proof/sat/cnf.h"

namespace mmaspec {

/// Empty if the text is such a proof of the formula; otherwise the reason, in a clause.
std::string fault_of_lrat(const Cnf& cnf, std::string_view proof);

}  // namespace mmaspec
