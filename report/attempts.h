#pragma once
/// How a proof was made, as text and as JSON: the attempts, and whether the proof is vacuous.

#include <string>
#include <vector>

#include "queries/ask/question.h"
#include "queries/ask/vacuity.h"
#include "util/json.h"

namespace mmaspec {

/// What is said of a proof that may be vacuous: behind its verdict, behind how it was made, and in
/// JSON ("vacuous": true, false or, where it is not known, null; left out where no condition was
/// given and it is not vacuous).
std::string vacuously(Vacuity vacuity);
std::string vacuity_note(Vacuity vacuity);
/// The same before how a proof was made, where nothing else says it: "vacuously: ...; " or empty.
std::string vacuity_text(Vacuity vacuity);
void add_vacuity(Json& object, Vacuity vacuity, const std::vector<std::string>& where);

/// One line for each attempt: its name, outcome and time.
std::string attempts_text(const std::vector<AttemptReport>& attempts);
Json attempts_json(const std::vector<AttemptReport>& attempts);

}  // namespace mmaspec
