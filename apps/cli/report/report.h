#pragma once
/// Pictures and pages of answers: --picture and --html.

#include <string>
#include <vector>

#include "queries/prove/prove.h"
#include "report/picture/page.h"
#include "report/picture/ruler.h"

namespace mmaspec::cli {

class Command;

/// An answer as a page tells it.
struct Report {
  std::string question;
  std::string verdict = {};
  std::string evidence = {};  ///< for each unit; empty: there is none
  Tone tone = Tone::open;
  /// Runs that belong together: of a witness, or the one run that was asked for.
  std::vector<std::vector<WitnessRun>> witnesses = {};
  std::string more = {};  ///< text behind all else, such as attempts
};

struct ReportOptions {
  std::string picture;
  std::string html;

  void add_to(Command& command, const std::string& of);
  bool is_wanted() const { return !picture.empty() || !html.empty(); }
  /// Before long work: throws std::runtime_error where the files cannot be written.
  void require_files() const;
  /// Writes what is wanted. The picture is of the first witness; without one it says the verdict.
  void write(const Report& report) const;
};

}  // namespace mmaspec::cli
