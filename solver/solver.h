#pragma once
/// Solvers behind one small interface.

#include <memory>
#include <string>
#include <vector>

#include "encoder/smtlib.h"
#include "solver/attempt.h"

namespace mmaspec {

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

  const std::vector<std::unique_ptr<Backend>>& backends() const { return backends_; }

  void on_wait(Progress progress) { progress_ = std::move(progress); }
  const Progress& progress() const { return progress_; }

 private:
  std::vector<std::unique_ptr<Backend>> backends_;
  Limits limits_;
  Progress progress_;
};

}  // namespace mmaspec
