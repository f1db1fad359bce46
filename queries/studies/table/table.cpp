#include "queries/studies/table/table.h"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "concrete/rows/row.h"
#include "queries/audit/check.h"
#include "queries/counterexamples/counterexample.h"
#include "spec/conversions/conversions.h"
#include "util/json.h"

namespace mmaspec {
namespace {

Outcome outcome_of(const std::string& text) {
  for (const Outcome o :
       {Outcome::proved, Outcome::refuted, Outcome::undecided, Outcome::not_applicable}) {
    if (text == to_string(o)) return o;
  }
  throw std::invalid_argument("'" + text + "' is not a verdict");
}

std::optional<Rational> number_of(const Json& object, const char* key) {
  if (!object.contains(key)) return std::nullopt;
  return Rational(object.at(key).get<std::string>());
}

Json to_json(const WitnessRun& run) {
  VectorRow row;
  row.instruction = run.instruction.name();
  row.values = run.values;
  row.d = run.d;
  Json object = mmaspec::to_json(row, run.instruction.formats);
  object["run"] = run.label;
  return object;
}

}  // namespace

std::vector<TableRow> rows_by_name(const std::vector<Instruction>& instructions) {
  std::vector<TableRow> rows;
  for (const Instruction& i : instructions) rows.push_back({{i}, {i.name()}, signature(i)});
  return rows;
}

std::vector<TableRow> rows_by_design(const std::vector<Instruction>& instructions) {
  std::vector<TableRow> rows;
  std::map<std::string, std::size_t> by_design;
  for (const Instruction& i : instructions) {
    const std::string design = signature(i);
    const auto [entry, fresh] = by_design.try_emplace(design, rows.size());
    if (fresh) rows.push_back({{i}, {}, design});
    rows[entry->second].names.push_back(i.name());
  }
  return rows;
}

std::vector<Instruction> instructions_of_table() {
  std::vector<Instruction> all = catalogue();
  for (Instruction& i : listed_conversions()) all.push_back(std::move(i));
  return all;
}

std::vector<const Property*> table_properties() {
  std::vector<const Property*> all;
  for (const Property* p : properties()) {
    if (p->in_tables()) all.push_back(p);
  }
  return all;
}

Json to_json(const Property& property, const TableRow& row, const Cell& cell) {
  Json object;
  object["property"] = property.name();
  object["instr"] = row.names.at(0);
  object["verdict"] = to_string(cell.outcome);
  if (cell.refuted) object["refuted"] = cell.refuted->str();
  if (cell.proved) object["proved"] = cell.proved->str();
  if (cell.outcome == Outcome::proved) object["by"] = by(cell.justification.kind);
  object["how"] = cell.justification.how();
  if (!cell.refuted_by.empty()) object["refuted_by"] = cell.refuted_by;
  if (!cell.of.empty()) object["case"] = cell.of;
  if (!cell.smaller.empty()) object["smaller"] = cell.smaller;
  if (cell.contradiction) object["contradiction"] = true;
  if (!reason(cell.vacuity).empty()) object["vacuous"] = true;
  object["seconds"] = cell.seconds;
  object["timeout"] = cell.timeout;
  object["solver"] = cell.solver;
  if (cell.before_arguments > 0) object["before_arguments"] = cell.before_arguments;
  Json runs = Json::array();
  for (const WitnessRun& run : cell.witness) runs.push_back(to_json(run));
  object["witness"] = std::move(runs);
  return object;
}

Cell cell_of(const Json& object, const Property& property, const TableRow& row) {
  Cell cell;
  cell.asked = true;
  cell.outcome = outcome_of(object.at("verdict"));
  cell.refuted = number_of(object, "refuted");
  cell.proved = number_of(object, "proved");
  // Without a proof, the text suffices; for a proof, `by` gives its justification.
  cell.justification.detail = object.at("how");
  cell.justification.kind = cell.outcome == Outcome::proved
                                ? kind_of(object.at("by").get<std::string>())
                                : Justification::Kind::none;
  cell.refuted_by = object.value("refuted_by", "");
  cell.of = object.value("case", "");
  cell.smaller = object.value("smaller", "");
  cell.contradiction = object.value("contradiction", false);
  // Table questions do not have a condition.
  if (object.value("vacuous", false)) cell.vacuity = Vacuity::premises_exclude;
  cell.seconds = object.at("seconds");
  cell.timeout = object.at("timeout");
  cell.solver = object.at("solver");
  cell.before_arguments = object.value("before_arguments", 0.0);
  const std::string asked_of = object.at("instr");
  for (const Json& run : object.at("witness")) {
    const VectorRow given = row_of(run);
    // The cell may have been asked under another name of the design. Any other name is that of the
    // instruction with which the property compares.
    const bool is_first = given.instruction == asked_of;
    std::optional<Instruction> other;
    if (!is_first) other = property.other(row.subject);
    if (!is_first && !other) throw std::invalid_argument("an evaluation of " + given.instruction);
    const Instruction& instruction = is_first ? row.subject.first : *other;
    check_row(given, instruction.formats);
    if (!given.d) throw std::invalid_argument("an evaluation without d");
    cell.witness.push_back({run.at("run"), instruction, given.values, *given.d});
  }
  return cell;
}

bool is_confirmed(const Property& property, const TableRow& row, const Cell& cell) {
  Subject subject = row.subject;
  if (cell.refuted) subject.parameter = cell.refuted;
  const std::optional<Instruction> other = property.other(subject);
  std::vector<RunValues> runs;
  for (const WitnessRun& run : cell.witness) {
    const auto gives = [&](const Instruction& i) {
      return DotModel(i.algorithm, i.formats).run(run.values) == run.d;
    };
    // The design with which a property compares may not have a name.
    if (!gives(run.instruction) && !(other && gives(*other))) return false;
    runs.push_back({run.values, run.d});
  }
  if (runs.empty()) return false;
  for (int i = 0; i < property.cases(subject); ++i) {
    if (property.case_name(subject, i) == cell.of &&
        counterexamples_of(property).violated(subject, i, runs)) {
      return true;
    }
  }
  return false;
}

}  // namespace mmaspec
