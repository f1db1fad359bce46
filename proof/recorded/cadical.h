#pragma once
/// Uses CaDiCaL to prove that clauses are unsatisfiable.

#include <string>

#include "proof/sat/cnf.h"
#include "util/deadline.h"

namespace mmaspec {

/// CaDiCaL's program: $MMASPEC_CADICAL if it is set (empty: none), otherwise cadical on the PATH.
/// Empty if there is none.
std::string cadical_program();

/// A checked LRAT proof, or the reason why there is none.
struct CheckedProof {
  std::string lrat;  ///< empty: none
  std::string why;
  bool has_model = false;
};

/// Asks CaDiCaL until the deadline. `dimacs`: the clauses as text. Temporary files have names that
/// start with `file`. Throws std::invalid_argument if cadical_program() is empty, and
/// std::runtime_error if a file cannot be written.
CheckedProof prove_unsatisfiable(const Cnf& cnf, const std::string& dimacs, const std::string& file,
                                 const Deadline& deadline = {});

}  // namespace mmaspec
