#pragma once
/// The results of a batch of questions or evaluations, reported to the parent process.

#include <cstdint>
#include <map>
#include <string>

#include "util/json.h"

namespace mmaspec::fuzz {

/// Writes JSON Lines to a file descriptor. Each line is written at once, so that a crash loses
/// none.
class Log {
 public:
  explicit Log(int descriptor) : descriptor_(descriptor) {}
  void write(const Json& line) const;
  /// Records what is tried next: the last record names the cause of a crash.
  void trying(const std::string& what) const { write({{"trying", what}}); }
  /// A contradiction between the project and the reference, or within the project.
  void contradiction(const std::string& kind, const std::string& what,
                     const std::string& command) const {
    write({{"contradiction", kind}, {"what", what}, {"command", command}});
  }
  void add(const std::string& counter, std::uint64_t n = 1) { counters_[counter] += n; }
  void flush_counters() {
    write({{"counters", counters_}});
    counters_.clear();
  }

 private:
  int descriptor_;
  std::map<std::string, std::uint64_t> counters_;
};

/// An argument quoted for a shell.
std::string quoted(const std::string& argument);

}  // namespace mmaspec::fuzz
