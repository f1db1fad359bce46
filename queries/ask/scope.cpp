#include "queries/ask/scope.h"

#include <algorithm>

#include "spec/algorithms/chain_step.h"
#include "spec/catalog/plan.h"
#include "spec/formats/text.h"
#include "spec/plans/multiword.h"
#include "spec/plans/operand_schemes.h"
#include "spec/plans/scheme.h"
#include "util/json.h"

namespace mmaspec {
namespace {

constexpr std::size_t kShownParameters = 3;
constexpr std::size_t kFewUnits = 6;

std::string joined(const std::vector<std::string>& words, const std::string& between) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : between) + word;
  return all;
}

struct NamedFormat {
  const char* operand;
  const Format* first;
  const Format* second;
};

std::vector<NamedFormat> operands_of(const DotFormats& f, const DotFormats& g) {
  std::vector<NamedFormat> all{{"a", f.a, g.a}, {"b", f.b, g.b}, {"c", f.c, g.c}};
  if (f.scale != nullptr && g.scale != nullptr) all.push_back({"scale factors", f.scale, g.scale});
  return all;
}

/// "a, b: f32, tf32; c: f16, f32": the operands whose formats differ. Empty if there are none.
std::string unlike_formats(const DotFormats& f, const DotFormats& g) {
  std::vector<std::pair<std::string, std::string>>
      groups;  // formats, and the operands that have them
  for (const auto& [operand, first, second] : operands_of(f, g)) {
    if (*first == *second) continue;
    const std::string formats = std::string(first->name) + ", " + std::string(second->name);
    const auto known = std::find_if(groups.begin(), groups.end(),
                                    [&](const auto& group) { return group.first == formats; });
    if (known == groups.end()) {
      groups.emplace_back(formats, operand);
    } else {
      known->second += std::string(", ") + operand;
    }
  }
  std::vector<std::string> texts;
  for (const auto& [formats, operands] : groups) texts.push_back(operands + ": " + formats);
  return joined(texts, "; ");
}

void add_once(std::vector<std::string>& all, std::string text) {
  if (std::find(all.begin(), all.end(), text) == all.end()) all.push_back(std::move(text));
}

/// Whether the words of a plan of this scheme hold fewer values than its operands.
template <typename S>
void add_words_read(const Instruction& instruction, std::vector<std::string>& all) {
  const auto* plan = scheme_of<S>(*unpadded(instruction.algorithm, instruction.formats).algorithm);
  if (plan == nullptr) return;
  const Format& word = *plan->inner().formats.a;
  const int words = plan->scheme().words;
  if (words * (word.fraction_bits + 1) > instruction.formats.a->fraction_bits) return;
  add_once(all, "a and b rounded to " + std::to_string(words) +
                    (words == 1 ? " word of " : " words of ") + std::string(word.name) + " by " +
                    std::string(S::kName));
}

/// Adds a clause if a plan, or a plan inside it, rounds operands before the unit reads them.
void add_conversion(const Instruction& instruction, std::vector<std::string>& all) {
  if (instruction.architecture != "plan") return;
  const auto* plan =
      scheme_of<Convert>(*unpadded(instruction.algorithm, instruction.formats).algorithm);
  if (plan != nullptr) {
    const DotFormats& inner = plan->inner().formats;
    const Convert& scheme = plan->scheme();
    add_once(all, "a and b converted from " + std::string(scheme.a->name) + " and " +
                      std::string(scheme.b->name) + " to " + std::string(inner.a->name) + " and " +
                      std::string(inner.b->name) + ", rounding " + to_string(scheme.round));
    if (scheme.scale_a != Convert::kUnscaled || scheme.scale_b != Convert::kUnscaled) {
      add_once(all, "a and b multiplied by " + to_hex_float(formats::f32, scheme.scale_a) +
                        " and " + to_hex_float(formats::f32, scheme.scale_b) + " before");
    }
  }
  const std::string name = instruction.name();
  add_conversion(inner_of_plan(name.substr(std::string_view("plan:").size())), all);
}

/// Adds the operands of which a unit or a plan reads only a part.
void add_operands_read(const Instruction& instruction, std::vector<std::string>& all) {
  const DotFormats& f = instruction.formats;
  for (const auto& [operand, format, same] : operands_of(f, f)) {
    if (format->ignored_low_bits == 0) continue;
    add_once(all, std::string(format->name) + " operands without their low " +
                      std::to_string(format->ignored_low_bits) + " bits");
  }
  // For instructions, the pair's own note describes padding.
  const std::string zeros = instruction.architecture == "plan" ? zero_products(instruction) : "";
  if (!zeros.empty()) add_once(all, instruction.label() + " has " + zeros);
  add_words_read<Multiword>(instruction, all);
  add_words_read<Markidis>(instruction, all);
  add_words_read<Ootomo>(instruction, all);
  add_words_read<Tf32x3>(instruction, all);
  add_words_read<Bf16x3>(instruction, all);
  add_words_read<Bf16x6>(instruction, all);
  add_words_read<Bf16x9>(instruction, all);
  add_conversion(instruction, all);
}

}  // namespace

