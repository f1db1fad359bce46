// Fuzz target: clauses as DIMACS text, proofs as LRAT text, and a SAT solver's binary DRUP
// (proof/sat/). The input is a formula, a line `%`, and a proof, which is read as LRAT and as DRUP.

#include "proof/sat/lrat.h"

#include <algorithm>
#include <stdexcept>

#include "proof/sat/rup.h"
#include "tests/libfuzzer/target.h"

namespace mmaspec {
namespace {

constexpr int kMostVariables = 12;  // all their assignments are tried

bool is_satisfied(const Cnf& cnf, unsigned assignment) {
  for (std::size_t i = 0; i < cnf.clauses(); ++i) {
    const auto clause = cnf.clause(i);
    const bool holds = std::any_of(clause.begin(), clause.end(), [&](CnfLiteral x) {
      return ((assignment >> (std::abs(x) - 1) & 1U) != 0) == (x > 0);
    });
    if (!holds) return false;
  }
  return true;
}

/// Ends the program if the formula is satisfiable.
void require_unsatisfiable(const Cnf& cnf) {
  if (cnf.variables > kMostVariables) return;
  for (unsigned assignment = 0; assignment < 1U << cnf.variables; ++assignment) {
    libfuzzer::require(!is_satisfied(cnf, assignment), "a proof of what has a model");
  }
}

void read(std::string_view text) {
  const auto [formula, proof] = libfuzzer::cut(text, "%\n");
  Cnf cnf;
  try {
    cnf = parse_dimacs(std::string(formula));
  } catch (const std::invalid_argument&) {
    return;
  }
  libfuzzer::require(formula.ends_with(to_dimacs(cnf)), "clauses that do not read back");
  if (fault_of_lrat(cnf, proof).empty()) require_unsatisfiable(cnf);
  std::string made;
  try {
    made = to_lrat(cnf, proof);
  } catch (const std::runtime_error&) {
    return;
  }
  libfuzzer::require(fault_of_lrat(cnf, made).empty(), "an LRAT proof that is not accepted");
  require_unsatisfiable(cnf);
}

}  // namespace
}  // namespace mmaspec

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  mmaspec::read(mmaspec::libfuzzer::text_of(data, size));
  return 0;
}
