#include "spec/catalog/evidence.h"

#include <algorithm>

#include "spec/catalog/plan.h"

namespace mmaspec {

std::optional<Instruction> unit_of(const Instruction& instruction) {
  if (instruction.architecture == "plan") return unit_of(inner_of_plan(instruction.mnemonic));
  if (instruction.provenance.empty()) return std::nullopt;
  return instruction;
}

std::vector<UnitEvidence> weakest_evidence(const std::vector<Instruction>& instructions) {
  std::vector<UnitEvidence> all;
  for (const Instruction& instruction : instructions) {
    const std::optional<Instruction> unit = unit_of(instruction);
    if (!unit) continue;
    UnitEvidence evidence{unit->name(), Evidence::hardware};
    const auto is_known = [&](const UnitEvidence& e) { return e.unit == evidence.unit; };
    if (std::any_of(all.begin(), all.end(), is_known)) continue;
    // The kinds stand in their order, the best first.
    for (const Provenance& p : unit->provenance) {
      evidence.weakest = std::max(evidence.weakest, p.evidence);
    }
    for (const Provenance& p : unit->provenance) {
      if (p.evidence == evidence.weakest) evidence.parameters.push_back(p.parameter);
    }
    if (evidence.parameters.size() == unit->provenance.size()) evidence.parameters.clear();
    all.push_back(std::move(evidence));
  }
  return all;
}

}  // namespace mmaspec
