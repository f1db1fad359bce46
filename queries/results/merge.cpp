#include "queries/results/merge.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>

#include "concrete/rows/row.h"
#include "queries/results/log.h"
#include "spec/formats/text.h"
#include "util/file.h"
#include "util/json.h"

namespace mmaspec {
namespace {

constexpr std::size_t kRunBytes = std::size_t{48} << 20;  // bytes sorted in memory at once
constexpr std::size_t kTold = 20;
constexpr std::size_t kPiece = std::size_t{1} << 20;

/// A line, and the question that it answers, which is the sort key.
struct Record {
  std::string question;
  std::string line;
  friend auto operator<=>(const Record&, const Record&) = default;
};

/// The members of a line that matter here. The rest, mostly witnesses, is not stored.
class Head : public JsonReader {
 public:
  const std::string& operator[](const std::string& key) const {
    static const std::string none;
    const auto it = texts_.find(key);
    return it == texts_.end() ? none : it->second;
  }
  bool has(const std::string& key) const { return texts_.contains(key); }
  double timeout() const { return timeout_; }

 private:
  void string(const std::string& text) override {
    if (depth_ == 1 || key_ == "designs") {
      std::string& kept = texts_[key_];
      kept += (kept.empty() ? "" : "\n") + text;
    }
  }
  void number(double x) override {
    if (depth_ == 1 && key_ == "timeout") timeout_ = x;
    if (depth_ == 1 && key_ == "version") texts_["version"] = std::to_string(x);
  }
  void key(const std::string& name) override {
    if (depth_ == 1) key_ = name;
  }
  void enter() override { ++depth_; }
  void leave() override { --depth_; }

  int depth_ = 0;
  std::string key_;
  std::map<std::string, std::string> texts_;
  double timeout_ = 0;
};

/// Begins with the names, so that the file is sorted by them; nullopt: not a row.
std::optional<std::string> question_of(const Head& head) {
  if (!head.has("version") || !head.has("verdict")) return std::nullopt;
  const std::string version = "\n" + head["version"];
  if (head.has("property") && head.has("design")) {
    return head["design"] + "\n" + head["property"] + version;
  }
  if (!head.has("first") || !head.has("second") || !head.has("designs")) return std::nullopt;
  return head["first"] + "\n" + head["second"] + "\n" + head["designs"] + version;
}

[[noreturn]] void cannot(const std::string& what) {
  throw std::runtime_error("cannot " + what + " a temporary file: " + std::strerror(errno));
}

/// Sorted records in a temporary file.
class SortedRun {
 public:
  explicit SortedRun(const std::vector<Record>& records) : file_(std::tmpfile(), std::fclose) {
    if (!file_) cannot("make");
    for (const Record& r : records) {
      put(r.question);
      put(r.line);
    }
    if (std::fflush(file_.get()) != 0) cannot("write");
    std::rewind(file_.get());
  }

  std::optional<Record> next() {
    Record r;
    if (!get(r.question)) return std::nullopt;
    if (!get(r.line)) cannot("read");
    return r;
  }

 private:
  void put(const std::string& text) {
    const std::uint64_t size = text.size();
    if (std::fwrite(&size, sizeof size, 1, file_.get()) != 1 ||
        std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size()) {
      cannot("write");
    }
  }
  bool get(std::string& text) {
    std::uint64_t size = 0;
    if (std::fread(&size, sizeof size, 1, file_.get()) != 1) return false;
    text.resize(size);
    if (std::fread(text.data(), 1, size, file_.get()) != size) cannot("read");
    return true;
  }

  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

class Sorter {
 public:
  void add(Record record) {
    bytes_ += record.question.size() + record.line.size() + sizeof(Record);
    records_.push_back(std::move(record));
    if (bytes_ > kRunBytes) spill();
  }

  /// The next record in order; nullopt at the end. No records may be added afterwards.
  std::optional<Record> next() {
    if (!began_) {
      began_ = true;
      if (!records_.empty()) spill();
      for (SortedRun& run : runs_) refill(run);
    }
    if (heads_.empty()) return std::nullopt;
    std::pop_heap(heads_.begin(), heads_.end(), later);
    auto [record, run] = std::move(heads_.back());
    heads_.pop_back();
    refill(*run);
    return std::move(record);
  }

