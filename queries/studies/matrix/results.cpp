#include "queries/studies/matrix/results.h"

#include "util/json.h"

namespace mmaspec {
namespace {

std::string pair_key(const std::string& first, const std::string& second) {
  return first + "\n" + second;
}

bool is_undecided_pair(const Json& line) {
  return line.value("verdict", "") == to_string(PairVerdict::undecided);
}

}  // namespace

Pair pair_of(const NamedPair& named) {
  Pair pair = pair_up(named.first_design->instruction, named.second_design->instruction, {});
  return pair;
}

MatrixResults::MatrixResults(const std::string& file, Use use)
    : log_(file, use, "row of a matrix", [this](Json&& line) {
        if (line.at("version") == kVersion) remember(std::move(line));
      }) {}

void MatrixResults::remember(Json line) {
  for (const char* key : {"first", "second", "verdict"}) {
    if (!line.contains(key) || !line.at(key).is_string()) return;
  }
  Json& kept = rows_[pair_key(line.at("first"), line.at("second"))];
  // Later answers had more time, or another solver.
  if (kept.is_object() && kept.at("designs") == line.at("designs") && !is_undecided_pair(kept) &&
      is_undecided_pair(line)) {
    return;
  }
  kept = std::move(line);
}

std::optional<PairRow> MatrixResults::find(const NamedPair& pair) const {
  const auto it = rows_.find(pair_key(pair.first, pair.second));
  if (it == rows_.end()) return std::nullopt;
  try {
    const Json designs{pair.first_design->signature, pair.second_design->signature};
    if (it->second.at("designs") != designs) return std::nullopt;
    return pair_row_of(it->second, pair_of(pair));
  } catch (const std::exception&) {
    return std::nullopt;  // the row belongs to another specification
  }
}

std::string MatrixResults::line(const NamedPair& pair) const {
  if (!find(pair)) return "";
  return ResultsLog::text_of(rows_.at(pair_key(pair.first, pair.second)));
}

void MatrixResults::leave_out_arguments() {
  std::erase_if(rows_, [](const auto& row) {
    return row.second.value("by", "") == by(Justification::Kind::argument);
  });
}

void MatrixResults::add(const std::vector<Added>& rows) {
  std::vector<Json> lines;
  for (const auto& [pair, given] : rows) {
    PairRow row = given;
    for (std::optional<VectorRow>* witness : {&row.witness, &row.worst}) {
      if (!*witness) continue;
      (*witness)->instruction = pair.first;
      (*witness)->other = pair.second;
    }
    Json line{{"version", kVersion}};
    line["first"] = pair.first;
    line["second"] = pair.second;
    const Pair brought = pair_of(pair);
    line["k"] = brought.first.formats.k;
    line["designs"] = {pair.first_design->signature, pair.second_design->signature};
    line.update(to_json(row, brought));
    lines.push_back(std::move(line));
  }
  log_.append(lines);
  for (Json& line : lines) remember(std::move(line));
}

}  // namespace mmaspec
