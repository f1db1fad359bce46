#pragma once
/// The scope of an answer: the set of inputs, and the evidence for each unit. The command line and
/// Python print the same text.

#include <optional>
#include <string>
#include <vector>

#include "queries/draw/samples.h"
#include "queries/statement/pairing.h"
#include "spec/catalog/instruction.h"

namespace mmaspec {

class Json;

/// The evidence for a catalogued instruction.
struct UnitEvidence {
  std::string unit;  ///< its name
  Evidence weakest;
  /// Keys of the parameters whose evidence is the weakest. Empty: all have the same evidence.
  std::vector<std::string> parameters = {};
  std::string asked = {};  ///< the name that the user gave
};

/// The catalogued instruction that `instruction` consists of: itself, the one that is chained or
/// padded, or the one that a plan executes. nullopt for an open design, a user's own algorithm, and
/// an RTL design, which is its own specification.
std::optional<Instruction> unit_of(const Instruction& instruction);

/// One entry for each unit, in order of appearance. Open designs and users' own algorithms have
/// none.
std::vector<UnitEvidence> weakest_evidence(const std::vector<Instruction>& instructions);

/// The scope of an answer.
struct Scope {
  InputClass inputs = InputClass::finite;
  /// Further restrictions of the inputs, one clause each. Examples: only values that both formats
  /// hold; operands of which a unit reads only a part.
  std::vector<std::string> restrictions = {};
  std::vector<std::string> where = {};
  std::vector<UnitEvidence> evidence = {};
};

/// The scope of an answer about one instruction.
Scope scope_of(const Instruction& instruction, InputClass inputs,
               const std::vector<std::string>& where);
/// The scope of an answer about two instructions with the same K.
Scope scope_of(const Instruction& first, const Instruction& second, Match match, InputClass inputs,
               const std::vector<std::string>& where);

/// "finite", "normal or zero", "any".
std::string to_string(InputClass inputs);
/// The set of inputs as text without a newline: `finite; only values that both formats hold (a, b:
/// f32, tf32), where c == 0`.
std::string inputs_text(const Scope& scope);
/// `hopper/mma.m16n8k16.f32.f16.f16.f32 hardware; rdna3/... open (group)`. Empty if there is no
/// unit.
std::string evidence_text(const std::vector<UnitEvidence>& evidence);
/// The same as a line, `evidence: ...`. Empty if there is no unit.
std::string evidence_line(const std::vector<UnitEvidence>& evidence);

/// A line for lists that may hold many units. Few units are listed; otherwise the line counts the
/// units of each kind of evidence.
std::string evidence_summary(const std::vector<UnitEvidence>& evidence);

/// An array of objects: `unit`, `evidence`, and `parameters` if the parameters' evidence differs.
Json evidence_json(const std::vector<UnitEvidence>& evidence);
/// Adds `inputs` (the text of inputs_text()) and `evidence`.
void add_scope(const Scope& scope, Json& object);

}  // namespace mmaspec
