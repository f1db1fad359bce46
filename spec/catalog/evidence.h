#pragma once
/// The weakest evidence that an instruction's specification rests on.

#include <optional>
#include <string>
#include <vector>

#include "spec/catalog/instruction.h"

namespace mmaspec {

/// How a catalogued instruction is known.
struct UnitEvidence {
  std::string unit;  ///< its name
  Evidence weakest;
  /// Keys of the parameters that have no better evidence; empty: all have the same.
  std::vector<std::string> parameters = {};
};

/// The catalogued instruction that `instruction` is made of: itself, chained or padded, or of a
/// plan the one that it runs. nullopt: it is an open design, a user's own algorithm or an RTL
/// design, which is its own specification.
std::optional<Instruction> unit_of(const Instruction& instruction);

/// Of each unit once, in order; of open designs and users' own algorithms none.
std::vector<UnitEvidence> weakest_evidence(const std::vector<Instruction>& instructions);

}  // namespace mmaspec
