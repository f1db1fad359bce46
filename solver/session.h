#pragma once
/// A solver's program that is asked one formula after another, because it takes longer to start
/// than to decide a small formula.

#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "encoder/smtlib.h"
#include "solver/attempt.h"
#include "util/dialogue.h"

namespace mmaspec {

/// The program starts with the first formula, and again after one that it did not answer. Threads
/// may share a session, and so may forked processes: each of these starts a program of its own.
class SolverSession {
 public:
  /// `command`, for the shell: a program that reads SMT-LIB 2 on standard input and knows `reset`
  /// and `echo`.
  explicit SolverSession(std::string command) : command_(std::move(command)) {}
  SolverSession(const SolverSession&) = delete;
  SolverSession& operator=(const SolverSession&) = delete;
  ~SolverSession() = default;

  /// Whether the query has a model, without it; `unknown` where that takes more than so many
  /// seconds or memory, or another thread asks. nullopt where the program never answered so.
  std::optional<Answer> decide(const Query& query, double seconds, const Limits& limits);

 private:
  std::string command_;
  std::mutex mutex_;
  std::unique_ptr<Dialogue> program_;
  int owner_ = -1;  ///< the process that started it
  long asked_ = 0;  ///< formulas, of this process's program and those before
  bool has_answered_ = false;
  int in_vain_ = 0;  ///< programs that were started and did not answer
};

}  // namespace mmaspec
