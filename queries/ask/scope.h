#pragma once
/// What an answer is about: the set of inputs, and the evidence for each unit. The command line and
/// Python print the same text.

#include <optional>
#include <string>
#include <vector>

#include "queries/ask/pairing.h"
#include "queries/draw/samples.h"
#include "spec/catalog/instruction.h"

namespace mmaspec {

class Json;

/// How a catalogued instruction is known.
struct UnitEvidence {
  std::string unit;  ///< its name
  Evidence weakest;
  /// Keys of the parameters that have no better evidence; empty: all have the same.
  std::vector<std::string> parameters = {};
  std::string asked = {};  ///< how the user named it
};

/// The catalogued instruction that `instruction` is made of: itself, chained or padded, or of a
/// plan the one that it runs. nullopt: it is an open design, a user's own algorithm or an RTL
/// design, which is its own specification.
std::optional<Instruction> unit_of(const Instruction& instruction);

/// Of each unit once, in order; of open designs and users' own algorithms none.
std::vector<UnitEvidence> weakest_evidence(const std::vector<Instruction>& instructions);

/// What an answer is about.
struct Scope {
  InputClass inputs = InputClass::finite;
  /// What restricts the inputs besides, a clause each: values that both formats hold, operands of
  /// which a unit reads a part.
  std::vector<std::string> restrictions = {};
  std::vector<std::string> where = {};
  std::vector<UnitEvidence> evidence = {};
};

/// Of an answer about one.
Scope scope_of(const Instruction& instruction, InputClass inputs,
               const std::vector<std::string>& where);
/// Of an answer about two, brought together.
Scope scope_of(const Instruction& first, const Instruction& second, Match match, InputClass inputs,
               const std::vector<std::string>& where);

/// "finite", "normal or zero", "any".
std::string to_string(InputClass inputs);
/// The set of inputs, without a line's end: `finite; only values that both formats hold (a, b: f32,
/// tf32), where c == 0`.
std::string inputs_text(const Scope& scope);
/// `hopper/mma.m16n8k16.f32.f16.f16.f32 hardware; rdna3/... open (group)`; empty: no unit.
std::string evidence_text(const std::vector<UnitEvidence>& evidence);
/// The same as a line, `evidence: ...`; empty: no unit.
std::string evidence_line(const std::vector<UnitEvidence>& evidence);

/// The line where there may be many units: each of a few, else how many have which evidence.
std::string evidence_summary(const std::vector<UnitEvidence>& evidence);

/// An array of objects: `unit`, `evidence`, and `parameters` where some are better known.
Json evidence_json(const std::vector<UnitEvidence>& evidence);
/// Adds `inputs`, the text of inputs_text(), and `evidence`.
void add_scope(const Scope& scope, Json& object);

}  // namespace mmaspec
