#pragma once
/// Proves a property, refutes it by a witness, or leaves it undecided.

#include <map>
#include <string>

#include "queries/ask/question.h"
#include "queries/ask/vacuity.h"
#include "queries/goals/stated_property.h"

namespace mmaspec {

enum class Outcome { proved, refuted, undecided, not_applicable };
std::string_view to_string(Outcome outcome);

struct ProveOptions {
  Strategies strategies;
  bool shrink = true;
  bool smaller = true;   ///< if undecided, search for a sub-case that can be decided
  bool confirm = false;  ///< a second solver must agree on every proof that a solver made
  /// For tightest(): below a parameter that an analytical proof covers, ask solvers for further
  /// values, not only for the least open one.
  bool below_steps = true;
  bool vacuity = true;  ///< check whether a proof is vacuous
  /// The precondition; Property::under_condition() determines the inputs to which it applies.
  Condition where = {};
};

/// An evaluation of a witness, for the output.
struct WitnessRun {
  std::string label;
  Instruction instruction;
  DotValues values;
  Integer d;
};

struct Proof {
  Outcome outcome = Outcome::undecided;
  Justification justification;
  std::string of;  ///< if refuted: the case
  std::vector<WitnessRun> witness;
  DotValues given = {};                        ///< if refuted: the operands from which the
                                               ///< evaluations are computed
  std::map<std::string, Integer> extras = {};  ///< further inputs, by name
  int cases = 0;
  int cases_proved = 0;
  std::string smaller;  ///< if undecided: the largest sub-case that was decided, and how
  std::string confirmed_by;
  Vacuity vacuity = Vacuity::none;  ///< if proved: whether the proof is vacuous
  double seconds = 0;
  std::vector<AttemptReport> attempts;
};

/// Throws std::invalid_argument if the subject does not fit the property, Contradiction.
Proof prove(const Property& property, const Subject& subject, const ProveOptions& options,
            const Portfolio& solvers);

/// Bounds of the least parameter for which the property holds. The time limit covers all questions.
struct Tightest {
  std::optional<Rational> refuted;  ///< the largest parameter that is refuted
  std::optional<Rational> proved;   ///< the least parameter that is proved
  Proof refutation;
  Proof proof;
};
Tightest tightest(const Property& property, const Subject& subject, const ProveOptions& options,
                  const Portfolio& solvers);

}  // namespace mmaspec