std::optional<Instruction> unit_of(const Instruction& instruction) {
  if (instruction.architecture == "plan")
    return unit_of(inner_of_plan(instruction.label().substr(std::string_view("plan:").size())));
  if (instruction.provenance.empty()) return std::nullopt;
  return instruction;
}

std::vector<UnitEvidence> weakest_evidence(const std::vector<Instruction>& instructions) {
  std::vector<UnitEvidence> all;
  for (const Instruction& instruction : instructions) {
    const std::optional<Instruction> unit = unit_of(instruction);
    if (!unit) continue;
    UnitEvidence evidence{unit->name(), Evidence::hardware, {}, unit->label()};
    const auto is_known = [&](const UnitEvidence& e) { return e.unit == evidence.unit; };
    if (std::any_of(all.begin(), all.end(), is_known)) continue;
    // Kinds of evidence are ordered from the strongest to the weakest.
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

Scope scope_of(const Instruction& instruction, InputClass inputs,
               const std::vector<std::string>& where) {
  Scope scope{inputs, {}, where, weakest_evidence({instruction})};
  add_operands_read(instruction, scope.restrictions);
  return scope;
}

Scope scope_of(const Instruction& first, const Instruction& second, Match match, InputClass inputs,
               const std::vector<std::string>& where) {
  Scope scope{inputs, {}, where, weakest_evidence({first, second})};
  const std::string unlike = unlike_formats(first.formats, second.formats);
  if (!unlike.empty()) {
    scope.restrictions.push_back(
        (match == Match::values ? "only values that both formats hold (" : "the same bits of (") +
        unlike + ")");
  }
  for (const Instruction* i : {&first, &second}) add_operands_read(*i, scope.restrictions);
  return scope;
}

std::string to_string(InputClass inputs) {
  switch (inputs) {
    case InputClass::finite:
      return "finite";
    case InputClass::normal:
      return "normal or zero";
    case InputClass::any:
      break;
  }
  return "any";
}

std::string inputs_text(const Scope& scope) {
  std::string text = to_string(scope.inputs);
  for (const std::string& r : scope.restrictions) text += "; " + r;
  for (const std::string& w : scope.where) text += ", where " + w;
  return text;
}

std::string evidence_text(const std::vector<UnitEvidence>& evidence) {
  std::vector<std::string> units;
  for (const UnitEvidence& e : evidence) {
    std::string text = e.asked + " " + std::string(to_string(e.weakest));
    if (!e.parameters.empty()) {
      std::vector<std::string> shown = e.parameters;
      if (shown.size() > kShownParameters) {
        shown.resize(kShownParameters);
        shown.emplace_back("...");
      }
      text += " (" + joined(shown, ", ") + ")";
    }
    units.push_back(std::move(text));
  }
  return joined(units, "; ");
}

std::string evidence_line(const std::vector<UnitEvidence>& evidence) {
  return evidence.empty() ? "" : "evidence: " + evidence_text(evidence) + "\n";
}

std::string evidence_summary(const std::vector<UnitEvidence>& evidence) {
  if (evidence.size() <= kFewUnits) return evidence_line(evidence);
  std::vector<std::string> kinds;
  for (const Evidence kind : {Evidence::hardware, Evidence::documented, Evidence::emulator,
                              Evidence::model, Evidence::open}) {
    const auto count = std::count_if(evidence.begin(), evidence.end(),
                                     [&](const UnitEvidence& e) { return e.weakest == kind; });
    if (count > 0) kinds.push_back(std::to_string(count) + " " + std::string(to_string(kind)));
  }
  return "evidence, the weakest for each of " + std::to_string(evidence.size()) +
         " units: " + joined(kinds, ", ") + "\n";
}

Json evidence_json(const std::vector<UnitEvidence>& evidence) {
  Json all = Json::array();
  for (const UnitEvidence& e : evidence) {
    Json entry{{"unit", e.unit}, {"evidence", to_string(e.weakest)}};
    if (!e.parameters.empty()) entry["parameters"] = e.parameters;
    all.push_back(std::move(entry));
  }
  return all;
}

void add_scope(const Scope& scope, Json& object) {
  object["inputs"] = inputs_text(scope);
  object["evidence"] = evidence_json(scope.evidence);
}

}  // namespace mmaspec
