#pragma once
/// From bitvector terms to clauses.

#include "encoder/smtlib.h"
#include "proof/sat/cnf.h"

namespace mmaspec {

/// Satisfiable exactly where all assertions of the query can hold. The same query gives the same
/// clauses; a comment for each variable of the query says which DIMACS variables are its bits, the
/// least significant first.
Cnf bit_blast(const Query& query);

}  // namespace mmaspec
