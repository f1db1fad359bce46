#pragma once
/// Vacuity of a proof: does any input satisfy its assumptions?

#include <string>

#include "queries/ask/question.h"

namespace mmaspec {

enum class Vacuity {
  none,              ///< some input satisfies all assumptions
  no_such_input,     ///< no input satisfies the precondition
  premises_exclude,  ///< no input satisfies both the precondition and the property's own assumption
  unknown,           ///< undecided
};

/// The clause that follows "proved, vacuously: ". Empty if the proof is not known to be vacuous.
std::string reason(Vacuity vacuity);

/// Decides whether values satisfy all conditions: by search, then by solvers, for a few seconds at
/// most and before the deadline. Returns satisfiable, unsatisfiable or unknown. Throws only
/// Contradiction.
Verdict is_satisfiable(const Question& question, unsigned seed, const Deadline& deadline,
                       const Portfolio& solvers);

}  // namespace mmaspec
