#pragma once
/// A solver's program that is asked one formula after another, because it takes longer to start
/// than to decide a small formula.

#include <memory>
#include <mutex>
#include <string>

#include "solver/solver.h"
#include "util/dialogue.h"

namespace mmaspec {

/// The program starts with the first formula, and again after one that it did not answer; first it
/// shows that it forgets what it is told to forget. Threads may share a session, and so may forked
/// processes: each of these starts a program of its own.
class SolverSession {
 public:
  /// `command`, for the shell: a program that reads SMT-LIB 2 on standard input and knows `reset`
  /// and `echo`. `options`: commands that are said before each formula.
  explicit SolverSession(std::string command, std::string options = "")
      : command_(std::move(command)), options_(std::move(options)) {}
  SolverSession(const SolverSession&) = delete;
  SolverSession& operator=(const SolverSession&) = delete;
  ~SolverSession() = default;

  /// nullptr where something else is asked, no process can be started, or programs have been
  /// started and never answered. The session must outlive what is returned.
  std::unique_ptr<Asked> ask(const Query& query, const Limits& limits);

 private:
  class Formula;

  std::string command_;
  std::string options_;
  std::mutex mutex_;  ///< held while a formula is asked
  std::unique_ptr<Dialogue> program_;
  int owner_ = -1;  ///< the process that started it
  long asked_ = 0;  ///< formulas, of this program and those before
  bool has_answered_ = false;
  int started_ = 0;  ///< programs, before the first answer
};

}  // namespace mmaspec
