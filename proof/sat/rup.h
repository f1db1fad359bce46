#pragma once
/// Converts the log of a SAT solver (DRUP: learned clauses, each of which follows by unit
/// propagation, and deleted clauses) to an LRAT proof, which states how each clause follows and
/// omits unused clauses. This code is not trusted: the proof is checked.

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "proof/sat/cnf.h"

namespace mmaspec {

/// Thrown if a conversion was stopped.
class Stopped : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The proof as LRAT text (proof/sat/lrat.h). `drup`: in CaDiCaL's binary form. Throws
/// std::runtime_error if a clause does not follow by unit propagation, or if there is no empty
/// clause. `stop` is asked after each learned clause; if it returns true, the conversion ends with
/// Stopped.
std::string to_lrat(const Cnf& cnf, std::string_view drup, const std::function<bool()>& stop = {});

/// The proof of clauses that unit propagation refutes; nullopt if it does not.
std::optional<std::string> lrat_by_propagation(const Cnf& cnf);

}  // namespace mmaspec
