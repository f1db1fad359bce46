#pragma once
/// Executes shell commands that read all of their input and write their answer.

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>

namespace mmaspec {

struct Finished {
  int status = 0;  ///< exit status; 128 + signal number as in shells
  std::string out;
  std::string err;
};

/// Thrown if a command did not end in time. The command has been ended.
class CommandTimeout : public std::runtime_error {
 public:
  explicit CommandTimeout(double seconds)
      : std::runtime_error("did not end after " + std::to_string(seconds) + " s") {}
};

/// Executes a shell command with `input` on its standard input. `take` reads its output from a file
/// if it succeeds; without `take` the output is `out`. `seconds`: time limit; nullopt: none. Throws
/// CommandTimeout, and std::runtime_error if it cannot be executed.
Finished run_command(const std::string& command, const std::string& input,
                     const std::function<void(const std::string& file)>& take = {},
                     const std::optional<double>& seconds = {});

/// The last line that is not blank: usually the error message of a program that failed.
std::string last_line(const std::string& text);

}  // namespace mmaspec
