#include "queries/ask/grounds.h"

#include <stdexcept>

namespace mmaspec {

std::string Grounds::how() const {
  std::string text = detail;
  if (kind == Kind::one_expression) text = "one expression; no solver was needed";
  if (kind == Kind::search && detail.empty()) text = "search";
  if (kind == Kind::analysis) text = "the errors of both, by their steps";
  return note.empty() ? text : text + "; " + note;
}

std::string_view by(Grounds::Kind kind) {
  switch (kind) {
    case Grounds::Kind::none:
    case Grounds::Kind::search:
      return "";
    case Grounds::Kind::one_expression:
      return "one expression";
    case Grounds::Kind::enumeration:
      return "enumeration";
    case Grounds::Kind::solver:
      return "solver";
    case Grounds::Kind::derivation:
      return "derivation";
    case Grounds::Kind::argument:
    case Grounds::Kind::analysis:
      return "argument";
  }
  return "";
}

Grounds::Kind kind_of(std::string_view text) {
  using Kind = Grounds::Kind;
  for (const Kind kind :
       {Kind::one_expression, Kind::enumeration, Kind::solver, Kind::derivation, Kind::argument}) {
    if (by(kind) == text) return kind;
  }
  throw std::invalid_argument("'" + std::string(text) + "' is not a kind of proof");
}

}  // namespace mmaspec
