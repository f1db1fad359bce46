#pragma once
/// Functions and options that several commands of `mmaspec` share.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "apps/cli/output.h"
#include "queries/ask/question.h"

namespace mmaspec::cli {

class Command;

/// Exit statuses of the command line (docs/exit-statuses.md).
enum Status {
  kDone = 0,           ///< done; proved; all rows agree
  kWitness = 1,        ///< a witness or a mismatch was found
  kBadUsage = 2,       ///< bad usage or bad input
  kUndecided = 3,      ///< undecided within the limits
  kContradiction = 70  ///< the evaluation contradicts a solver's answer
};

/// Options of every command that uses solvers.
struct SolveOptions {
  double timeout = 60;
  std::string solver = "auto";
  unsigned seed = 0;
  int jobs = 0;  ///< 0: as many as the machine has cores

  /// `of` describes in help what --timeout limits.
  void add_to(Command& command, const std::string& of = "the whole command");
  /// Throws std::invalid_argument if the solver was not found.
  Portfolio portfolio() const;
  /// The deadline of the command, if it starts now.
  Deadline deadline() const { return Deadline::in(timeout); }
};

/// The available solvers: `solvers: NAME VERSION, ...`.
std::string solvers_line();

/// Options of the commands that use strategies.
struct StrategyOptions {
  SolveOptions solve;
  std::vector<std::string> names;  ///< of strategies
  bool no_search = false;
  bool to_the_end = false;
  bool explain = false;

  void add_to(Command& command);
  Strategies strategies() const;
};

/// Adds --json.
void add_json(Command& command, bool& json);

/// Each command: adds itself to `app`; running it sets `status`.
using AddCommand = void (*)(Command& app, int& status);
void add_list(Command& app, int& status);
void add_show(Command& app, int& status);
void add_eval(Command& app, int& status);
void add_verify(Command& app, int& status);
void add_diff(Command& app, int& status);
void add_check(Command& app, int& status);
void add_export(Command& app, int& status);
void add_replay(Command& app, int& status);
void add_prove(Command& app, int& status);
void add_table(Command& app, int& status);
void add_suite(Command& app, int& status);
void add_identify(Command& app, int& status);
void add_tolerance(Command& app, int& status);
void add_matrix(Command& app, int& status);
void add_merge(Command& app, int& status);
void add_certify(Command& app, int& status);
void add_rtl(Command& app, int& status);
void add_explore(Command& app, int& status);
void add_compare(Command& app, int& status);
void add_explain(Command& app, int& status);

}  // namespace mmaspec::cli
