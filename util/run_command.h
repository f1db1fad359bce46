#pragma once
/// Shell commands that read all of their input and write their answer.

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>

namespace mmaspec {

struct Finished {
  int status = 0;  ///< exit status; 128 + signal as shells have it
  std::string out;
  std::string err;
};

/// A command that had not ended in time; it is ended now.
class CommandTimeout : public std::runtime_error {
 public:
  explicit CommandTimeout(double seconds)
      : std::runtime_error("did not end after " + std::to_string(seconds) + " s") {}
};

/// Runs a shell command on `input`. `take`: reads what it wrote, if it ends well, from a file; else
/// it is `out`. `seconds`: how long it may take; nullopt: for ever. Throws CommandTimeout,
/// std::runtime_error if it cannot be run.
Finished run_command(const std::string& command, const std::string& input,
                     const std::function<void(const std::string& file)>& take = {},
                     const std::optional<double>& seconds = {});

/// The last line that is not blank: what a program that failed has to say.
std::string last_line(const std::string& text);

}  // namespace mmaspec
