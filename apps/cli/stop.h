#pragma once
/// Signals that cancel a command, such as Ctrl-C. The command prints partial results first.

#include <array>
#include <csignal>
#include <limits>
#include <string>

namespace mmaspec::cli {

/// While this object exists, the first SIGINT, SIGTERM or SIGHUP makes all deadlines pass, which
/// stops the work but not the process. The second signal ends the process at once. Ignored signals
/// (nohup) stay ignored. run_program() has one object for every command; the object of a command
/// also limits its time.
///
/// Work that does not check deadlines is ended too: one second after the signal, or two seconds
/// after `seconds` if nothing was printed. The process then prints a message on standard error and
/// ends by the signal or with the status of "undecided". Its child processes end with it. Output
/// that is being printed or written to a file is finished first.
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

/// While this object exists, output is written, and only a second signal ends the process.
class Printing {
 public:
  Printing() noexcept;
  ~Printing();
  Printing(const Printing&) = delete;
  Printing& operator=(const Printing&) = delete;
};

/// Call this after all output: if a signal stopped the work, prints that and ends the process by
/// the signal, as shells expect. `hint`: how to continue.
void end_if_stopped(const std::string& hint = "");

}  // namespace mmaspec::cli
