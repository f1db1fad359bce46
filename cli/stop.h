#pragma once
/// Ctrl-C, and whatever else asks a command to end: what was found so far is told first.

#include <array>
#include <csignal>
#include <limits>
#include <string>

namespace mmaspec::cli {

/// While it lives, the first SIGINT, SIGTERM or SIGHUP stops the work and not the process: all
/// deadlines pass. The second one ends the process at once. What was ignored, as by nohup, still
/// is. run_program() has one for every command; that of a command bounds its time, too.
///
/// A last resort bounds the time of work that looks at no deadline: a second after the signal, or
/// two seconds after `seconds` have passed and nothing was printed, the process says so on standard
/// error and ends, by the signal or with the status of "undecided". Its child processes end with
/// it, and what is being printed or written to a file is finished first.
inline constexpr double kNoTimeLimit = std::numeric_limits<double>::infinity();

class StopSignals {
 public:
  /// `json`: standard output gets a document with the verdict "undecided" if the time runs out.
  explicit StopSignals(double seconds = kNoTimeLimit, bool json = false);
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

 private:
  static constexpr std::array<int, 3> kAll{SIGINT, SIGTERM, SIGHUP};
  std::array<struct sigaction, 3> before_{};
};

/// While it lives, output is written: nothing but a second signal ends the process.
class Printing {
 public:
  Printing() noexcept;
  ~Printing();
  Printing(const Printing&) = delete;
  Printing& operator=(const Printing&) = delete;
};

/// Once all is told: if a signal stopped the work, says so and ends the process by it, as shells
/// expect. `hint`: what to do about it.
void end_if_stopped(const std::string& hint = "");

}  // namespace mmaspec::cli
