#include "queries/matrix/results.h"

namespace mmaspec {
namespace {

using nlohmann::ordered_json;

std::string key_of(const std::string& first, const std::string& second) {
  return first + "\n" + second;
}

bool is_undecided(const ordered_json& line) {
  return line.value("verdict", "") == to_string(PairVerdict::undecided);
}

}  // namespace

Pair pair_of(const NamedPair& named) {
  Pair pair = pair_up(named.first_design->instruction, named.second_design->instruction, {});
  return pair;
}

MatrixResults::MatrixResults(const std::string& file, Use use)
    : log_(file, use, "row of a matrix", [this](ordered_json&& line) {
        if (line.at("version") == kVersion) remember(std::move(line));
      }) {}

void MatrixResults::remember(ordered_json line) {
  for (const char* key : {"first", "second", "verdict"}) {
    if (!line.contains(key) || !line.at(key).is_string()) return;
  }
  ordered_json& kept = rows_[key_of(line.at("first"), line.at("second"))];
  // Later ones have had more time, or another solver's opinion.
  if (kept.is_object() && kept.at("designs") == line.at("designs") && !is_undecided(kept) &&
      is_undecided(line)) {
    return;
  }
  kept = std::move(line);
}

std::optional<PairRow> MatrixResults::find(const NamedPair& pair) const {
  const auto it = rows_.find(key_of(pair.first, pair.second));
  if (it == rows_.end()) return std::nullopt;
  try {
    const ordered_json designs{pair.first_design->signature, pair.second_design->signature};
    if (it->second.at("designs") != designs) return std::nullopt;
    return pair_row_of(it->second, pair_of(pair));
  } catch (const std::exception&) {
    return std::nullopt;  // of another specification
  }
}

void MatrixResults::add(const std::vector<Added>& rows) {
  std::vector<ordered_json> lines;
  for (const auto& [pair, given] : rows) {
    PairRow row = given;
    for (std::optional<VectorRow>* witness : {&row.witness, &row.worst}) {
      if (!*witness) continue;
      (*witness)->instruction = pair.first;
      (*witness)->other = pair.second;
    }
    ordered_json line{{"version", kVersion}};
    line["first"] = pair.first;
    line["second"] = pair.second;
    const Pair brought = pair_of(pair);
    line["k"] = brought.first.formats.k;
    line["designs"] = {pair.first_design->signature, pair.second_design->signature};
    line.update(to_json(row, brought));
    lines.push_back(std::move(line));
  }
  log_.append(lines);
  for (ordered_json& line : lines) remember(std::move(line));
}

}  // namespace mmaspec
