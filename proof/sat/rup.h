#pragma once
/// What a SAT solver tells while it works (DRUP: clauses learned, each of which follows by unit
/// propagation, and clauses dropped) made into an LRAT proof, which says how each follows, without
/// the clauses that nobody needs. Nothing relies on this being right: the proof is checked.

#include <string>
#include <string_view>

#include "proof/sat/cnf.h"

namespace mmaspec {

/// The proof as LRAT text (proof/sat/lrat.h). `drup`: binary, as CaDiCaL writes it. Throws
/// std::runtime_error if a clause does not follow by unit propagation, or none is empty.
std::string to_lrat(const Cnf& cnf, std::string_view drup);

}  // namespace mmaspec
