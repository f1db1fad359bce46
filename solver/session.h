#pragma once
/// A session with a solver process that answers one formula after another, because starting a
/// process takes longer than deciding a small formula.

#include <memory>
#include <mutex>
#include <string>

#include "solver/solver.h"
#include "util/dialogue.h"

namespace mmaspec {

/// The process starts with the first formula, and again after a formula that it did not answer. It
/// must first show that `reset` works. Thread-safe. Forked processes may share a session too: each
/// of them starts its own solver process.
class SolverSession {
 public:
  /// `command` is a shell command for a program that reads SMT-LIB 2 on standard input and supports
  /// `reset` and `echo`. `options`: commands to send before each formula.
  explicit SolverSession(std::string command, std::string options = "")
      : command_(std::move(command)), options_(std::move(options)) {}
  SolverSession(const SolverSession&) = delete;
  SolverSession& operator=(const SolverSession&) = delete;
  ~SolverSession() = default;

  /// nullptr if another formula is being asked, if no process can be started, or if processes were
  /// started and never answered. The session must outlive the result.
  std::unique_ptr<Asked> ask(const Query& query, const Limits& limits);

 private:
  class Formula;

  std::string command_;
  std::string options_;
  std::mutex mutex_;  ///< held while a formula is asked
  std::unique_ptr<Dialogue> program_;
  int owner_ = -1;  ///< the process that started the program
  long asked_ = 0;  ///< number of formulas asked, including earlier programs
  bool has_answered_ = false;
  int started_ = 0;  ///< number of programs started before the first answer
};

}  // namespace mmaspec
