#include "hardware/replay/host/answers.h"

#include <stdexcept>
#include <utility>

#include "hardware/replay/host/drawn.h"
#include "util/counted.h"
#include "util/json.h"

namespace mmaspec {
namespace {

std::string hex(const Integer& d, const Format& format) {
  return to_hex(d, static_cast<unsigned>(format.hex_digits()));
}

}  // namespace

void AnswerReader::take(std::string_view line) {
  const auto object = Json::parse_or_discard(line);
  if (object.is_discarded()) throw std::invalid_argument("malformed JSON");
  if (!object.is_object()) throw std::invalid_argument("not a JSON object");
  if (!std::exchange(begun_, true) && !object.contains("instr") && !object.contains("a")) {
    run_.header = object.dump();
    return;
  }
  if (is_drawn(object)) {
    if (drawn_ == nullptr)
      throw std::invalid_argument("it answers random rows that were not requested");
    drawn_->take(object);
    return;
  }
  const VectorRow answered = parse_row(line);
  const std::size_t i = run_.answers.size();
  if (i >= rows_.size()) {
    throw std::invalid_argument("more answers than the " + counted(rows_.size(), "row") + " asked");
  }
  if (answered.instruction != rows_[i].instruction || !(answered.values == rows_[i].values)) {
    throw std::invalid_argument("it answers another row than the one that was asked (number " +
                                std::to_string(i + 1) + ", " + rows_[i].instruction + ")");
  }
  DeviceAnswer answer;
  if (answered.d) {
    check_pattern("d", *answered.d, answered.digits.d, *results_[i]);
    answer.d = answered.d;
    const auto uneven = object.find("uneven");
    answer.uneven = uneven != object.end() && *uneven == true;
  } else if (object.contains("lacks")) {
    answer.lacks =
        object["lacks"].is_string() ? object["lacks"].get<std::string>() : object["lacks"].dump();
    if (answer.lacks.empty()) answer.lacks = "no reason given";
  } else {
    throw std::invalid_argument("neither \"d\" nor \"lacks\" is present");
  }
  run_.answers.push_back(std::move(answer));
}

DeviceRun AnswerReader::finish() {
  if (run_.answers.size() != rows_.size()) {
    throw std::invalid_argument(counted(run_.answers.size(), "row") + " answered of the " +
                                std::to_string(rows_.size()) + " asked");
  }
  if (drawn_ != nullptr) drawn_->finish();
  return std::move(run_);
}

DeviceRun read_recorded(const std::string& file, const std::vector<ReplayRow>& rows,
                        RowModels& models, DrawnAnswers* drawn) {
  std::vector<VectorRow> asked;
  std::vector<const Format*> results;
  for (const ReplayRow& r : rows) {
    asked.push_back(r.row);
    results.push_back(models.of(r.row).run.formats.d);
  }
  AnswerReader reader(asked, results, drawn);
  for_each_line(file, [&](std::string_view line, std::size_t number) {
    try {
      reader.take(line);
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument(file + ":" + std::to_string(number) + ": " + error.what());
    }
  });
  try {
    return reader.finish();
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(file + ": " + error.what());
  }
}

std::string record(const DeviceRun& run, const std::vector<ReplayRow>& rows, RowModels& models) {
  std::string text = run.header.empty() ? "" : run.header + "\n";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const DeviceAnswer& answer = run.answers[i];
    std::string members;
    if (answer.d) {
      members = "\"d\":\"" + hex(*answer.d, *models.of(rows[i].row).run.formats.d) + "\"";
      if (answer.uneven) members += ",\"uneven\":true";
    } else {
      members = "\"lacks\":" + Json(answer.lacks).dump(-1, Json::Invalid::replace);
    }
    text += with_answer(rows[i], members) + "\n";
  }
  return text;
}

}  // namespace mmaspec
