#pragma once
/// The justification of an answer, or why there is none.

#include <optional>
#include <string>
#include <string_view>

#include "queries/theorems/theorems.h"

namespace mmaspec {

struct Justification {
  enum class Kind {
    none,            ///< undecided, or not applicable
    one_expression,  ///< both sides simplified to the same expression: no solver was asked
    search,          ///< a witness found by trying inputs
    enumeration,     ///< exhaustive: all inputs were tried
    solver,
    derivation,  ///< step by step, by solvers: relations between the stages of two executions
    argument,    ///< an analytical proof from the algorithm's steps (queries/theorems/steps.h)
    analysis,    ///< error bounds of both designs (queries/errors/error_analysis.h)
  };

  Kind kind = Kind::none;
  /// For people: the strategy and solver, the argument, or why there is no justification.
  std::string detail = {};
  std::string solver = {};  ///< name of the solver that answered; empty if none did
  std::string note = {};    ///< a further fact about the answer, for people
  /// The trusted theorem that the answer rests on: of arguments and analyses.
  std::optional<TrustedTheorem> theorem = {};

  static Justification none(std::string why) { return {Kind::none, std::move(why)}; }
  static Justification one_expression() { return {Kind::one_expression}; }
  /// `of_two`: the argument concerns two designs.
  static Justification argument(const Argument& proof, bool of_two) {
    Justification justification{Kind::argument,
                                (of_two ? "by their steps: " : "by its steps: ") + proof.because};
    justification.theorem = proof.theorem;
    return justification;
  }

  /// A proof by lemmas about the nodes of two executions (queries/derive/, queries/relations/).
  static Justification derivation(const std::string& because) {
    return {Kind::derivation, "by derivation: " + because};
  }

  /// The justification in one clause.
  std::string how() const;
};

/// The value of `by` in JSON: `one expression`, `enumeration`, `solver`, `derivation` or
/// `argument`. Empty for a kind that does not prove anything.
std::string_view by(Justification::Kind kind);
/// The inverse of by(). Throws std::invalid_argument for an unknown text.
Justification::Kind kind_of(std::string_view text);

}  // namespace mmaspec
