#pragma once
/// CaDiCaL, which finds proofs that clauses have no model.

#include <string>

#include "proof/sat/cnf.h"
#include "util/deadline.h"

namespace mmaspec {

/// CaDiCaL's program: what $MMASPEC_CADICAL names, where it is set (empty: none); or cadical on the
/// PATH. Empty if there is none.
std::string cadical_program();

/// An LRAT proof that was checked, or why there is none.
struct CheckedProof {
  std::string lrat;  ///< empty: none
  std::string why;
  bool has_model = false;
};

/// Asks CaDiCaL until the deadline. `dimacs`: the clauses as text. Files named `file` and more are
/// written, and are gone afterwards. Throws std::invalid_argument if there is no cadical_program(),
/// std::runtime_error if a file cannot be written.
CheckedProof prove_unsatisfiable(const Cnf& cnf, const std::string& dimacs, const std::string& file,
                                 const Deadline& deadline = {});

}  // namespace mmaspec
