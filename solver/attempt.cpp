#include "solver/attempt.h"

#include <poll.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <deque>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>

#include "util/deadline.h"
#include "util/process.h"

namespace mmaspec {
namespace {

constexpr double kTick = 0.25;  // seconds between two checks of the clock

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1  // the macro that GCC defines
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
constexpr bool kLimitMemory = false;  // AddressSanitizer reserves terabytes of address space
#else
constexpr bool kLimitMemory = true;
#endif

/// The message of a child process to its parent: a verdict, then `name value` lines or a reason.
std::string to_text(const Answer& answer) {
  std::ostringstream text;
  switch (answer.verdict) {
    case Verdict::satisfiable:
      text << "sat\n";
      for (const auto& [name, value] : answer.model) text << name << ' ' << value << '\n';
      break;
    case Verdict::unsatisfiable:
      text << "unsat\n" << answer.reason << '\n';
      break;
    case Verdict::unknown:
      text << "unknown\n" << answer.reason << '\n';
      break;
  }
  return text.str();
}

Answer from_text(const std::string& text) {
  std::istringstream lines(text);
  std::string verdict;
  std::getline(lines, verdict);
  Answer answer;
  std::string line;
  if (verdict == "sat") {
    answer.verdict = Verdict::satisfiable;
    while (std::getline(lines, line)) {
      const std::size_t space = line.rfind(' ');
      answer.model[line.substr(0, space)] = Integer(line.substr(space + 1));
    }
  } else if (verdict == "unsat") {
    answer.verdict = Verdict::unsatisfiable;
    std::getline(lines, answer.reason);
  } else {
    std::getline(lines, answer.reason);
  }
  return answer;
}

/// The outcome of an attempt, as the message of its process.
std::string outcome_of(const Attempt& attempt, const Limits& limits) {
  if (kLimitMemory) {
    const rlimit memory{limits.memory_bytes, limits.memory_bytes};
    setrlimit(RLIMIT_AS, &memory);
  }
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  if (attempt.nice > 0) [[maybe_unused]]
    const int niceness = nice(attempt.nice);
  try {
    return to_text(attempt.run());
  } catch (const std::bad_alloc&) {
    return "unknown\nout of memory\n";
  } catch (const std::exception& error) {
    std::string what = error.what();
    std::replace(what.begin(), what.end(), '\n', ' ');
    return "unknown\n" + what + "\n";
  } catch (...) {
    return "unknown\nfailed\n";
  }
}

/// An attempt in a separate process.
struct Running {
  Running(const Attempt& a, const Limits& limits)
      : attempt(a), child([&a, &limits] { return outcome_of(a, limits); }) {}

  const Attempt& attempt;
  Child child;
};

/// The attempts that are running and waiting, and the outcomes of the others.
class Racing {
 public:
  Racing(const std::vector<Attempt>& attempts, const RaceOptions& options) : options_(options) {
    for (const Attempt& a : attempts) {
      waiting_.push_back(&a);
      if (a.group >= 0) ++pieces_[a.group];
    }
  }

  Race run() {
    while (!deadline_.passed() && (fill(), !only_beside() && !decided())) wait();
    const bool in_time = decided() || !deadline_.passed();
    while (!running_.empty()) end(0, in_time ? "stopped" : late());
    result_.answer.seconds = elapsed();
    if (!decided_) result_.answer.reason = reasons();
    if (!in_time && result_.reports.empty()) result_.answer.reason = late();
    return std::move(result_);
  }

 private:
  double elapsed() const { return LimitClock::seconds_since(start_); }
  static const char* late() { return work_is_stopped() ? "stopped" : "timed out"; }
  bool decided() const { return decided_ && !options_.to_the_end; }

  bool only_beside_runs() const {
    return std::all_of(running_.begin(), running_.end(),
                       [](const auto& child) { return child->attempt.beside; });
  }

  /// True if no attempt is left that will end by itself.
  bool only_beside() const {
    return only_beside_runs() &&
           std::all_of(waiting_.begin(), waiting_.end(),
                       [](const Attempt* attempt) { return attempt->beside; });
  }

  void fill() {
    while (!decided() &&
           (options_.slots <= 0 || running_.size() < static_cast<std::size_t>(options_.slots))) {
      const auto next = next_to_start();
      if (next == waiting_.end()) break;
      running_.push_back(std::make_unique<Running>(**next, options_.limits));
      waiting_.erase(next);
    }
  }

