#include "proof/sat/lrat.h"

#include <cstdlib>
#include <stdexcept>

#include "proof/sat/numbers.h"

namespace mmaspec {
namespace {

class Checker {
 public:
  explicit Checker(const Cnf& cnf)
      : clauses_(cnf), values_(static_cast<std::size_t>(cnf.variables) + 1) {}

  std::string fault(std::string_view proof) {
    Numbers numbers(proof);
    bool is_empty = false;
    while (!is_empty && !numbers.at_end()) {
      const long id = numbers.next(1, kMostClauses);
      if (static_cast<std::size_t>(id) != clauses_.clauses() + 1) return at(id, "out of order");
      clause_.clear();
      while (const long x = numbers.next(-clauses_.variables, clauses_.variables)) {
        clause_.push_back(static_cast<CnfLiteral>(x));
      }
      hints_.clear();
      while (const long hint = numbers.next(0, id - 1)) {
        hints_.push_back(static_cast<std::size_t>(hint) - 1);
      }
      numbers.end_line();
      if (!follows()) return at(id, "does not follow from the clauses that it names");
      clauses_.add(clause_);
      is_empty = clause_.empty();
    }
    if (!is_empty) return "no line is the empty clause";
    return numbers.at_end() ? "" : "text behind the empty clause";
  }

 private:
  static std::string at(long id, const std::string& what) {
    return "clause " + std::to_string(id) + " " + what;
  }

  signed char& value(CnfLiteral x) { return values_[static_cast<std::size_t>(std::abs(x))]; }
  bool is_true(CnfLiteral x) { return value(x) == (x > 0 ? 1 : -1); }
  bool is_false(CnfLiteral x) { return value(x) == (x > 0 ? -1 : 1); }
  void set(CnfLiteral x) {
    if (value(x) == 0) assigned_.push_back(x);
    value(x) = x > 0 ? 1 : -1;
  }

  /// Checks that the clause follows from the hints by unit propagation.
  bool follows() {
    for (const CnfLiteral x : assigned_) value(x) = 0;
    assigned_.clear();
    for (const CnfLiteral x : clause_) {
      if (is_true(x)) return false;  // the clause contains its negation
      set(-x);
    }
    for (std::size_t i = 0; i < hints_.size(); ++i) {
      CnfLiteral left = 0;
      for (const CnfLiteral x : clauses_.clause(hints_[i])) {
        if (is_false(x) || x == left) continue;
        if (left != 0) return false;
        left = x;
      }
      if (left == 0) return i + 1 == hints_.size();
      set(left);
    }
    return false;
  }

  Cnf clauses_;
  std::vector<signed char> values_;
  std::vector<CnfLiteral> assigned_;
  std::vector<CnfLiteral> clause_;
  std::vector<std::size_t> hints_;
};

}  // namespace

std::string fault_of_lrat(const Cnf& cnf, std::string_view proof) {
  try {
    return Checker(cnf).fault(proof);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

}  // namespace mmaspec
