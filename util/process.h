#pragma once
/// Child processes that are always cleaned up, however they or this process end. Only this file
/// forks and kills.

#include <functional>
#include <optional>
#include <string>

#include "util/deadline.h"

namespace mmaspec {

/// A function executed in a child process; its text is read while it arrives. The child ends with
/// this object, and the kernel ends it with the thread that created it.
class Child {
 public:
  /// How a child ended.
  struct End {
    bool by_itself = false;
    std::string how;    ///< one clause, such as "was ended by signal 9 (Killed)"
    long peak_kib = 0;  ///< peak resident memory
  };

  /// `work` is executed in the child only, with default signal handling, and may crash, leak, or
  /// never return. An exception ends the child without a text. No destructor of an outside object
  /// is called there. Throws std::runtime_error if no process can be started.
  explicit Child(const std::function<std::string()>& work);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Seconds since its start.
  double seconds() const;
  /// Readable (poll) when read_more() can make progress.
  int pipe() const { return pipe_; }
  /// Reads what has arrived; true if nothing more will arrive.
  bool read_more();
  /// Whether the function's text is complete.
  bool has_text() const { return !text_.empty() && text_.back() == '\0'; }
  std::string text() const { return text_.substr(0, text_.size() - 1); }

  /// Ends the child and its descendants, if they have not ended.
  End end();

 private:
  [[noreturn]] static void run(const std::function<std::string()>& work, int out);

  LimitClock::time_point start_ = LimitClock::now();
  int pid_ = -1;
  int pipe_ = -1;
  std::string text_;
};

/// A shell command in a separate process. A keeper process between the two ends the command and all
/// its descendants, in any process group or session, when the command itself ends, or when this
/// object or the thread that created it ends. In a forked process, destroying a copy of this object
/// has no effect.
class ShellCommand {
 public:
  /// The descriptors become its standard input, output and error; it does not inherit others.
  /// Throws std::runtime_error if no process can be started.
  ShellCommand(const std::string& command, int in, int out, int err);
  ~ShellCommand();
  ShellCommand(const ShellCommand&) = delete;
  ShellCommand& operator=(const ShellCommand&) = delete;

  /// Waits for its end and returns its exit status; 128 + signal number as in shells.
  int wait();
  /// The same, if it ends within `seconds` seconds.
  std::optional<int> wait(double seconds);

 private:
  int owner_ = -1;
  int keeper_ = -1;
};

}  // namespace mmaspec
