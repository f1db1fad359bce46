#include "hardware/replay/host/device.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "hardware/replay/host/answers.h"
#include "hardware/replay/host/drawn.h"
#include "util/json.h"
#include "util/program.h"
#include "util/run_command.h"

namespace mmaspec {
namespace {

[[noreturn]] void answers_badly(const DeviceProgram& program, const std::string& how) {
  throw std::runtime_error(program.what + ": '" + program.command +
                           "' gave a malformed answer: " + how);
}

[[noreturn]] void failed(const DeviceProgram& program, const Finished& run) {
  const std::string said = last_line(run.err);
  throw std::runtime_error(
      program.what + ": '" + program.command + "' ended with status " + std::to_string(run.status) +
      (said.empty() ? "" : ": " + said) +
      (run.status == 127 && said.empty() ? ": the program does not exist" : ""));
}

/// The instruction that the program reports as unknown; empty: it printed something else.
std::string unknown_instruction(const std::string& err) {
  constexpr const char* kUnknown = "unknown instruction '";
  const std::size_t start = err.find(kUnknown);
  if (start == std::string::npos) return "";
  const std::size_t name = start + std::strlen(kUnknown);
  const std::size_t end = err.find('\'', name);
  return end == std::string::npos ? "" : err.substr(name, end - name);
}

/// Link number `link` of the rows that chain; each row is asked with its instruction's own K.
class ChainLinks {
 public:
  ChainLinks(const std::vector<ReplayRow>& rows, RowModels& models, DeviceRun& run)
      : rows_(rows), models_(models), run_(run) {}

  bool gather(std::size_t link) {
    asked_.clear();
    results_.clear();
    numbers_.clear();
    lines_.clear();
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (!run_.answers[i].lacks.empty()) continue;
      const Instruction& native = models_.of(rows_[i].row).native;
      if (!add(native, i, link)) continue;
      results_.push_back(native.formats.d);
      numbers_.push_back(i);
      lines_.push_back(to_json_line(asked_.back(), native.formats));
    }
    return !asked_.empty();
  }

  /// Removes the rows of an instruction that the device does not support.
  bool drop(const std::string& instruction) {
    bool any = false;
    for (const std::size_t i : numbers_) {
      if (rows_[i].row.instruction != instruction) continue;
      run_.answers[i] = {{}, false, "the program does not support this instruction"};
      any = true;
    }
    return any;
  }

  std::string input() const {
    std::string text;
    for (const std::string& line : lines_) text += line + "\n";
    return text;
  }

  /// Reads the answers of the program; the header of the whole is the first one's.
  void take(const std::string& output) {
    AnswerReader reader(asked_, results_);
    std::istringstream in(output);
    for (std::string line; std::getline(in, line);) reader.take(line);
    DeviceRun part = reader.finish();
    if (run_.header.empty()) run_.header = part.header;
    for (std::size_t j = 0; j < numbers_.size(); ++j) {
      DeviceAnswer& answer = run_.answers[numbers_[j]];
      part.answers[j].uneven = part.answers[j].uneven || answer.uneven;
      answer = std::move(part.answers[j]);
    }
  }

 private:
  bool add(const Instruction& native, std::size_t i, std::size_t link) {
    const DotValues& all = rows_[i].row.values;
    const auto k = static_cast<std::size_t>(native.formats.k);
    const auto scales = static_cast<std::size_t>(native.formats.scales());
    if (link > 0 && link * k >= all.a.size()) return false;
    const auto part = [&](const std::vector<Integer>& from, std::size_t count) {
      const std::size_t first = std::min(link * count, from.size());
      std::vector<Integer> values(
          from.begin() + static_cast<std::ptrdiff_t>(first),
          from.begin() + static_cast<std::ptrdiff_t>(std::min(first + count, from.size())));
      values.resize(count);
      return values;
    };
    VectorRow row;
    row.instruction = rows_[i].row.instruction;
    row.values = {part(all.a, k), part(all.b, k), link == 0 ? all.c : *run_.answers[i].d,
                  part(all.scale_a, scales), part(all.scale_b, scales)};
    asked_.push_back(std::move(row));
    return true;
  }

  const std::vector<ReplayRow>& rows_;
  RowModels& models_;
  DeviceRun& run_;
  std::vector<VectorRow> asked_;
  std::vector<const Format*> results_;
  std::vector<std::size_t> numbers_;  ///< indices of the rows asked
  std::vector<std::string> lines_;
};

}  // namespace

