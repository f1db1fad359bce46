#include "solver/session.h"

#include <unistd.h>

#include <exception>
#include <sstream>

namespace mmaspec {
namespace {

constexpr int kTries = 3;  // programs that may never answer

/// Programs read their standard input in blocks: what is said is taken when a block is full.
const std::string& block() {
  static const std::string text = std::string(16384, ' ') + "\n";
  return text;
}

Verdict verdict_in(const std::string& printed) {
  std::istringstream lines(printed);
  for (std::string line; std::getline(lines, line);) {
    if (line == "unsat") return Verdict::unsatisfiable;
    if (line == "sat") return Verdict::satisfiable;
  }
  return Verdict::unknown;
}

}  // namespace

std::optional<Answer> SolverSession::decide(const Query& query, double seconds,
                                            const Limits& limits) {
  Answer answer;
  answer.reason = "timed out";
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock) return answer;
  if (program_ != nullptr && owner_ != getpid()) program_.reset();
  if (!has_answered_ && in_vain_ == kTries) return std::nullopt;
  try {
    if (program_ == nullptr) {
      const std::string memory = std::to_string(limits.memory_bytes / 1024);  // KiB
      program_ =
          std::make_unique<Dialogue>("ulimit -v " + memory + "; " + command_ + " 2>/dev/null");
      owner_ = getpid();
      ++in_vain_;
    }
    const std::string last = "formula " + std::to_string(++asked_) + " is answered.";
    const auto printed = program_->ask(
        smtlib_commands(query, false) + "(echo \"" + last + "\")\n(reset)\n" + block(), last,
        seconds);
    if (printed) {
      has_answered_ = true;
      answer.verdict = verdict_in(*printed);
    }
    // What is asked next could be answered by what this one says too late.
    if (answer.verdict == Verdict::unknown) program_.reset();
  } catch (const std::exception& error) {
    program_.reset();
    answer.reason = error.what();
  }
  return answer;
}

}  // namespace mmaspec
