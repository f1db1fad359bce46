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
#include <optional>
#include <sstream>
#include <stdexcept>

#include "solver/solver.h"

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

/// One attempt of one backend in a child process. The destructor kills it.
class Child {
 public:
  Child(const Backend& backend, const Query& query, const Limits& limits);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  int pipe() const { return pipe_; }
  const Backend& backend() const { return backend_; }

  /// Takes what the child has written; true once it has said all or died.
  bool read_more();
  std::optional<Answer> answer() const { return from_text(text_); }
  /// After the end, why there is no answer.
  std::string why_not();

 private:
  [[noreturn]] void run(const Query& query, const Limits& limits, int out) const;

  const Backend& backend_;
  pid_t pid_ = -1;
  int pipe_ = -1;
  std::string text_;
};

Child::Child(const Backend& backend, const Query& query, const Limits& limits) : backend_(backend) {
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
    run(query, limits, ends[1]);
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

void Child::run(const Query& query, const Limits& limits, int out) const {
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
    text = to_text(backend_.solve(query));
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
  kill(-pid_, SIGKILL);
  waitpid(pid_, &status, 0);
  pid_ = -1;
  if (WIFSIGNALED(status)) {
    return std::string("was ended by signal ") + std::to_string(WTERMSIG(status)) + " (" +
           strsignal(WTERMSIG(status)) + ")";
  }
  return "ended without an answer";
}

std::vector<std::unique_ptr<Backend>> chosen(const std::string& choice) {
  std::vector<std::unique_ptr<Backend>> backends;
  constexpr std::string_view kProgram = "smtlib:";
  if (choice == "auto" || choice == "cvc5") backends.push_back(cvc5_backend());
  if (choice == "auto" || choice == "z3") backends.push_back(z3_backend());
  if (choice.starts_with(kProgram))
    backends.push_back(smtlib_backend(choice.substr(kProgram.size())));
  if (backends.empty()) {
    throw std::invalid_argument("unknown solver '" + choice +
                                "': expected auto, z3, cvc5 or smtlib:COMMAND");
  }
  return backends;
}

}  // namespace

Portfolio::Portfolio(const std::string& choice, Limits limits)
    : Portfolio(chosen(choice), limits) {}

Portfolio::Portfolio(std::vector<std::unique_ptr<Backend>> backends, Limits limits)
    : backends_(std::move(backends)), limits_(limits) {}

Answer Portfolio::ask(const Query& query) const {
  Answer answer = race(query);
  if (progress_) progress_(answer.seconds, "");
  return answer;
}

Answer Portfolio::race(const Query& query) const {
  const auto start = Clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  std::vector<std::unique_ptr<Child>> running;
  for (const auto& backend : backends_) {
    running.push_back(std::make_unique<Child>(*backend, query, limits_));
  }
  Answer none;
  const auto failed = [&](const Child& child, const std::string& why) {
    none.reason += (none.reason.empty() ? "" : "; ") + child.backend().name() + " " + why;
  };
  while (!running.empty()) {
    const double left = limits_.seconds - elapsed();
    std::vector<pollfd> ends;
    for (const auto& child : running) ends.push_back({child->pipe(), POLLIN, 0});
    const double longest = progress_ ? kProgressInterval : 1000.0;
    const int milliseconds = static_cast<int>(std::clamp(left, 0.0, longest) * 1000) + 1;
    if (progress_ && elapsed() > kProgressInterval) {
      std::string names;
      for (const auto& child : running) {
        names += (names.empty() ? "" : ", ") + child->backend().name();
      }
      progress_(elapsed(), names);
    }
    const int ready = poll(ends.data(), ends.size(), milliseconds);
    if (ready < 0 && errno != EINTR) {
      throw std::runtime_error(std::string("cannot wait for solvers: ") + std::strerror(errno));
    }
    for (std::size_t i = running.size(); ready > 0 && i-- > 0;) {
      if (ends[i].revents == 0 || !running[i]->read_more()) continue;
      std::optional<Answer> answer = running[i]->answer();
      if (answer && answer->verdict != Verdict::unknown) {
        answer->solver = running[i]->backend().name();
        answer->seconds = elapsed();
        return *answer;
      }
      failed(*running[i], answer ? answer->reason : running[i]->why_not());
      running.erase(running.begin() + static_cast<std::ptrdiff_t>(i));
    }
    if (left <= 0) {
      for (const auto& child : running) failed(*child, "timed out");
      break;
    }
  }
  none.seconds = elapsed();
  return none;
}

}  // namespace mmaspec
