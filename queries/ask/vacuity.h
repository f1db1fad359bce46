#pragma once
/// Whether a proof says anything: is there an input of which it speaks?

#include <string>

#include "queries/ask/question.h"

namespace mmaspec {

enum class Vacuity {
  none,              ///< some input satisfies all that is presumed
  no_such_input,     ///< no input satisfies the condition
  premises_exclude,  ///< some may, but no inputs satisfy it and what the property presumes
  unknown,           ///< no such input was found, nor a proof that there is none
};

/// As a clause behind "proved, vacuously: "; empty: it is not known to be vacuous.
std::string reason(Vacuity vacuity);

/// Tries to find values that satisfy all conditions: by search, then by solvers for some seconds at
/// most before the deadline. Satisfiable, unsatisfiable or unknown; throws nothing but
/// Contradiction.
Verdict is_satisfiable(const Question& question, unsigned seed, const Deadline& deadline,
                       const Portfolio& solvers);

}  // namespace mmaspec
