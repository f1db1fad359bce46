#pragma once
/// Child processes that leave nothing behind, however they or this process end: the one place that
/// forks and kills.

#include <functional>
#include <optional>
#include <string>

#include "util/deadline.h"

namespace mmaspec {

/// A function running in a child process, whose text is read as it comes. The child is ended with
/// this object, and by the kernel with the thread that made it.
class Child {
 public:
  /// How a child ended.
  struct End {
    bool by_itself = false;
    std::string how;    ///< one clause, such as "was ended by signal 9 (Killed)"
    long peak_kib = 0;  ///< of resident memory
  };

  /// `work` runs in the child alone, where signals do what they do by default, and may crash, leak,
  /// or never return; what it throws is an end without a text. No destructor of anything outside it
  /// runs there. Throws std::runtime_error if no process can be started.
  explicit Child(const std::function<std::string()>& work);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Seconds since its start.
  double seconds() const;
  /// Readable (poll) when read_more() has something to do.
  int pipe() const { return pipe_; }
  /// Takes what has come; true once no more will.
  bool read_more();
  /// The function's text is here whole.
  bool has_text() const { return !text_.empty() && text_.back() == '\0'; }
  std::string text() const { return text_.substr(0, text_.size() - 1); }

  /// Ends the child and what it started, if they have not ended.
  End end();

 private:
  [[noreturn]] static void run(const std::function<std::string()>& work, int out);

  LimitClock::time_point start_ = LimitClock::now();
  int pid_ = -1;
  int pipe_ = -1;
  std::string text_;
};

/// A shell command that runs beside this process. Between the two stands a keeper, a process that
/// ends the command and all that it started, in whatever group or session, as soon as the command
/// itself has ended, or this object or the thread that made it is gone. In a process that was
/// forked after it was made, it is another's: nothing happens there when it is destroyed.
class ShellCommand {
 public:
  /// The descriptors become its standard input, output and error; it is given no other ones. Throws
  /// std::runtime_error if no process can be started.
  ShellCommand(const std::string& command, int in, int out, int err);
  ~ShellCommand();
  ShellCommand(const ShellCommand&) = delete;
  ShellCommand& operator=(const ShellCommand&) = delete;

  /// Its exit status once it has ended; 128 + signal as shells have it.
  int wait();
  /// The same, if it ends within so many seconds.
  std::optional<int> wait(double seconds);

 private:
  int owner_ = -1;
  int keeper_ = -1;
};

}  // namespace mmaspec
