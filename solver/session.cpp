#include "solver/session.h"

#include <unistd.h>

#include <exception>

namespace mmaspec {
namespace {

constexpr int kTries = 3;  // programs that may never answer

/// Programs read their standard input in blocks, so text is padded to full blocks.
const std::string& block() {
  static const std::string text = std::string(16384, ' ') + "\n";
  return text;
}

/// The first commands for a program, and their expected answer: a formula left over from one
/// question would be part of the next.
std::string trial(const std::string& options) {
  return options + "(set-logic QF_BV)\n(assert false)\n(check-sat)\n(reset)\n" + options +
         "(set-logic QF_BV)\n(assert true)\n(check-sat)\n(reset)\n";
}
constexpr const char* kTrialPassed = "unsat\nsat\n";

}  // namespace

class SolverSession::Formula final : public Asked {
 public:
  Formula(SolverSession& session, std::unique_lock<std::mutex> lock, const Query& query,
          bool is_first)
      : session_(session),
        lock_(std::move(lock)),
        last_("formula " + std::to_string(++session.asked_) + " is answered."),
        before_(is_first ? kTrialPassed : "") {
    session_.program_->say((is_first ? trial(session.options_) : "") + session.options_ +
                           smtlib_commands(query, false) + "(echo \"" + last_ + "\")\n(reset)\n" +
                           block());
  }
  // A late answer to this formula could be mistaken for that of the next.
  ~Formula() override {
    if (!is_answered_) session_.program_.reset();
  }

  Answer wait(double seconds) override {
    Answer answer;
    const auto printed = session_.program_->listen(last_, seconds);
    if (printed == before_ + "unsat\n") answer.verdict = Verdict::unsatisfiable;
    if (printed == before_ + "sat\n") answer.verdict = Verdict::satisfiable;
    answer.reason = printed ? "answered '" + printed->substr(0, printed->find('\n')) + "'"
                            : "ended, or timed out";
    is_answered_ = answer.verdict != Verdict::unknown;
    session_.has_answered_ = session_.has_answered_ || is_answered_;
    return answer;
  }

 private:
  SolverSession& session_;
  const std::unique_lock<std::mutex> lock_;
  const std::string last_;    ///< the end marker of the answer
  const std::string before_;  ///< the marker before the answer
  bool is_answered_ = false;
};

std::unique_ptr<Asked> SolverSession::ask(const Query& query, const Limits& limits) {
  std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock || (!has_answered_ && started_ == kTries)) return nullptr;
  if (program_ != nullptr && owner_ != getpid()) program_.reset();
  const bool is_first = program_ == nullptr;
  if (is_first) {
    const std::string memory = std::to_string(limits.memory_bytes / 1024);  // KiB
    try {
      program_ =
          std::make_unique<Dialogue>("ulimit -v " + memory + "; " + command_ + " 2>/dev/null");
    } catch (const std::exception&) {
      return nullptr;
    }
    owner_ = getpid();
    ++started_;
  }
  return std::make_unique<Formula>(*this, std::move(lock), query, is_first);
}

}  // namespace mmaspec