 private:
  using Of = std::pair<Record, SortedRun*>;
  static bool later(const Of& x, const Of& y) { return y.first < x.first; }

  void spill() {
    std::sort(records_.begin(), records_.end());
    runs_.emplace_back(records_);
    records_.clear();
    bytes_ = 0;
  }
  void refill(SortedRun& run) {
    std::optional<Record> record = run.next();
    if (!record) return;
    heads_.emplace_back(std::move(*record), &run);
    std::push_heap(heads_.begin(), heads_.end(), later);
  }

  std::vector<Record> records_;
  std::size_t bytes_ = 0;
  std::vector<SortedRun> runs_;
  std::vector<Of> heads_;
  bool began_ = false;
};

void read(const std::string& file, Sorter& sorter, Merged& merged) {
  std::size_t torn = 0;  // number of a line that a killed process may have left incomplete
  const auto wrong = [&](std::size_t number) {
    return std::invalid_argument(file + ":" + std::to_string(number) +
                                 ": not a row of a table or a matrix");
  };
  for_each_line(file, [&](std::string_view line, std::size_t number) {
    if (torn != 0) throw wrong(torn);
    Head head;
    if (!head.read(line)) {
      if (!ResultsLog::is_torn(line)) throw wrong(number);
      torn = number;
      return;
    }
    std::optional<std::string> question = question_of(head);
    if (!question) throw wrong(number);
    ++merged.read;
    sorter.add({std::move(*question), std::string(line)});
  });
}

std::optional<Rational> number_of(const Head& head, const char* key) {
  if (!head.has(key)) return std::nullopt;
  return Rational(head[key]);
}

/// Whether two answers to one question contradict each other.
bool contradict(const Head& x, const Head& y) {
  const auto crossed = [](const Head& refuting, const Head& proving) {
    const auto refuted = number_of(refuting, "refuted");
    const auto proved = number_of(proving, "proved");
    return refuted && proved && *refuted >= *proved;
  };
  if (crossed(x, y) || crossed(y, x)) return true;
  return x["verdict"] != "undecided" && y["verdict"] != "undecided" && x["verdict"] != y["verdict"];
}

/// For two compatible answers: whether the second one is preferred.
bool is_better(const Head& kept, const Head& other) {
  const bool was = kept["verdict"] != "undecided";
  const bool is = other["verdict"] != "undecided";
  if (was != is) return is;
  if (is) return false;  // of equal ones the first in order
  return other.timeout() > kept.timeout();
}

}  // namespace

Merged merge(const std::vector<std::string>& files, const std::string& out) {
  Merged merged;
  Sorter sorter;
  for (const std::string& file : files) read(file, sorter, merged);

  struct NothingIsWritten {};
  std::optional<Record> record = sorter.next();
  const auto next_row = [&]() -> std::optional<std::string> {
    if (!record) return std::nullopt;
    Record kept = std::move(*record);
    std::optional<Head> head;
    bool conflict = false;
    for (record = sorter.next(); record && record->question == kept.question;
         record = sorter.next()) {
      if (record->line == kept.line) continue;
      if (!head) {
        head.emplace();
        head->read(kept.line);
      }
      Head other;
      other.read(record->line);
      conflict = conflict || contradict(*head, other);
      if (is_better(*head, other)) {
        kept.line = std::move(record->line);
        head = std::move(other);
      }
    }
    if (conflict && ++merged.conflict_count <= kTold) {
      std::string names =
          kept.question.substr(0, kept.question.find('\n', kept.question.find('\n') + 1));
      std::replace(names.begin(), names.end(), '\n', ' ');
      merged.conflicts.push_back("contradiction: the answers about " + names);
    }
    ++merged.rows;
    return std::move(kept.line);
  };
  try {
    write_file(out, [&] {
      std::string piece;
      while (piece.size() < kPiece) {
        const std::optional<std::string> row = next_row();
        if (!row) break;
        piece += *row + "\n";
      }
      if (piece.empty() && merged.conflict_count > 0) throw NothingIsWritten();
      return piece;
    });
  } catch (const NothingIsWritten&) {
    merged.rows = 0;
  }
  return merged;
}

}  // namespace mmaspec
