#pragma once
/// Ctrl-C, and whatever else asks a command to end: what was found so far is told first.

#include <array>
#include <csignal>
#include <string>

namespace mmaspec::cli {

/// While it lives, the first SIGINT, SIGTERM or SIGHUP stops the work and not the process: all
/// deadlines pass. The second one ends the process at once. What was ignored, as by nohup, still
/// is.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

 private:
  static constexpr std::array<int, 3> kAll{SIGINT, SIGTERM, SIGHUP};
  std::array<struct sigaction, 3> before_{};
};

/// Once all is told: if a signal stopped the work, says so and ends the process by it, as shells
/// expect. `hint`: what to do about it.
void end_if_stopped(const std::string& hint = "");

}  // namespace mmaspec::cli