std::optional<DeviceProgram> find_device_program(const std::string& name, const std::string& via) {
  constexpr std::string_view kExec = "exec:";
  if (name.starts_with(kExec)) {
    const std::string command = name.substr(kExec.size());
    if (command.find_first_not_of(" \t") == std::string::npos) {
      throw std::invalid_argument("--device exec: expected exec:COMMAND");
    }
    if (!via.empty()) throw std::invalid_argument("--via needs --device cuda or hip");
    return DeviceProgram{command, "--device exec", true};
  }
  const std::string kind = name.substr(0, name.find(':'));
  if (kind != "cuda" && kind != "hip") return std::nullopt;
  const std::string number = kind.size() == name.size() ? "" : name.substr(kind.size() + 1);
  if (kind.size() != name.size() && (number.empty() || number.size() > 4 ||
                                     number.find_first_not_of("0123456789") != std::string::npos)) {
    throw std::invalid_argument("--device " + name.substr(0, 60) + ": expected " + kind + ":N");
  }
  const std::string variable = kind == "cuda" ? "MMASPEC_REPLAY_CUDA" : "MMASPEC_REPLAY_HIP";
  const std::string program_name = "mmaspec-replay-" + kind;
  const char* given = std::getenv(variable.c_str());
  std::string program = given == nullptr ? "" : given;
  if (!via.empty()) {
    if (program.empty()) program = program_name;
  } else if (!program.empty()) {
    if (!is_program(program)) {
      throw std::runtime_error("--device " + name + ": $" + variable + " is '" + program +
                               "', which is not a program");
    }
  } else {
    program = find_program(program_name);
    if (program.empty()) {
      throw std::runtime_error("--device " + name + ": " + program_name +
                               " was not found next to mmaspec, in PATH or in $" + variable +
                               " (hardware/replay/README.md describes how to build it)");
    }
  }
  std::string command = via.empty() ? "" : via + " ";
  command += shell_word(program);
  if (!number.empty()) command += " --device " + number;
  return DeviceProgram{command, "--device " + name};
}

DeviceRun run_on_program(const DeviceProgram& program, const std::vector<ReplayRow>& rows,
                         RowModels& models) {
  DeviceRun run;
  run.answers.resize(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!program.takes_designs && models.of(rows[i].row).native.architecture == "design") {
      run.answers[i].lacks = "a design; devices run only instructions";
    }
  }
  ChainLinks links(rows, models, run);
  for (std::size_t link = 0; links.gather(link);) {
    const Finished finished = run_command(program.command, links.input());
    if (finished.status != 0) {
      const std::string unknown = unknown_instruction(finished.err);
      if (unknown.empty() || !links.drop(unknown)) failed(program, finished);
      continue;  // again, without its rows
    }
    try {
      links.take(finished.out);
    } catch (const std::invalid_argument& error) {
      answers_badly(program, error.what());
    }
    ++link;
  }
  return run;
}

std::string draw_on_program(const DeviceProgram& program, DrawnAnswers& answers) {
  std::string header;
  for (std::size_t i = 0; i < answers.asked().size(); ++i) {
    const DrawnRequest& request = answers.asked()[i];
    const std::vector<VectorRow> no_rows;
    const std::vector<const Format*> no_results;
    AnswerReader reader(no_rows, no_results, &answers);
    const auto take = [&](const std::string& file) {
      for_each_line(file, [&](std::string_view line, std::size_t) { reader.take(line); });
    };
    try {
      const Finished finished = run_command(program.command, to_json_line(request) + "\n", take);
      if (finished.status == 0) {
        if (header.empty()) header = reader.header();
        continue;
      }
      if (unknown_instruction(finished.err).empty()) failed(program, finished);
    } catch (const std::invalid_argument& error) {
      answers_badly(program, error.what());
    }
    DrawnAnswers::Part none{};
    none.request = i;
    none.lacks = "the program does not support this instruction";
    answers.take(none);
  }
  try {
    answers.finish();
  } catch (const std::invalid_argument& error) {
    answers_badly(program, error.what());
  }
  return header;
}

std::string with_provenance(const std::string& header, const std::string& command) {
  auto object = Json::parse(header.empty() ? "{}" : header);
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  std::array<char, 32> date{};
  if (std::strftime(date.data(), date.size(), "%Y-%m-%dT%H:%M:%SZ", &utc) != 0) {
    object["date"] = date.data();
  }
  object["command"] = command;
  return object.dump(-1, Json::Invalid::replace);
}

bool runs_as_it_is(const ReplayRow& row, RowModels& models) {
  const RowModels::Entry& entry = models.of(row.row);
  return entry.native.architecture != "design" &&
         row.row.values.a.size() == static_cast<std::size_t>(entry.native.formats.k);
}

}  // namespace mmaspec
