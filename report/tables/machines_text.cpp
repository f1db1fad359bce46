#include "report/tables/machines_text.h"

#include <fmt/format.h>

#include "report/attempts.h"
#include "report/values.h"
#include "util/json.h"

namespace mmaspec {
namespace {

std::string verdict_of(const DiffResult& result) {
  if (result.verdict == Verdict::satisfiable) return "differ";
  return result.verdict == Verdict::unsatisfiable ? "equal" : "undecided";
}

/// For both sides of all products.
std::vector<UnitEvidence> evidence_of(const std::vector<SharedProduct>& products) {
  std::vector<Instruction> all;
  for (const SharedProduct& p : products) {
    all.push_back(p.result.pair.first);
    all.push_back(p.result.pair.second);
  }
  return weakest_evidence(all);
}

}  // namespace

std::string text_of(const std::string& first, const std::string& second,
                    const AskedDifference& asked, const std::vector<SharedProduct>& products,
                    const std::optional<Distribution>& distribution) {
  std::string text = fmt::format(
      "{} and {}: the instructions that a GEMM library selects for each data type\n"
      "('mmaspec diff NAME NAME' compares one pair in detail)\n",
      first, second);
  for (const SharedProduct& p : products) {
    const Pair& pair = p.result.pair;
    text +=
        fmt::format("\n{}\n  {}\n  {}\n", p.first.product, pair.first.label(), pair.second.label());
    if (!pair.note.empty()) text += "  " + pair.note + "\n";
    const std::string verdict = verdict_of(p.result);
    if (verdict == "equal") {
      text += fmt::format(
          "  {}{}, {} ({})\n", condition_text(asked).empty() ? "equal" : "never differ",
          condition_text(asked), inputs_text(asked, pair), p.result.justification.how());
      continue;
    }
    if (verdict == "undecided") {
      text += fmt::format("  undecided, {} ({})\n", inputs_text(asked, pair),
                          p.result.justification.how());
      continue;
    }
    const VectorRow& row = p.result.witnesses.at(0).row;
    text += fmt::format("  differ{}, {}: {}\n", condition_text(asked), inputs_text(asked, pair),
                        text_of({distribution, p.statistics}));
    text += show_inputs(pair.first.formats, row.values, asked.full);
    text += show_results({{"first", pair.first.formats.d, row.d.value()},
                          {"second", pair.second.formats.d, row.d_other.value()}});
  }
  if (products.empty()) text += "\nno data type that a library runs on both is specified\n";
  const std::string evidence = evidence_summary(evidence_of(products));
  return evidence.empty() ? text : text + "\n" + evidence;
}

std::string json_of(const std::string& first, const std::string& second,
                    const AskedDifference& asked, const std::vector<SharedProduct>& products,
                    const std::optional<Distribution>& distribution) {
  Json object{{"first", first}, {"second", second}};
  if (!asked.ulp.empty()) object["ulp"] = asked.ulp;
  if (!asked.absolute.empty()) object["abs"] = asked.absolute;
  if (!asked.relative.empty()) object["rel"] = asked.relative;
  object["products"] = Json::array();
  for (const SharedProduct& p : products) {
    const Pair& pair = p.result.pair;
    Json entry{{"product", p.first.product}};
    entry["first"] = pair.first.name();
    entry["first_source"] = p.first.source;
    entry["second"] = pair.second.name();
    entry["second_source"] = p.second.source;
    entry["note"] = pair.note;
    add_scope(scope_of(asked, pair), entry);
    entry["verdict"] = verdict_of(p.result);
    add_grounds(entry, p.result.justification, p.result.verdict == Verdict::unsatisfiable);
    if (!p.result.witnesses.empty()) {
      entry["witness"] =
          mmaspec::to_json(p.result.witnesses[0].row, pair.first.formats, pair.second.formats.d);
      entry["statistics"] = json_of({distribution, p.statistics});
    }
    object["products"].push_back(std::move(entry));
  }
  return to_text(object, 2);
}

}  // namespace mmaspec
