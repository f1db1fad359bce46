#pragma once
/// The command `mmaspec` in the background, and what is left of it.

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

#include "tests/support/cli/process.h"

namespace mmaspec::cli_test {

/// mmaspec and all that it starts, in whatever group, session or parentage: they carry a mark in
/// their environment. What is left of them is killed with the object.
class Running {
 public:
  /// `folder` must outlive this object: outputs go to files in it.
  Running(const std::vector<std::string>& arguments, const Folder& folder);
  ~Running();
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  void signal(int number) const;
  /// Waits for the command itself; SIGKILL ends it if it takes too long.
  Outcome wait();

  /// The command's words of all of its processes that live, itself included.
  std::vector<std::string> processes() const;
  /// True once none lives; false if some still does after long.
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
