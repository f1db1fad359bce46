#include "hardware/replay/host/rows.h"

#include <stdexcept>

#include "queries/draw/samples.h"
#include "queries/statement/pairing.h"
#include "spec/formats/text.h"
#include "util/json.h"

namespace mmaspec {
namespace {

constexpr std::size_t kLongestChain = std::size_t{1} << 16;  // products

/// The instruction with as many products as the row of a pair has.
Instruction brought_to(const Instruction& native, const VectorRow& row) {
  const std::size_t given = row.values.a.size();
  const auto own = static_cast<std::size_t>(native.formats.k);
  if (row.other.empty() || given == own || given == 0 || given > kLongestChain) return native;
  const bool has_scales = native.formats.scale != nullptr;
  return has_scales && given % own != 0 ? native : of_length(native, static_cast<int>(given));
}

std::string text_member(const Json& object, const char* key) {
  const auto it = object.find(key);
  if (it == object.end()) return "";
  return it->is_string() ? it->get<std::string>() : it->dump();
}

Integer parse_answer(const std::string& rival, const Json& value, const Format& format) {
  const std::string digits = value.is_string() ? value.get<std::string>() : std::string();
  try {
    return parse_bits(format, digits);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument("\"answers\": " + rival.substr(0, 60) + ": " + error.what());
  }
}

ReplayRow parse_replay_row(std::string_view line, const Json& object, RowModels& models) {
  ReplayRow result;
  result.row = parse_row(line);
  const RowModels::Entry& entry = models.of(result.row);
  result.question = text_member(object, "question");
  result.why = text_member(object, "why");
  if (object.contains("answers")) {
    if (!object["answers"].is_object()) {
      throw std::invalid_argument("\"answers\" is not an object");
    }
    for (const auto& [rival, value] : object["answers"].items()) {
      result.answers.push_back({rival, parse_answer(rival, value, *entry.run.formats.d)});
    }
  }
  result.text = object.dump();
  return result;
}

bool is_header(std::string_view line) {
  const auto object = Json::parse_or_discard(line);
  return object.is_object() && !object.contains("instr") && !object.contains("a");
}

}  // namespace

RowModels::Entry& RowModels::of(const VectorRow& row) {
  std::string key = row.instruction;
  if (!row.other.empty()) key += ' ' + std::to_string(row.values.a.size());
  auto found = entries_.find(key);
  if (found == entries_.end()) {
    Instruction native = find_instruction(row.instruction);
    Instruction run = brought_to(native, row);
    found = entries_
                .emplace(std::move(key),
                         std::make_unique<Entry>(Entry{std::move(native), std::move(run)}))
                .first;
  }
  check_row(row, found->second->run.formats);
  return *found->second;
}

std::vector<ReplayRow> read_replay_rows(const std::vector<std::string>& files, RowModels& models,
                                        const std::function<void(const Json&)>& drawn) {
  std::vector<ReplayRow> rows;
  for (const std::string& file : files) {
    bool first = true;
    for_each_line(file, [&](std::string_view line, std::size_t number) {
      if (std::exchange(first, false) && is_header(line)) return;
      const std::string where = file + ":" + std::to_string(number);
      try {
        const auto object = Json::parse_or_discard(line);
        if (drawn && object.is_object() && object.contains("drawn")) {
          drawn(object);
          return;
        }
        rows.push_back(parse_replay_row(line, object, models));
        rows.back().where = where;
      } catch (const std::invalid_argument& error) {
        throw std::invalid_argument(where + ": " + error.what());
      }
    });
  }
  return rows;
}

std::vector<ReplayRow> random_rows(const std::vector<std::string>& names, int count,
                                   unsigned seed) {
  std::vector<ReplayRow> rows;
  for (const std::string& name : names) {
    const Instruction instruction = find_instruction(name);
    Sampler sampler(instruction.formats, InputClass::any, seed);
    for (int i = 0; i < count; ++i) {
      VectorRow row;
      row.instruction = instruction.name();
      row.values = sampler.next();
      rows.push_back(made_row(std::move(row), instruction, "random " + std::to_string(i + 1)));
    }
  }
  return rows;
}

ReplayRow made_row(VectorRow row, const Instruction& instruction, std::string where,
                   std::string question, std::string why, std::vector<Prediction> answers) {
  Json object;
  if (!question.empty()) object["question"] = question;
  if (!why.empty()) object["why"] = why;
  object.update(to_json(row, instruction.formats));
  for (const Prediction& p : answers) {
    object["answers"][p.rival] =
        to_hex(p.d, static_cast<unsigned>(instruction.formats.d->hex_digits()));
  }
  return {std::move(row),      std::move(where), object.dump(),
          std::move(question), std::move(why),   std::move(answers)};
}

std::string with_answer(const ReplayRow& row, const std::string& members) {
  auto object = Json::parse(row.text);
  for (const char* key : {"d", "lacks", "uneven"}) object.erase(key);
  std::string text = object.dump();
  text.pop_back();
  return text + "," + members + "}";
}

}  // namespace mmaspec
