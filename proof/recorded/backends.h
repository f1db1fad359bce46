#pragma once
/// Solvers whose `unsatisfiable` has a proof: one that makes proofs into a folder, and one that
/// knows no more than proofs that were checked.
///
/// A query's files bear its number, the first 16 digits of the SHA-256 of its clauses:
/// NUMBER.smt2, the query; NUMBER.cnf, its clauses; NUMBER.lrat, the proof that they have no model.

#include <map>
#include <memory>
#include <string>

#include "proof/sat/cnf.h"
#include "solver/solver.h"

namespace mmaspec {

/// Asks CaDiCaL, and writes the files of what it proves into the folder. Where it finds a model,
/// the answer is unknown. Throws std::invalid_argument if there is no cadical_program().
std::unique_ptr<Backend> proof_maker(const std::string& folder);

/// The clauses of a query in DIMACS, which name its text: formulas that bit-blasting alone
/// contradicts have the same clauses else.
std::string dimacs_of(const Query& query, const Cnf& cnf);

/// Queries of which a proof was checked: from the SHA-256 of the clauses to that of the SMT-LIB
/// text.
using ProvedQueries = std::map<std::string, std::string>;

/// The query's number.
std::string number_of(const std::string& sha256_of_clauses);

/// Answers unsatisfiable to these queries, `queries` and the text both, and unknown to all others.
/// Each answer is noted in the file `log`: the number, in a line.
std::unique_ptr<Backend> proof_reader(ProvedQueries queries, const std::string& log);

}  // namespace mmaspec
