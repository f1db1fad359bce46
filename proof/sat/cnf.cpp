#include "proof/sat/cnf.h"

#include <charconv>
#include <stdexcept>

#include "proof/sat/numbers.h"

namespace mmaspec {

std::string to_dimacs(const Cnf& cnf) {
  std::string text;
  for (const std::string& line : cnf.comments) text += "c " + line + "\n";
  text += "p cnf " + std::to_string(cnf.variables) + " " + std::to_string(cnf.clauses()) + "\n";
  for (std::size_t i = 0; i < cnf.clauses(); ++i) {
    for (const CnfLiteral x : cnf.clause(i)) append_number(text, x, ' ');
    text += "0\n";
  }
  return text;
}

Cnf parse_dimacs(const std::string& text) {
  std::size_t at = 0;
  while (text.compare(at, 2, "c ") == 0) {
    const std::size_t end = text.find('\n', at);
    if (end == std::string::npos) break;
    at = end + 1;
  }
  const std::string head = "p cnf ";
  if (text.compare(at, head.size(), head) != 0) throw std::invalid_argument("no DIMACS text");
  Numbers numbers(std::string_view(text).substr(at + head.size()));
  Cnf cnf;
  cnf.variables = static_cast<int>(numbers.next(1, kMostVariables));
  if (static_cast<std::size_t>(cnf.variables) > text.size()) {
    throw std::invalid_argument("more variables than the text can name");
  }
  const auto clauses = static_cast<std::size_t>(numbers.next(0, kMostClauses));
  numbers.end_line();
  std::vector<CnfLiteral> clause;
  for (std::size_t i = 0; i < clauses; ++i) {
    clause.clear();
    while (const auto x = numbers.next(-cnf.variables, cnf.variables)) {
      clause.push_back(static_cast<CnfLiteral>(x));
    }
    numbers.end_line();
    cnf.add(clause);
  }
  if (!numbers.at_end()) throw std::invalid_argument("text behind the last clause");
  return cnf;
}

}  // namespace mmaspec
