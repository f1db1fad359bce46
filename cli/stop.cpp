#include "cli/stop.h"

#include <fmt/format.h>

#include <cstring>

#include "cli/command.h"
#include "util/deadline.h"

namespace mmaspec::cli {
namespace {

volatile std::sig_atomic_t stopped_by = 0;

}  // namespace

StopSignals::StopSignals() {
  struct sigaction action = {};
  action.sa_handler = [](int s) {
    stopped_by = s;
    stop_work();
    for (const int other : kAll) std::signal(other, SIG_DFL);
  };
  for (std::size_t i = 0; i < kAll.size(); ++i) {
    sigaction(kAll[i], nullptr, &before_[i]);
    if (before_[i].sa_handler != SIG_IGN) sigaction(kAll[i], &action, nullptr);
  }
}

StopSignals::~StopSignals() {
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
