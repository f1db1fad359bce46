#pragma once
/// Prints bitvector terms as SMT-LIB 2, for any QF_BV solver.

#include <string>
#include <vector>

#include "encoder/bitvector.h"

namespace mmaspec {

/// A satisfiability query: do values of the variables exist for which all assertions hold?
struct Query {
  const BvTerms* terms;
  std::vector<TermId> assertions;  ///< Booleans
};

/// A complete script: logic, declarations, one definition for each term that needs a name,
/// assertions, check-sat and, if `with_model`, get-value of every variable.
std::string to_smtlib(const Query& query, bool with_model = true);

/// The same without the final exit, so that a solver can receive further commands.
std::string smtlib_commands(const Query& query, bool with_model = true);

/// The variables that occur in the query.
std::vector<TermId> variables(const Query& query);

/// A variable's name as SMT-LIB 2 writes it: |a[0]|.
std::string quoted_symbol(const std::string& name);

}  // namespace mmaspec
