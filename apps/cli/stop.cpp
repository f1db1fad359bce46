#include "apps/cli/stop.h"

#include <fmt/format.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <string_view>

#include "apps/cli/command.h"
#include "report/values.h"
#include "util/deadline.h"
#include "util/file.h"

namespace mmaspec::cli {
namespace {

volatile std::sig_atomic_t stopped_by = 0;
volatile std::sig_atomic_t is_printing = 0;
volatile std::sig_atomic_t has_printed = 0;
volatile std::sig_atomic_t wants_json = 0;
LimitClock::time_point end_of_time;  ///< set before the handler is installed

constexpr double kGraceAfterSignal = 0.9;   // seconds for work that checks deadlines
constexpr double kGraceAfterTimeLimit = 2;  // the same if an answer may still arrive
constexpr double kNextLook = 0.1;           // seconds between checks while output is being written

void set_timer(double seconds) noexcept {
  itimerval timer = {};
  const double whole = std::floor(seconds);
  timer.it_value.tv_sec = static_cast<time_t>(whole);
  timer.it_value.tv_usec = static_cast<suseconds_t>((seconds - whole) * 1e6);
  setitimer(ITIMER_REAL, &timer, nullptr);
}

void say(int to, std::string_view text) noexcept {
  [[maybe_unused]] const auto written = write(to, text.data(), text.size());
}

/// The handler of SIGALRM, which calls only async-signal-safe functions.
void end_now(int) {
  if (is_printing != 0 || is_writing_file()) {
    set_timer(kNextLook);
    return;
  }
  if (const int signal = stopped_by; signal != 0) {
    say(STDERR_FILENO, has_printed != 0
                           ? "mmaspec: stopped by a signal\n"
                           : "mmaspec: stopped by a signal in a step without partial results\n");
    std::signal(signal, SIG_DFL);
    kill(getpid(), signal);
    _exit(128 + signal);
  }
  if (has_printed != 0) return;  // only cleanup is left
  const double left =
      std::chrono::duration<double>(end_of_time - LimitClock::now_in_handler()).count();
  if (left > 0) {
    set_timer(std::max(left, kNextLook));
    return;
  }
  say(STDERR_FILENO,
      "mmaspec: undecided: the time limit was reached in a step without partial results\n");
  if (wants_json != 0)
    say(STDOUT_FILENO, "{\"verdict\":\"undecided\",\"reason\":\"out of time\"}\n");
  _exit(kUndecided);
}

}  // namespace

StopSignals::StopSignals(double seconds, bool json) {
  has_printed = 0;
  wants_json = json ? 1 : 0;
  struct sigaction alarm = {};
  alarm.sa_handler = end_now;
  alarm.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &alarm, nullptr);
  constexpr double kLongest = 1e8;
  if (seconds < kLongest) {
    const double whole = seconds + kGraceAfterTimeLimit;
    end_of_time = LimitClock::now() + std::chrono::duration_cast<LimitClock::duration>(
                                          std::chrono::duration<double>(whole));
    set_timer(whole);
  }
  struct sigaction action = {};
  action.sa_handler = [](int s) {
    stopped_by = s;
    stop_work();
    for (const int other : kAll) std::signal(other, SIG_DFL);
    set_timer(kGraceAfterSignal);
  };
  for (std::size_t i = 0; i < kAll.size(); ++i) {
    sigaction(kAll[i], nullptr, &before_[i]);
    if (before_[i].sa_handler != SIG_IGN) sigaction(kAll[i], &action, nullptr);
  }
}

Printing::Printing() noexcept { is_printing = 1; }
Printing::~Printing() {
  has_printed = 1;
  is_printing = 0;
}

StopSignals::~StopSignals() {
  set_timer(0);
  for (std::size_t i = 0; i < kAll.size(); ++i) sigaction(kAll[i], &before_[i], nullptr);
}

void end_if_stopped(const std::string& hint) {
  const int signal = stopped_by;
  if (signal == 0) return;
  fmt::print(stderr, "mmaspec: stopped by signal {} ({}){}\n", signal, strsignal(signal),
             hint.empty() ? "" : "; " + one_line(hint));
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace mmaspec::cli
