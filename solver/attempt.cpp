#include "solver/attempt.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <deque>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>

namespace mmaspec {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kProgressInterval = 0.25;  // seconds

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1  // as GCC says it
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
constexpr bool kLimitMemory = false;  // AddressSanitizer reserves terabytes of address space
#else
constexpr bool kLimitMemory = true;
#endif

/// What a child tells its parent: a verdict, then `name value` lines or a reason.
std::string to_text(const Answer& answer) {
  std::ostringstream text;
  switch (answer.verdict) {
    case Verdict::satisfiable:
      text << "sat\n";
      for (const auto& [name, value] : answer.model) text << name << ' ' << value << '\n';
      break;
    case Verdict::unsatisfiable:
      text << "unsat\n";
      break;
    case Verdict::unknown:
      text << "unknown\n" << answer.reason << '\n';
      break;
  }
  text << "end\n";
  return text.str();
}

bool is_whole(const std::string& text) { return text.ends_with("\nend\n"); }

/// nullopt if the text is not whole: the child died while writing it.
std::optional<Answer> from_text(const std::string& text) {
  if (!is_whole(text)) return std::nullopt;
  std::istringstream lines(text);
  std::string verdict;
  std::getline(lines, verdict);
  Answer answer;
  std::string line;
  if (verdict == "sat") {
    answer.verdict = Verdict::satisfiable;
    while (std::getline(lines, line) && line != "end") {
      const std::size_t space = line.rfind(' ');
      answer.model[line.substr(0, space)] = Integer(line.substr(space + 1));
    }
  } else if (verdict == "unsat") {
    answer.verdict = Verdict::unsatisfiable;
  } else {
    std::getline(lines, answer.reason);
  }
  return answer;
}

/// One attempt in a child process. The destructor kills it.
class Child {
 public:
  Child(const Attempt& attempt, const Limits& limits);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  int pipe() const { return pipe_; }
  const Attempt& attempt() const { return attempt_; }
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  /// Takes what the child has written; true once it has said all or died.
  bool read_more();
  std::optional<Answer> answer() const { return from_text(text_); }
  /// After the end: why there is no answer, if there is none, and the memory that it took.
  std::string why_not();
  long peak_kib() const { return peak_kib_; }

 private:
  [[noreturn]] void run(const Limits& limits, int out) const;

  const Attempt& attempt_;
  Clock::time_point start_ = Clock::now();
  pid_t pid_ = -1;
  int pipe_ = -1;
  long peak_kib_ = 0;
  std::string text_;
};

Child::Child(const Attempt& attempt, const Limits& limits) : attempt_(attempt) {
  std::array<int, 2> ends{};
  // Not for programs that a backend runs: the pipe's end would wait for theirs.
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw std::runtime_error(std::string("cannot make a pipe: ") + std::strerror(errno));
  }
  pid_ = fork();
  if (pid_ < 0) {
    close(ends[0]);
    close(ends[1]);
    throw std::runtime_error(std::string("cannot start a process: ") + std::strerror(errno));
  }
  if (pid_ == 0) {
    close(ends[0]);
    run(limits, ends[1]);
  }
  setpgid(pid_, pid_);
  close(ends[1]);
  pipe_ = ends[0];
}

Child::~Child() {
  close(pipe_);
  if (pid_ < 0) return;
  kill(-pid_, SIGKILL);  // and what it started
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

void Child::run(const Limits& limits, int out) const {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (kLimitMemory) {
    const rlimit memory{limits.memory_bytes, limits.memory_bytes};
    setrlimit(RLIMIT_AS, &memory);
  }
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  std::string text;
  try {
    text = to_text(attempt_.run());
  } catch (const std::bad_alloc&) {
    text = "unknown\nout of memory\nend\n";
  } catch (const std::exception& error) {
    std::string what = error.what();
    std::replace(what.begin(), what.end(), '\n', ' ');
    text = "unknown\n" + what + "\nend\n";
  } catch (...) {
    text = "unknown\nfailed\nend\n";
  }
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t n = write(out, text.data() + done, text.size() - done);
    if (n <= 0) break;
    done += static_cast<std::size_t>(n);
  }
  _exit(0);  // no destructors: a solver's own may take seconds
}

bool Child::read_more() {
  std::array<char, 4096> buffer;
  const ssize_t n = read(pipe_, buffer.data(), buffer.size());
  if (n < 0 && errno == EINTR) return false;
  if (n > 0) text_.append(buffer.data(), static_cast<std::size_t>(n));
  // A process that another thread forked meanwhile may hold the pipe open: its end is no condition.
  return n <= 0 || is_whole(text_);
}

