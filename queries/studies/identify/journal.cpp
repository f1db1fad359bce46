#include "queries/studies/identify/journal.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "concrete/rows/row.h"
#include "util/counted.h"

namespace mmaspec {
namespace {

namespace fs = std::filesystem;

constexpr const char* kConfirm = ",\"stage\":\"confirm\"}";

[[noreturn]] void cannot(const std::string& what, const std::string& file) {
  throw std::runtime_error("cannot " + what + " " + file + ": " + std::strerror(errno));
}

std::string at(const std::string& file, std::size_t line) {
  return file + ":" + std::to_string(line) + ": ";
}

/// Writes the complete file, and flushes it to disk.
void write_new(const std::string& file, const std::string& text) {
  const std::string part = file + ".part";
  std::ofstream out(part, std::ios::binary);
  out << text;
  if (!out.flush()) cannot("write", part);
  out.close();
  std::error_code error;
  fs::rename(part, file, error);
  if (error) throw std::runtime_error("cannot write " + file + ": " + error.message());
}

std::string marked(const std::string& line, bool confirming) {
  return confirming ? line.substr(0, line.size() - 1) + kConfirm : line;
}

}  // namespace

std::vector<Answered> read_answers(const std::string& file, const DotFormats& formats) {
  std::vector<Answered> all;
  for_each_line(file, [&](std::string_view line, std::size_t number) {
    if (all.empty() && is_record_header(line)) return;
    try {
      VectorRow row = parse_row(line);
      check_row(row, formats);
      if (!row.d) throw std::invalid_argument("\"d\" is missing");
      all.push_back({std::move(row.values), std::move(*row.d)});
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument(at(file, number) + error.what());
    }
  });
  return all;
}

Journal::Journal(const std::string& file, const DotFormats& formats)
    : file_(file), formats_(formats) {
  std::string text;
  if (fs::exists(file)) {
    std::ifstream in(file, std::ios::binary);
    if (!in) cannot("read", file);
    text.assign(std::istreambuf_iterator<char>(in), {});
  }
  const std::size_t whole = text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1;
  std::istringstream in(text.substr(0, whole));
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    try {
      VectorRow row = parse_row(line);
      check_row(row, formats);
      if (!row.d) continue;
      (line.ends_with(kConfirm) ? confirming_ : answers_)
          .push_back({std::move(row.values), std::move(*row.d)});
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument(at(file, number) + error.what());
    }
  }
  descriptor_ = open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR | S_IRGRP);
  if (descriptor_ < 0) cannot("write", file);
  // Overwrites what a crash left of a line.
  if (ftruncate(descriptor_, static_cast<off_t>(whole)) != 0 ||
      lseek(descriptor_, 0, SEEK_END) < 0) {
    cannot("write", file);
  }
}

Journal::~Journal() {
  if (descriptor_ >= 0) close(descriptor_);
}

void Journal::append(const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t n = write(descriptor_, text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) cannot("write", file_);
    done += static_cast<std::size_t>(n);
  }
  fdatasync(descriptor_);  // fails for a pipe, which does not need it
}

void Journal::asking(const std::vector<DotValues>& inputs, bool confirming) {
  std::string text;
  for (const DotValues& values : inputs) {
    text += marked(oracle_row(formats_, values), confirming) + "\n";
  }
  append(text);
}

void Journal::answered(const std::vector<Answered>& answers, bool confirming) {
  std::string text;
  for (const Answered& a : answers) {
    text += marked(oracle_row(formats_, a.values, a.d), confirming) + "\n";
  }
  append(text);
}

RememberingOracle::RememberingOracle(Oracle& inner, const DotFormats& formats,
                                     const std::vector<Answered>& known)
    : inner_(inner), formats_(formats) {
  for (const Answered& a : known) known_.emplace(oracle_row(formats_, a.values), a.d);
}

std::vector<Integer> RememberingOracle::ask(const std::vector<DotValues>& all) {
  std::vector<Integer> d(all.size());
  std::vector<DotValues> unknown;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto it = known_.find(oracle_row(formats_, all[i]));
    if (it != known_.end()) {
      d[i] = it->second;
    } else {
      unknown.push_back(all[i]);
      places.push_back(i);
    }
  }
  if (unknown.empty()) return d;
  const std::vector<Integer> answers = inner_.ask(unknown);
  for (std::size_t i = 0; i < places.size(); ++i) d[places[i]] = answers[i];
  return d;
}

AnswersAwaited::AnswersAwaited(const std::string& asked, const std::string& answers,
                               std::size_t rows)
    : std::runtime_error(counted(rows, "input is", "inputs are") + " in " + asked +
                         ": put the same rows with d, in order, into " + answers +
                         ", and run this command again") {}

RoundsOracle::RoundsOracle(const std::string& folder, const DotFormats& formats)
    : folder_(folder), formats_(formats) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!fs::is_directory(folder)) {
    throw std::runtime_error("cannot make the folder " + folder +
                             (error ? ": " + error.message() : ""));
  }
  for (;; ++rounds_) {
    const std::string number = std::to_string(rounds_ + 1) + ".jsonl";
    const std::string ask = folder_ + "/ask-" + number;
    const std::string answer = folder_ + "/answer-" + number;
    if (!fs::exists(ask)) break;
    if (!fs::exists(answer)) {
      awaited_ = true;
      break;
    }
    std::vector<DotValues> asked;
    for_each_line(
        ask, [&](std::string_view line, std::size_t) { asked.push_back(parse_row(line).values); });
    const std::vector<Answered> answers = read_answers(answer, formats_);
    if (answers.size() != asked.size()) {
      throw std::invalid_argument(answer + ": " + std::to_string(answers.size()) +
                                  " rows answered of the " + std::to_string(asked.size()) +
                                  " asked in " + ask);
    }
    for (std::size_t i = 0; i < asked.size(); ++i) {
      if (!(answers[i].values == asked[i])) {
        throw std::invalid_argument(answer + ": row " + std::to_string(i + 1) +
                                    " differs from the row that was asked in " + ask);
      }
      auto& known = known_[oracle_row(formats_, asked[i])];
      known.push_back(answers[i].d);
      if (known.size() == 2 && same_answer(*formats_.d, known[0], known[1])) {
        answers_.push_back(answers[i]);
      }
    }
  }
}

std::vector<Integer> RoundsOracle::ask(const std::vector<DotValues>& all) {
  std::vector<Integer> d;
  std::map<std::string, std::size_t> used;
  for (const DotValues& values : all) {
    const std::string row = oracle_row(formats_, values);
    const auto it = known_.find(row);
    if (it == known_.end()) break;
    d.push_back(it->second[std::min(used[row]++, it->second.size() - 1)]);
  }
  if (d.size() == all.size()) return d;
  const std::string number = std::to_string(rounds_ + 1) + ".jsonl";
  const std::string ask = folder_ + "/ask-" + number;
  const std::string answer = folder_ + "/answer-" + number;
  std::size_t count = all.size();
  if (awaited_) {
    // The current round does not change, because its answers may be in preparation.
    count = 0;
    for_each_line(ask, [&](std::string_view, std::size_t) { ++count; });
  } else {
    std::string text;
    for (const DotValues& values : all) text += oracle_row(formats_, values) + "\n";
    write_new(ask, text);
  }
  throw AnswersAwaited(ask, answer, count);
}

}  // namespace mmaspec
