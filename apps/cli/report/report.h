#pragma once
/// Pictures and pages of answers: --picture and --html.

#include <string>
#include <vector>

#include "queries/prove/prove.h"
#include "report/picture/page.h"
#include "report/picture/ruler.h"

namespace mmaspec::cli {

class Command;

/// The contents of a page about an answer.
struct Report {
  std::string question;
  std::string verdict = {};
  std::string evidence = {};  ///< for each unit; empty: none
  Tone tone = Tone::open;
  /// Groups of runs: those of a witness, or the single evaluated run.
  std::vector<std::vector<WitnessRun>> witnesses = {};
  std::string more = {};  ///< text at the end, such as attempts
};

struct ReportOptions {
  std::string picture;
  std::string html;

  void add_to(Command& command, const std::string& of);
  bool is_wanted() const { return !picture.empty() || !html.empty(); }
  /// Throws std::runtime_error if the files cannot be written. Call it before long work.
  void require_files() const;
  /// Writes the requested files. The picture shows the first witness; without a witness it contains
  /// the verdict.
  void write(const Report& report) const;
};

}  // namespace mmaspec::cli
