#pragma once
/// What stands behind an answer, or why there is none.

#include <optional>
#include <string>
#include <string_view>

#include "queries/arguments/theorems.h"

namespace mmaspec {

struct Grounds {
  enum class Kind {
    none,            ///< undecided, or not applicable
    one_expression,  ///< both sides are one expression: nothing was asked
    search,          ///< an input that was tried
    enumeration,     ///< all inputs were tried
    solver,
    derivation,  ///< solvers, step by step: relations between stages of two runs, and what follows
    argument,    ///< about an algorithm's steps (queries/arguments/steps.h)
    analysis,    ///< of the errors of both designs (queries/errors/error_analysis.h)
  };

  Kind kind = Kind::none;
  /// Which strategy and solver; the argument; why there is none. For people.
  std::string detail = {};
  std::string solver = {};  ///< the solver's name, where one answered
  std::string note = {};    ///< of what else it is true; for people
  /// The trusted theorem that the answer rests on: of arguments and analyses.
  std::optional<TrustedTheorem> theorem = {};

  static Grounds none(std::string why) { return {Kind::none, std::move(why)}; }
  static Grounds one_expression() { return {Kind::one_expression}; }
  /// `of_two`: it is about two designs.
  static Grounds argument(const Argument& proof, bool of_two) {
    Grounds grounds{Kind::argument,
                    (of_two ? "by their steps: " : "by its steps: ") + proof.because};
    grounds.theorem = proof.theorem;
    return grounds;
  }

  /// By lemmas about the nodes of two runs (queries/derive/, queries/relations/).
  static Grounds derivation(const std::string& because) {
    return {Kind::derivation, "by derivation: " + because};
  }

  /// The whole in one clause.
  std::string how() const;
};

/// What stands behind a proof, as `by` has it in JSON: `one expression`, `enumeration`, `solver`,
/// `derivation`, `argument`; empty for what proves nothing.
std::string_view by(Grounds::Kind kind);
/// Its inverse. Throws std::invalid_argument.
Grounds::Kind kind_of(std::string_view text);

}  // namespace mmaspec
