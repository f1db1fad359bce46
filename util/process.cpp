#include "util/process.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <climits>
#include <csignal>
#include <cstring>
#include <stdexcept>
#include <thread>

namespace mmaspec {
namespace {

[[noreturn]] void cannot(const std::string& what) {
  throw std::runtime_error("cannot " + what + ": " + std::strerror(errno));
}

/// Blocks all signals of this thread, so that a child process starts with them blocked.
class BlockedSignals {
 public:
  BlockedSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;

 private:
  sigset_t before_{};
};

/// In a child process: requests this signal when the parent ends, and handles a parent that has
/// ended already.
void end_with_parent(pid_t parent, int signal) {
  prctl(PR_SET_PDEATHSIG, signal);
  if (getppid() != parent) _exit(1);
}

/// In a child process: restores default signal handling and unblocks all signals. Signals that were
/// ignored at the start, as by nohup, stay ignored, except where this program ignored them itself.
void take_signals() {
  for (const int s : {SIGINT, SIGTERM, SIGHUP, SIGCHLD, SIGPIPE}) {
    struct sigaction action = {};
    sigaction(s, nullptr, &action);
    if (action.sa_handler != SIG_IGN || s == SIGCHLD || s == SIGPIPE) std::signal(s, SIG_DFL);
  }
  sigset_t none;
  sigemptyset(&none);
  pthread_sigmask(SIG_SETMASK, &none, nullptr);
}

int wait_for(pid_t child, rusage* usage = nullptr) {
  int status = 0;
  while (wait4(child, &status, 0, usage) < 0 && errno == EINTR) {
  }
  return status;
}

// The rest of this namespace is executed between fork() and _exit() and does not allocate memory.

/// Kills all current child processes; false if none is known.
bool kill_children() {
  const int list = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
  if (list < 0) return false;
  bool any = false;
  pid_t child = 0;
  std::array<char, 4096> buffer;
  for (ssize_t n = 0; (n = read(list, buffer.data(), buffer.size())) > 0;) {
    for (ssize_t i = 0; i < n; ++i) {
      const char c = buffer[static_cast<std::size_t>(i)];
      if (c >= '0' && c <= '9') {
        child = 10 * child + (c - '0');
      } else if (child > 0) {
        kill(child, SIGKILL);
        any = true;
        child = 0;
      }
    }
  }
  close(list);
  return any;
}

/// Ends all descendants: orphans become children of this process, which is a subreaper.
void end_descendants(pid_t command) {
  for (;;) {
    pid_t ended = 0;
    while ((ended = waitpid(-1, nullptr, WNOHANG)) > 0) {
    }
    if (ended < 0 && errno == ECHILD) return;
    if (!kill_children()) {
      kill(command, SIGKILL);
      if (waitpid(command, nullptr, 0) < 0) return;
      continue;
    }
    waitpid(-1, nullptr, 0);
  }
}

[[noreturn]] void run_command(const char* command, std::array<int, 3> descriptors, pid_t keeper,
                              pid_t group) {
  end_with_parent(keeper, SIGKILL);
  // In the caller's process group, because the command may ask for a password on a terminal.
  if (setpgid(0, group) != 0) _exit(126);
  for (int& d : descriptors) d = fcntl(d, F_DUPFD, 3);
  for (int i = 0; i < 3; ++i) dup2(descriptors[static_cast<std::size_t>(i)], i);
  close_range(3, UINT_MAX, 0);
  take_signals();
  execl("/bin/sh", "sh", "-c", command, static_cast<char*>(nullptr));
  _exit(127);
}

[[noreturn]] void keep(const char* command, const std::array<int, 3>& descriptors, pid_t parent,
                       pid_t group) {
  setpgid(0, 0);  // so that a signal to the caller's group does not reach this process
  std::signal(SIGCHLD, SIG_DFL);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  end_with_parent(parent, SIGTERM);
  const pid_t self = getpid();
  const pid_t child = fork();
  if (child < 0) _exit(126);
  if (child == 0) run_command(command, descriptors, self, group);
  close_range(0, UINT_MAX, 0);  // so that readers of pipes do not wait for this process
  sigset_t awaited;
  sigemptyset(&awaited);
  sigaddset(&awaited, SIGCHLD);
  sigaddset(&awaited, SIGTERM);
  int status = SIGTERM;
  for (int signal = 0; signal != SIGTERM;) {
    signal = sigwaitinfo(&awaited, nullptr);
    // Orphaned descendants end here, too.
    int other = 0;
    for (pid_t ended = 0; (ended = waitpid(-1, &other, WNOHANG)) > 0;) {
      if (ended != child) continue;
      status = other;
      signal = SIGTERM;
    }
  }
  end_descendants(child);
  _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

}  // namespace

Child::Child(const std::function<std::string()>& work) {
  std::array<int, 2> ends{};
  // O_CLOEXEC: programs that the work starts must not keep the pipe open.
  if (pipe2(ends.data(), O_CLOEXEC) != 0) cannot("make a pipe");
  const pid_t parent = getpid();
  const BlockedSignals blocked;
  pid_ = fork();
  if (pid_ < 0) {
    close(ends[0]);
    close(ends[1]);
    cannot("start a process");
  }
  if (pid_ == 0) {
    // Signals of a terminal go to the parent, whose end ends this process.
    setpgid(0, 0);
    end_with_parent(parent, SIGKILL);
    take_signals();
    close(ends[0]);
    run(work, ends[1]);
  }
  setpgid(pid_, pid_);
  close(ends[1]);
  pipe_ = ends[0];
}

Child::~Child() {
  close(pipe_);
  end();
}

void Child::run(const std::function<std::string()>& work, int out) {
  try {
    const std::string text = work() + '\0';
    for (std::size_t done = 0; done < text.size();) {
      const ssize_t n = write(out, text.data() + done, text.size() - done);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) break;
      done += static_cast<std::size_t>(n);
    }
  } catch (...) {
    _exit(1);
  }
  _exit(0);  // without destructors, because a solver's may take seconds
}

double Child::seconds() const { return LimitClock::seconds_since(start_); }

bool Child::read_more() {
  std::array<char, 65536> buffer;
  const ssize_t n = read(pipe_, buffer.data(), buffer.size());
  if (n < 0 && errno == EINTR) return false;
  if (n > 0) text_.append(buffer.data(), static_cast<std::size_t>(n));
  // A process that another thread forked may keep the pipe open, so the end of the pipe is not
  // required.
  return n <= 0 || has_text();
}

Child::End Child::end() {
  if (pid_ < 0) return {};
  kill(-pid_, SIGKILL);
  kill(pid_, SIGKILL);  // its process group may not exist yet
  rusage usage{};
  const int status = wait_for(pid_, &usage);
  pid_ = -1;
  End end;
  end.by_itself = !WIFSIGNALED(status);
  end.peak_kib = usage.ru_maxrss;
  end.how = end.by_itself ? "ended without an answer"
                          : "was ended by signal " + std::to_string(WTERMSIG(status)) + " (" +
                                strsignal(WTERMSIG(status)) + ")";
  return end;
}

ShellCommand::ShellCommand(const std::string& command, int in, int out, int err)
    : owner_(getpid()) {
  const pid_t group = getpgid(0);
  const BlockedSignals blocked;
  keeper_ = fork();
  if (keeper_ < 0) cannot("start a process");
  if (keeper_ == 0) keep(command.c_str(), {in, out, err}, owner_, group);
}

ShellCommand::~ShellCommand() {
  if (keeper_ < 0 || owner_ != getpid()) return;
  kill(keeper_, SIGTERM);
  wait_for(keeper_);
}

int ShellCommand::wait() {
  const int status = wait_for(keeper_);
  keeper_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::optional<int> ShellCommand::wait(double seconds) {
  const LimitClock::time_point start = LimitClock::now();
  // Short pauses at first, because most commands end soon.
  for (auto pause = std::chrono::microseconds(200);;
       pause = std::min(2 * pause, std::chrono::microseconds(20'000))) {
    siginfo_t ended{};
    if (waitid(P_PID, static_cast<id_t>(keeper_), &ended, WEXITED | WNOHANG | WNOWAIT) != 0 ||
        ended.si_pid != 0) {
      return wait();
    }
    if (LimitClock::seconds_since(start) >= seconds) return std::nullopt;
    std::this_thread::sleep_for(pause);
  }
}

}  // namespace mmaspec
