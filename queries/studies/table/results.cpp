#include "queries/studies/table/results.h"

#include "util/json.h"

namespace mmaspec {
namespace {

std::string cell_key(const std::string& property, const std::string& design) {
  return property + "\n" + design;
}

bool is_undecided_cell(const Json& line) {
  return line.value("verdict", "") == to_string(Outcome::undecided);
}

}  // namespace

TableResults::TableResults(const std::string& file, Use use)
    : log_(file, use, "cell of a table", [this](Json&& line) {
        if (line.at("version") == kVersion) remember(std::move(line));
      }) {}

void TableResults::remember(Json line) {
  for (const char* key : {"property", "design", "verdict"}) {
    if (!line.contains(key) || !line.at(key).is_string()) return;
  }
  Json& kept = cells_[cell_key(line.at("property"), line.at("design"))];
  // Later answers had more time, or another solver.
  if (kept.is_object() && !is_undecided_cell(kept) && is_undecided_cell(line)) return;
  kept = std::move(line);
}

Cell TableResults::find(const Property& property, const TableRow& row) const {
  const auto it = cells_.find(cell_key(property.name(), row.design));
  if (it == cells_.end()) return {};
  try {
    return cell_of(it->second, property, row);
  } catch (const std::exception&) {
    return {};  // the statement has changed since
  }
}

std::string TableResults::line(const Property& property, const TableRow& row) const {
  if (!find(property, row).asked) return "";
  return ResultsLog::text_of(cells_.at(cell_key(property.name(), row.design)));
}

const Json* TableResults::find(const std::string& question, const std::string& subject) const {
  const auto it = cells_.find(cell_key(question, subject));
  return it == cells_.end() ? nullptr : &it->second;
}

void TableResults::add(const std::string& question, const std::string& subject,
                       const Json& answer) {
  Json line{{"version", kVersion}};
  line["design"] = subject;
  line["property"] = question;
  line["verdict"] = "answered";
  line.update(answer);
  log_.append({line});
  remember(std::move(line));
}

void TableResults::leave_out_arguments() {
  std::erase_if(cells_, [](const auto& cell) {
    return cell.second.value("by", "") == by(Justification::Kind::argument);
  });
}

void TableResults::add(const Property& property, const TableRow& row, const Cell& cell) {
  Json line{{"version", kVersion}};
  line["design"] = row.design;
  line.update(to_json(property, row, cell));
  log_.append({line});
  remember(std::move(line));
}

}  // namespace mmaspec
