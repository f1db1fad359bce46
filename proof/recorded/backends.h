#pragma once
/// Backends whose `unsatisfiable` has a proof: one writes proofs to a folder, and the other knows
/// only proofs that were checked.
///
/// A query's files have its number in their names, the first 16 digits of the SHA-256 of its
/// clauses: NUMBER.smt2, the query; NUMBER.cnf, its clauses; NUMBER.lrat, the proof that they are
/// unsatisfiable.

#include <map>
#include <memory>
#include <string>

#include "proof/sat/cnf.h"
#include "solver/solver.h"

namespace mmaspec {

/// Asks CaDiCaL, and writes the files of proved queries to the folder. If it finds a model, the
/// answer is unknown. Throws std::invalid_argument if cadical_program() is empty.
std::unique_ptr<Backend> proof_maker(const std::string& folder);

/// The clauses of a query in DIMACS, with a digest of its text. Without it, all formulas that
/// bit-blasting alone refutes would have the same clauses.
std::string dimacs_of(const Query& query, const Cnf& cnf);

/// Queries whose proofs were checked: from the SHA-256 of the clauses to that of the SMT-LIB text.
using ProvedQueries = std::map<std::string, std::string>;

/// Answers unsatisfiable to queries whose clauses and text are in `queries`, and unknown to all
/// others. Appends the number of each answered query to the file `log`, one on each line.
std::unique_ptr<Backend> proof_reader(ProvedQueries queries, const std::string& log);

}  // namespace mmaspec
