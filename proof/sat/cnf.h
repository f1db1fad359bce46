#pragma once
/// Formulas in conjunctive normal form, for SAT solvers and proof checkers.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace mmaspec {

/// A literal as in DIMACS: v for variable v, -v for its negation; v >= 1.
using CnfLiteral = int;

class Cnf {
 public:
  int variables = 0;
  std::vector<std::string> comments;  ///< lines at the start of the DIMACS text

  void add(std::span<const CnfLiteral> clause) {
    literals_.insert(literals_.end(), clause.begin(), clause.end());
    ends_.push_back(literals_.size());
  }
  std::size_t clauses() const { return ends_.size(); }
  std::span<const CnfLiteral> clause(std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : ends_[i - 1];
    return std::span(literals_).subspan(begin, ends_[i] - begin);
  }

 private:
  std::vector<CnfLiteral> literals_;
  std::vector<std::size_t> ends_;
};

/// DIMACS text.
std::string to_dimacs(const Cnf& cnf);
/// Parses the output of to_dimacs(), without its comments. Throws std::invalid_argument, also if
/// the text has fewer characters than variables: each variable of to_dimacs() occurs in a clause or
/// a comment, and checkers need memory for all variables.
Cnf parse_dimacs(const std::string& text);

}  // namespace mmaspec
