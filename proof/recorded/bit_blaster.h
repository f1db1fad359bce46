#pragma once
/// Translates bitvector terms to clauses.

#include "encoder/smtlib.h"
#include "proof/sat/cnf.h"

namespace mmaspec {

/// Clauses that are satisfiable if and only if all assertions of the query can hold. Equal queries
/// give equal clauses. For each variable of the query, a comment lists the DIMACS variables of its
/// bits, least significant first.
Cnf bit_blast(const Query& query);

}  // namespace mmaspec
