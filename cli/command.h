#pragma once
/// Functions and options that several commands of `mmaspec` share.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/output.h"
#include "concrete/dot/trace.h"
#include "queries/ask/question.h"
#include "queries/ask/vacuity.h"
#include "util/json.h"
#include "vectors/row.h"

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

/// What is said of a proof that may be vacuous: behind its verdict, behind how it was made, and in
/// JSON ("vacuous": true, false or, where it is not known, null; left out where no condition was
/// given and it is not vacuous).
std::string vacuously(Vacuity vacuity);
std::string vacuity_note(Vacuity vacuity);
/// The same before how a proof was made, where nothing else says it: "vacuously: ...; " or empty.
std::string vacuity_text(Vacuity vacuity);
void add_vacuity(Json& object, Vacuity vacuity, const std::vector<std::string>& where);

/// One line for each attempt: its name, outcome and time.
std::string explain(const std::vector<AttemptReport>& attempts);
Json explain_json(const std::vector<AttemptReport>& attempts);

/// Adds --json.
void add_json(Command& command, bool& json);

/// The document as text. Bytes that are not UTF-8 (in file names, in a solver's output) are
/// replaced.
std::string to_text(const Json& document, int indent = -1);

/// A bit pattern with its values: `0x3c00  0x1p+0  1`.
std::string show_pattern(const Format& format, const Integer& pattern);

/// A result with the name of the unit that computed it.
struct ShownResult {
  std::string name;
  const Format* format;
  Integer pattern;
};
/// A line for each, as show_pattern() has it, with the numbers under each other.
std::string show_results(const std::vector<ShownResult>& results);

/// The products of a row that are not zero, a line each, then the scale factors and c. Of more than
/// 24 products the 16 of the largest magnitudes, and how many there are besides, unless `full`.
std::string show_inputs(const DotFormats& formats, const DotValues& values, bool full);

/// The algorithm as answers call it in words: of a user's own one the name alone, without the
/// fingerprint (`#...`) of what it computes.
std::string algorithm_label(const Instruction& instruction);

/// The members that describe an instruction's operands: k, a, b, c, d, scale, scale_block.
void add_formats(const DotFormats& formats, Json& object);

/// A trace as an array of objects.
Json json_of(const std::vector<TraceLine>& lines);

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