  /// The first attempt that need not wait longer. If nothing else runs or may run, the first of
  /// those that wait for their time. The end if there is none.
  std::deque<const Attempt*>::iterator next_to_start() {
    const auto ready = std::find_if(waiting_.begin(), waiting_.end(), [&](const Attempt* attempt) {
      return attempt->after <= elapsed();
    });
    return ready == waiting_.end() && only_beside_runs() ? waiting_.begin() : ready;
  }

  /// Seconds until the first of the attempts that wait for their time may start.
  double until_next() const {
    double least = std::numeric_limits<double>::infinity();
    for (const Attempt* attempt : waiting_) {
      if (attempt->after > elapsed()) least = std::min(least, attempt->after - elapsed());
    }
    return least;
  }

  double left(const Running& running) const {
    return std::min(deadline_.left(), running.attempt.seconds - running.child.seconds());
  }

  void wait() {
    std::vector<pollfd> ends;
    std::string names;
    double longest = std::min(kTick, until_next());
    for (const auto& running : running_) {
      ends.push_back({running->child.pipe(), POLLIN, 0});
      longest = std::min(longest, left(*running));
      names += (names.empty() ? "" : ", ") + running->attempt.name;
    }
    if (options_.progress && elapsed() > kTick) options_.progress(elapsed(), names);
    const int milliseconds = static_cast<int>(std::max(longest, 0.0) * 1000) + 1;
    const int ready = poll(ends.data(), ends.size(), milliseconds);
    if (ready < 0 && errno != EINTR) {
      throw std::runtime_error(std::string("cannot wait for solvers: ") + std::strerror(errno));
    }
    for (std::size_t i = running_.size(); i-- > 0;) {
      if (ready > 0 && ends[i].revents != 0 && running_[i]->child.read_more()) {
        end(i, "");
      } else if (left(*running_[i]) <= 0) {
        end(i, late());
      }
    }
  }

  /// `stopped`: why it is stopped; empty: it has ended by itself.
  void end(std::size_t i, const std::string& stopped) {
    Child& child = running_[i]->child;
    const Attempt& attempt = running_[i]->attempt;
    AttemptReport report{attempt.name, Verdict::unknown, false, stopped, child.seconds(), 0};
    std::optional<Answer> answer;
    if (stopped.empty()) {
      if (child.has_text()) answer = from_text(child.text());
      const Child::End ended = child.end();
      report.peak_kib = ended.peak_kib;
      report.outcome = answer ? answer->reason : ended.how;
    }
    if (answer && answer->verdict != Verdict::unknown) {
      report.verdict = answer->verdict;
      const bool sat = answer->verdict == Verdict::satisfiable;
      report.counts = sat ? attempt.refutes : attempt.proves && attempt.group < 0;
      report.outcome = sat ? "witness" : "none exists";
      if (!report.counts) report.outcome += sat ? " in a larger set" : " in a smaller set";
      if (!sat && attempt.group >= 0 && --pieces_[attempt.group] == 0) {
        report.counts = true;
        report.outcome = "none exists in the last piece";
      }
      if (!sat) report.proof = answer->reason;
      if (report.counts && !decided_) {
        decided_ = true;
        result_.answer = *answer;
        result_.answer.solver = attempt.name;
        result_.answer.backend = attempt.backend;
        result_.answer.rests_on_lemmas = attempt.rests_on_lemmas;
      }
    }
    result_.reports.push_back(std::move(report));
    running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
  }

  std::string reasons() const {
    std::string all;
    for (const AttemptReport& r : result_.reports) {
      all += (all.empty() ? "" : "; ") + r.name + (r.verdict == Verdict::unknown ? " " : ": ") +
             r.outcome;
    }
    return all;
  }

  const RaceOptions& options_;
  const LimitClock::time_point start_ = LimitClock::now();
  const Deadline deadline_ = Deadline::in(options_.limits.seconds);
  std::deque<const Attempt*> waiting_;
  std::vector<std::unique_ptr<Running>> running_;
  std::map<int, int> pieces_;  ///< number of unproved pieces of each group
  bool decided_ = false;
  Race result_;
};

}  // namespace

Race race(const std::vector<Attempt>& attempts, const RaceOptions& options) {
  Race result = Racing(attempts, options).run();
  if (options.progress) options.progress(result.answer.seconds, "");
  return result;
}

}  // namespace mmaspec
