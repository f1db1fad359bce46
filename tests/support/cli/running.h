#pragma once
/// Runs the command `mmaspec` in the background and finds its remaining processes.

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

#include "tests/support/cli/process.h"

namespace mmaspec::cli_test {

/// mmaspec and all processes that it starts, in any group, session or parentage: a mark in their
/// environment identifies them. The destructor kills remaining ones.
class Running {
 public:
  /// `folder` must outlive this object: outputs are written to files in it.
  Running(const std::vector<std::string>& arguments, const Folder& folder);
  ~Running();
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  void signal(int number) const;
  /// Waits for the command itself; SIGKILL ends it if it takes too long.
  Outcome wait();

  /// Command lines of all its running processes, including itself.
  std::vector<std::string> processes() const;
  /// Waits until no process is left; false if this takes too long.
  bool all_ended() const;

 private:
  std::vector<pid_t> pids() const;

  std::string mark_;
  std::string out_;
  std::string err_;
  pid_t pid_ = -1;
};

/// Waits until the condition holds; false if that takes too long.
bool comes_true(const std::function<bool()>& condition);

}  // namespace mmaspec::cli_test
