#pragma once
/// Solvers behind one small interface. Each attempt runs in a child process with a time and a
/// memory limit: a crash, a blow-up or a hang costs that attempt alone.

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "encoder/smtlib.h"

namespace mmaspec {

enum class Verdict { satisfiable, unsatisfiable, unknown };

struct Answer {
  Verdict verdict = Verdict::unknown;
  std::map<std::string, Integer> model;  ///< satisfiable: variables by name; those missing are free
  std::string solver;                    ///< who answered
  double seconds = 0;
  std::string reason;  ///< unknown: why, one clause for each solver tried
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
};

std::unique_ptr<Backend> z3_backend();
/// cvc5, bit-blasting eagerly with CaDiCaL.
std::unique_ptr<Backend> cvc5_backend();
/// Any program that reads SMT-LIB 2 on standard input; `command` is run by the shell. Throws
/// std::invalid_argument if its first word names no program.
std::unique_ptr<Backend> smtlib_backend(const std::string& command);

struct Limits {
  double seconds = 60;
  std::size_t memory_bytes = std::size_t{8} << 30;  ///< address space of each child
};

/// The solvers that a user chose.
class Portfolio {
 public:
  /// `choice`: auto (all that are built in), z3, cvc5, or smtlib:COMMAND. Throws
  /// std::invalid_argument for anything else.
  Portfolio(const std::string& choice, Limits limits);
  Portfolio(std::vector<std::unique_ptr<Backend>> backends, Limits limits);

  /// Races the backends and takes the first answer; `unknown` if none has one within the limits.
  Answer ask(const Query& query) const;

  const Limits& limits() const { return limits_; }

  /// Calls `progress(seconds, names of the running backends)` a few times a second while ask()
  /// waits, and once with no names at its end.
  using Progress = std::function<void(double, const std::string&)>;
  void on_wait(Progress progress) { progress_ = std::move(progress); }

 private:
  Answer race(const Query& query) const;

  std::vector<std::unique_ptr<Backend>> backends_;
  Limits limits_;
  Progress progress_;
};

}  // namespace mmaspec
