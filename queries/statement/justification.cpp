#include "queries/statement/justification.h"

#include <stdexcept>

namespace mmaspec {

std::string Justification::how() const {
  std::string text = detail;
  if (kind == Kind::one_expression) text = "one expression; no solver was needed";
  if (kind == Kind::search && detail.empty()) text = "search";
  if (kind == Kind::analysis) text = "the errors of both, by their steps";
  return note.empty() ? text : text + "; " + note;
}

std::string_view by(Justification::Kind kind) {
  switch (kind) {
    case Justification::Kind::none:
    case Justification::Kind::search:
      return "";
    case Justification::Kind::one_expression:
      return "one expression";
    case Justification::Kind::enumeration:
      return "enumeration";
    case Justification::Kind::solver:
      return "solver";
    case Justification::Kind::derivation:
      return "derivation";
    case Justification::Kind::argument:
    case Justification::Kind::analysis:
      return "argument";
  }
  return "";
}

Justification::Kind kind_of(std::string_view text) {
  using Kind = Justification::Kind;
  for (const Kind kind :
       {Kind::one_expression, Kind::enumeration, Kind::solver, Kind::derivation, Kind::argument}) {
    if (by(kind) == text) return kind;
  }
  throw std::invalid_argument("'" + std::string(text) + "' is not a kind of proof");
}

}  // namespace mmaspec
