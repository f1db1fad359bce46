#pragma once
/// Runs the command `mmaspec` as users do: as a child process with its two outputs and exit status.

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
  std::string input{};        ///< contents of standard input
  std::string output_to{};    ///< standard output goes to this file instead of Outcome::out
  std::string errors_to{};    ///< standard error goes to this file instead of Outcome::err
  std::vector<int> closed{};  ///< standard descriptors that are closed
  bool unread = false;        ///< standard output is a pipe whose reading end is closed
  double seconds = 600;       ///< the command is killed after this
};

/// Runs `program` (found on the PATH) with these arguments.
Outcome run_program(const std::string& program, const std::vector<std::string>& arguments,
                    const RunOptions& options = {});
/// Runs the mmaspec that was built: $MMASPEC_BINARY.
Outcome mmaspec(const std::vector<std::string>& arguments, const RunOptions& options = {});

/// The JSON document that mmaspec prints with these arguments and --json. The exit status must be
/// `status`, and standard error must be empty.
Json json_of(std::vector<std::string> arguments, int status = 0);

/// True if a program of this name is on the PATH.
bool has_program(const std::string& program);

/// A temporary folder, removed by the destructor.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// The path of a name in the folder.
  std::string operator/(const std::string& name) const { return path_ / name; }
  /// Writes a file and returns its path.
  std::string write(const std::string& name, const std::string& content) const;
  std::string write_gz(const std::string& name, const std::string& content) const;
  /// The number of files in the folder.
  std::size_t files() const;

 private:
  std::filesystem::path path_;
};

/// The contents of a file.
std::string content_of(const std::string& path);

std::vector<std::string> lines_of(const std::string& text);

/// Words of a command, split as by a shell in which only single quotes are special.
std::vector<std::string> words_of(const std::string& command);

/// Fails the test unless the command refused its arguments: status 2, empty standard output, and
/// one line on standard error that begins with `mmaspec: ` and contains each of `parts`.
void expect_refused(const Outcome& outcome, const std::vector<std::string>& parts);

}  // namespace mmaspec::cli_test
