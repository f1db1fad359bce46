#pragma once
/// The command `mmaspec` run as its users run it: a child process, its two outputs, its status.

#include <filesystem>
#include <string>
#include <vector>

#include "util/json.h"

namespace mmaspec::cli_test {

struct Outcome {
  int status = 0;  ///< the exit status; -N if signal N ended it (SIGKILL: it took too long)
  std::string out;
  std::string err;
};

struct RunOptions {
  std::string input{};        ///< what standard input holds
  std::string output_to{};    ///< standard output goes to this file instead of Outcome::out
  std::string errors_to{};    ///< standard error goes to this file instead of Outcome::err
  std::vector<int> closed{};  ///< standard descriptors that are closed
  bool unread = false;        ///< standard output is a pipe that nobody reads any more
  double seconds = 600;       ///< the command is killed after this
};

/// Runs `program` (found on the PATH) with these arguments.
Outcome run_program(const std::string& program, const std::vector<std::string>& arguments,
                    const RunOptions& options = {});
/// Runs the mmaspec that was built: $MMASPEC_BINARY.
Outcome mmaspec(const std::vector<std::string>& arguments, const RunOptions& options = {});

/// The JSON document that mmaspec prints with these arguments and --json. It must have the status
/// and say nothing else.
Json json_of(std::vector<std::string> arguments, int status = 0);

/// True if the PATH has the program.
bool has_program(const std::string& program);

/// A folder that is gone with the object.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// The path of a name in it.
  std::string operator/(const std::string& name) const { return path_ / name; }
  /// Writes a file and returns its path.
  std::string write(const std::string& name, const std::string& content) const;
  std::string write_gz(const std::string& name, const std::string& content) const;
  /// How many files it holds.
  std::size_t files() const;

 private:
  std::filesystem::path path_;
};

/// The whole file.
std::string content_of(const std::string& path);

std::vector<std::string> lines_of(const std::string& text);

/// Words of a command as a shell would see them: single quotes alone are special.
std::vector<std::string> words_of(const std::string& command);

/// Fails the test unless the command refused what it was given: status 2, nothing on standard
/// output, and on standard error one line that begins `mmaspec: ` and holds each of `parts`.
void expect_refused(const Outcome& outcome, const std::vector<std::string>& parts);

}  // namespace mmaspec::cli_test
