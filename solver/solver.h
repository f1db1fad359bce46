#pragma once
/// Solvers behind one small interface.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "encoder/smtlib.h"
#include "solver/attempt.h"
#include "solver/known.h"

namespace mmaspec {

/// Seconds that a backend which leads has before the others are asked, too.
inline constexpr double kHeadStart = 0.3;
/// The same of lemmas, which decide_by() asks: no other backend proved one of 460
/// (docs/proving.md), and beside other questions each takes a processor's share.
inline constexpr double kHeadStartOfLemmas = 2.0;

/// A formula that a backend was asked, until it has answered or this object is gone.
class Asked {
 public:
  Asked() = default;
  Asked(const Asked&) = delete;
  Asked& operator=(const Asked&) = delete;
  virtual ~Asked() = default;

  /// The answer, without a model; `unknown` after so many seconds. The last of these waits may be a
  /// forked process's.
  virtual Answer wait(double seconds) = 0;
};

/// A solver as a backend implements it. solve() runs in a child process of its own: it may crash,
/// leak, or never return.
class Backend {
 public:
  Backend() = default;
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;
  virtual ~Backend() = default;

  virtual std::string name() const = 0;
  virtual Answer solve(const Query& query) const = 0;
  /// It is asked before the others are, because it answers most of what they do, and sooner
  /// (docs/proving.md has the figures).
  virtual bool leads() const { return false; }
  /// Asks whether there is a model, without it, of a formula that is answered in less time than a
  /// process takes to start. Called in the process that asks, from any thread. nullptr where the
  /// backend has no such way, or is asked already.
  virtual std::unique_ptr<Asked> ask(const Query&, const Limits&) const { return nullptr; }
};

std::unique_ptr<Backend> z3_backend();
/// cvc5, bit-blasting eagerly with CaDiCaL: the library, or, in a build without it (MMASPEC_CVC5),
/// the program on the PATH. Throws std::invalid_argument where there is none.
std::unique_ptr<Backend> cvc5_backend();
bool has_cvc5();
/// Any program that reads SMT-LIB 2 on standard input; `command` is run by the shell. Throws
/// std::invalid_argument if its first word names no program.
std::unique_ptr<Backend> smtlib_backend(const std::string& command);
/// The same under another name than smtlib:COMMAND. One that leads decides soon: by one process
/// that is told one formula after another, if the command takes that, each after `options`, which
/// are commands of SMT-LIB 2.
std::unique_ptr<Backend> smtlib_backend(const std::string& command, const std::string& name,
                                        bool leads, const std::string& options = "");

/// Bitwuzla is asked as a program that reads SMT-LIB 2 on standard input: the one that
/// $MMASPEC_BITWUZLA names, where it is set (empty: none); or mmaspec-bitwuzla in the running
/// program's folder; or bitwuzla on the PATH. Empty if there is none. Throws std::invalid_argument
/// if $MMASPEC_BITWUZLA names no program.
std::string bitwuzla_program();
/// Throws std::invalid_argument if there is no bitwuzla_program().
std::unique_ptr<Backend> bitwuzla_backend();

/// A solver that there is, and which.
struct SolverVersion {
  std::string name;     ///< as people write it
  std::string version;  ///< or, of a program, why it does not say
  std::string program;  ///< its path; empty: a library
};
/// The version of a program, as its first line of `--version` says it, in a few seconds at most.
std::string version_of(const std::string& program);
/// Of has_cvc5().
SolverVersion cvc5_version();
/// All that `auto` asks, in that order. Runs the programs.
std::vector<SolverVersion> solver_versions();

/// The solvers that a user chose.
class Portfolio {
 public:
  /// `choice`: auto (all that there are), z3, cvc5, bitwuzla, or smtlib:COMMAND. Throws
  /// std::invalid_argument for anything else.
  Portfolio(const std::string& choice, Limits limits);
  Portfolio(std::vector<std::unique_ptr<Backend>> backends, Limits limits);

  /// Races the backends and takes the first answer; `unknown` if none has one within the limits.
  Answer ask(const Query& query) const;

  const Limits& limits() const { return limits_; }

  const std::vector<std::unique_ptr<Backend>>& backends() const { return backends_; }

  /// What these solvers said of formulas that are asked again.
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

/// All that `auto` asks but the one of this name.
Portfolio solvers_but(const std::string& name, Limits limits);

}  // namespace mmaspec
