#pragma once
/// A small common interface for solvers.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "encoder/smtlib.h"
#include "solver/attempt.h"
#include "solver/known.h"

namespace mmaspec {

/// Seconds that the leading backend has before the others start.
inline constexpr double kHeadStart = 0.3;
/// The same for lemmas, which decide_by() asks. No other backend proved any of 460 lemmas
/// (docs/proving.md), and each would take a processor from other questions.
inline constexpr double kHeadStartOfLemmas = 2.0;

/// A formula that was given to a backend. The query ends with the answer or with this object.
class Asked {
 public:
  Asked() = default;
  Asked(const Asked&) = delete;
  Asked& operator=(const Asked&) = delete;
  virtual ~Asked() = default;

  /// The answer, without a model; `unknown` after `seconds` seconds. A forked process may make the
  /// last of these calls.
  virtual Answer wait(double seconds) = 0;
};

/// The interface of a solver backend. solve() is executed in a separate child process: it may
/// crash, leak, or never return.
class Backend {
 public:
  Backend() = default;
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;
  virtual ~Backend() = default;

  virtual std::string name() const = 0;
  virtual Answer solve(const Query& query) const = 0;
  /// Whether it is asked before the others, because it answers most formulas that they answer, and
  /// sooner (docs/proving.md has the figures).
  virtual bool leads() const { return false; }
  /// Starts to decide satisfiability, without a model, of a formula that may take less time than
  /// starting a process. Called in the calling process, from any thread. nullptr if the backend
  /// does not support this or is busy.
  virtual std::unique_ptr<Asked> ask(const Query&, const Limits&) const { return nullptr; }
};

std::unique_ptr<Backend> z3_backend();
/// cvc5 with eager bit-blasting and CaDiCaL: the library or, in a build without it (MMASPEC_CVC5),
/// the program on the PATH. Throws std::invalid_argument if neither exists.
std::unique_ptr<Backend> cvc5_backend();
bool has_cvc5();
/// Any program that reads SMT-LIB 2 on standard input; the shell executes `command`. Throws
/// std::invalid_argument if its first word does not name a program.
std::unique_ptr<Backend> smtlib_backend(const std::string& command);
/// The same under another name than smtlib:COMMAND. A backend with `leads` answers early: by one
/// process that answers one formula after another if the command supports that, each after
/// `options`, which are commands of SMT-LIB 2.
std::unique_ptr<Backend> smtlib_backend(const std::string& command, const std::string& name,
                                        bool leads, const std::string& options = "");

/// The program for Bitwuzla, which reads SMT-LIB 2 on standard input: $MMASPEC_BITWUZLA if it is
/// set (empty: none); or mmaspec-bitwuzla in the folder of this executable; or bitwuzla on the
/// PATH. Empty if there is none. Throws std::invalid_argument if $MMASPEC_BITWUZLA does not name a
/// program.
std::string bitwuzla_program();
/// Throws std::invalid_argument if bitwuzla_program() is empty.
std::unique_ptr<Backend> bitwuzla_backend();

/// An available solver and its version.
struct SolverVersion {
  std::string name;     ///< in the usual spelling
  std::string version;  ///< or, for a program, why it is not known
  std::string program;  ///< its path; empty: a library
};
/// The version of a program from the first line that `--version` prints; waits a few seconds at
/// most.
std::string version_of(const std::string& program);
/// Requires has_cvc5().
SolverVersion cvc5_version();
/// All solvers that `auto` uses, in that order. Executes the programs.
std::vector<SolverVersion> solver_versions();

/// The solvers selected by the user.
class Portfolio {
 public:
  /// `choice`: auto (all available solvers), z3, cvc5, bitwuzla, or smtlib:COMMAND. Throws
  /// std::invalid_argument for anything else.
  Portfolio(const std::string& choice, Limits limits);
  Portfolio(std::vector<std::unique_ptr<Backend>> backends, Limits limits);

  /// Races the backends and returns the first answer; `unknown` if none has one within the limits.
  Answer ask(const Query& query) const;

  const Limits& limits() const { return limits_; }

  const std::vector<std::unique_ptr<Backend>>& backends() const { return backends_; }

  /// The store of verdicts on formulas that may be asked again.
  KnownVerdicts& known() const { return *known_; }
  void share(std::shared_ptr<KnownVerdicts> known) { known_ = std::move(known); }

  void on_wait(Progress progress) { progress_ = std::move(progress); }
  const Progress& progress() const { return progress_; }

 private:
  std::vector<std::unique_ptr<Backend>> backends_;
  Limits limits_;
  std::shared_ptr<KnownVerdicts> known_ = std::make_shared<KnownVerdicts>();
  Progress progress_;
};

/// All solvers that `auto` uses except the one of this name.
Portfolio solvers_but(const std::string& name, Limits limits);

}  // namespace mmaspec
