#pragma once
/// A program that is spoken with: it answers one text after another.

#include <optional>
#include <string>

#include "util/process.h"

namespace mmaspec {

/// A shell command whose standard input and output are this object's. It ends as a ShellCommand
/// does.
class Dialogue {
 public:
  /// Throws std::runtime_error if no process can be started.
  explicit Dialogue(const std::string& command);
  ~Dialogue();
  Dialogue(const Dialogue&) = delete;
  Dialogue& operator=(const Dialogue&) = delete;

  /// What the command is to read next, which it does while it is listened to.
  void say(const std::string& text) { unsaid_ += text; }

  /// Listens for so many seconds until the command has printed a whole line that contains `last`.
  /// The lines before that one, since those that were returned; nullopt where it does not come. In
  /// a process that was forked meanwhile one may listen on, if this one does so no more.
  std::optional<std::string> listen(const std::string& last, double seconds);

 private:
  int in_ = -1;   ///< what is written here, the command reads
  int out_ = -1;  ///< what the command writes is read here
  std::optional<ShellCommand> command_;
  std::string unsaid_;
  std::string heard_;
};

}  // namespace mmaspec