std::string Child::why_not() {
  int status = 0;
  // The pipe is at its end, so the child is gone or going; what it started may live.
  rusage usage{};
  kill(-pid_, SIGKILL);
  wait4(pid_, &status, 0, &usage);
  peak_kib_ = usage.ru_maxrss;
  pid_ = -1;
  if (WIFSIGNALED(status)) {
    return std::string("was ended by signal ") + std::to_string(WTERMSIG(status)) + " (" +
           strsignal(WTERMSIG(status)) + ")";
  }
  return "ended without an answer";
}

/// The attempts that are running, those that wait, and what became of the others.
class Racing {
 public:
  Racing(const std::vector<Attempt>& attempts, const RaceOptions& options) : options_(options) {
    for (const Attempt& a : attempts) {
      waiting_.push_back(&a);
      if (a.group >= 0) ++pieces_[a.group];
    }
  }

  Race run() {
    while (fill(), !only_beside() && !decided()) {
      if (elapsed() >= options_.limits.seconds) {
        while (!running_.empty()) end(0, std::nullopt, "timed out");
        break;
      }
      wait();
    }
    while (!running_.empty()) end(0, std::nullopt, "stopped");
    result_.answer.seconds = elapsed();
    if (!decided_) result_.answer.reason = reasons();
    return std::move(result_);
  }

 private:
  double elapsed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  bool decided() const { return decided_ && !options_.to_the_end; }

  bool only_beside_runs() const {
    return std::all_of(running_.begin(), running_.end(),
                       [](const auto& child) { return child->attempt().beside; });
  }

  /// True if nothing is left that will end by itself.
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
      running_.push_back(std::make_unique<Child>(**next, options_.limits));
      waiting_.erase(next);
    }
  }

  /// The first that need not wait longer; the end if there is none.
  std::deque<const Attempt*>::iterator next_to_start() {
    const bool idle = only_beside_runs();
    return std::find_if(waiting_.begin(), waiting_.end(), [&](const Attempt* attempt) {
      return idle || attempt->after <= elapsed();
    });
  }

  /// Seconds until the first of those that wait for their time may start.
  double until_next() const {
    double least = std::numeric_limits<double>::infinity();
    for (const Attempt* attempt : waiting_) {
      if (attempt->after > elapsed()) least = std::min(least, attempt->after - elapsed());
    }
    return least;
  }

  double left(const Child& child) const {
    return std::min(options_.limits.seconds - elapsed(), child.attempt().seconds - child.seconds());
  }

  void wait() {
    std::vector<pollfd> ends;
    std::string names;
    double longest = std::min(options_.progress ? kProgressInterval : 1000.0, until_next());
    for (const auto& child : running_) {
      ends.push_back({child->pipe(), POLLIN, 0});
      longest = std::min(longest, left(*child));
      names += (names.empty() ? "" : ", ") + child->attempt().name;
    }
    if (options_.progress && elapsed() > kProgressInterval) options_.progress(elapsed(), names);
    const int milliseconds = static_cast<int>(std::max(longest, 0.0) * 1000) + 1;
    const int ready = poll(ends.data(), ends.size(), milliseconds);
    if (ready < 0 && errno != EINTR) {
      throw std::runtime_error(std::string("cannot wait for solvers: ") + std::strerror(errno));
    }
    for (std::size_t i = running_.size(); i-- > 0;) {
      if (ready > 0 && ends[i].revents != 0 && running_[i]->read_more()) {
        const std::optional<Answer> answer = running_[i]->answer();
        end(i, answer, "");
      } else if (left(*running_[i]) <= 0) {
        end(i, std::nullopt, "timed out");
      }
    }
  }

  void end(std::size_t i, const std::optional<Answer>& answer, const std::string& stopped) {
    Child& child = *running_[i];
    const Attempt& attempt = child.attempt();
    AttemptReport report{attempt.name, Verdict::unknown, false, stopped, child.seconds(), 0};
    if (stopped.empty()) {
      const std::string why = child.why_not();
      report.peak_kib = child.peak_kib();
      report.outcome = answer ? answer->reason : why;
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
      if (report.counts && !decided_) {
        decided_ = true;
        result_.answer = *answer;
        result_.answer.solver = attempt.name;
        result_.answer.backend = attempt.backend;
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
  const Clock::time_point start_ = Clock::now();
  std::deque<const Attempt*> waiting_;
  std::vector<std::unique_ptr<Child>> running_;
  std::map<int, int> pieces_;  ///< of each group, not yet proved
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
