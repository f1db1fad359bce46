#pragma once
/// Answers on file: JSON Lines, one object an answer, appended as they come. A process may be
/// killed at any moment: the line that it was writing is all that a reader does without.

#include <functional>
#include <string>
#include <vector>

#include "util/json.h"

namespace mmaspec {

class ResultsLog {
 public:
  enum class Use { read, append };
  /// Takes a line that was read.
  using Each = std::function<void(Json&&)>;

  /// Kept nowhere: what is appended is forgotten.
  ResultsLog() = default;
  /// Calls `each` for the file's lines, which are objects with a "version". A file to be appended
  /// to may be missing, and is locked. `what` a line is, for messages. Throws std::invalid_argument
  /// if it holds anything else, std::runtime_error.
  ResultsLog(const std::string& file, Use use, std::string what, const Each& each);
  ~ResultsLog();
  ResultsLog(const ResultsLog&) = delete;
  ResultsLog& operator=(const ResultsLog&) = delete;

  /// Lines that begin with "version", by one write. Throws std::runtime_error if they cannot be
  /// written.
  void append(const std::vector<Json>& lines);

  /// A line as append() writes it.
  static std::string text_of(const Json& line);

  /// What every line begins with; of a last line that was not written whole this or less is there.
  static constexpr std::string_view kStart = "{\"version\":";
  /// Whether the text, which no line's end follows, is what a killed process leaves.
  static bool is_torn(std::string_view rest);

 private:
  void read(Use use, const Each& each);
  void read_compressed(const Each& each);

  std::string file_;
  std::string what_;
  int descriptor_ = -1;
};

}  // namespace mmaspec
