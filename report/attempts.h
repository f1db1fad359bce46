#pragma once
/// How a proof was found, as text and as JSON: the attempts, and whether the proof is vacuous.

#include <string>
#include <vector>

#include "queries/ask/question.h"
#include "queries/ask/vacuity.h"
#include "queries/statement/justification.h"
#include "util/json.h"

namespace mmaspec {

/// Texts about a possibly vacuous proof: after the verdict, after the kind of proof, and in JSON
/// ("vacuous": true, false or, if it is not known, null; omitted without a condition unless the
/// proof is vacuous).
std::string vacuously(Vacuity vacuity);
std::string vacuity_note(Vacuity vacuity);
/// The same text before the kind of proof, if no other text states it: "vacuously: ...; ", or
/// empty.
std::string vacuity_text(Vacuity vacuity);
void add_vacuity(Json& object, Vacuity vacuity, const std::vector<std::string>& where);

/// Adds what a proof rests on: `by`, `theorem` (of an analytical proof) and `how`; without `by` and
/// `theorem` if nothing was proved.
void add_grounds(Json& object, const Justification& justification, bool is_proved);

/// The line that names the trusted theorem of an analytical proof, `theorem: ...`; empty for other
/// answers.
std::string theorem_line(const Justification& justification);

/// One line for each attempt: its name, outcome and time.
std::string attempts_text(const std::vector<AttemptReport>& attempts);
Json attempts_json(const std::vector<AttemptReport>& attempts);

}  // namespace mmaspec
