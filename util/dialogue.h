#pragma once
/// A dialogue with a process that answers one text after another.

#include <optional>
#include <string>

#include "util/process.h"

namespace mmaspec {

/// A shell command whose standard input and output are connected to this object. It ends like a
/// ShellCommand.
class Dialogue {
 public:
  /// Throws std::runtime_error if no process can be started.
  explicit Dialogue(const std::string& command);
  ~Dialogue();
  Dialogue(const Dialogue&) = delete;
  Dialogue& operator=(const Dialogue&) = delete;

  /// Queues text for the command's input. listen() writes it.
  void say(const std::string& text) { unsaid_ += text; }

  /// Waits up to `seconds` seconds until the command has printed a complete line that contains
  /// `last`. Returns the new lines before it; nullopt if it does not come. A process forked in
  /// between may continue to listen if this process no longer does.
  std::optional<std::string> listen(const std::string& last, double seconds);

 private:
  int in_ = -1;   ///< the command's input
  int out_ = -1;  ///< the command's output
  std::optional<ShellCommand> command_;
  std::string unsaid_;
  std::string heard_;
};

}  // namespace mmaspec
