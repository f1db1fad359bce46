#pragma once
/// A log of answers in JSON Lines: one object for each answer, appended when it is known. If the
/// process is killed while it writes a line, readers lose only that line.

#include <functional>
#include <string>
#include <vector>

#include "util/json.h"

namespace mmaspec {

class ResultsLog {
 public:
  enum class Use { read, append };
  /// Receives a line that was read.
  using Each = std::function<void(Json&&)>;

  /// A log that is not stored.
  ResultsLog() = default;
  /// Calls `each` for the file's lines, which must be objects with a "version". A file for
  /// appending may be missing, and it is locked. `what`: a noun for a line, for messages. Throws
  /// std::invalid_argument if the file has any other content, and std::runtime_error.
  ResultsLog(const std::string& file, Use use, std::string what, const Each& each);
  ~ResultsLog();
  ResultsLog(const ResultsLog&) = delete;
  ResultsLog& operator=(const ResultsLog&) = delete;

  /// Appends lines, which begin with "version", in one write. Throws std::runtime_error if they
  /// cannot be written.
  void append(const std::vector<Json>& lines);

  /// The text that append() writes for a line.
  static std::string text_of(const Json& line);

  /// The start of every line. A last line that was not written completely may have only a part of
  /// it.
  static constexpr std::string_view kStart = "{\"version\":";
  /// Whether the text after the last newline is what a killed process leaves.
  static bool is_torn(std::string_view rest);

 private:
  void read(Use use, const Each& each);
  void read_compressed(const Each& each);

  std::string file_;
  std::string what_;
  int descriptor_ = -1;
};

}  // namespace mmaspec
