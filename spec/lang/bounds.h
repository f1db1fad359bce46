#pragma once
/// Bounds of what is built: graphs, and programs made of them.

#include <cstddef>
#include <stdexcept>

#include "util/deadline.h"

namespace mmaspec {

/// Thrown by work that would take more memory than any such work is given.
class TooLarge : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// While it lives, what this thread builds (graphs, programs, inputs) is to be built by the
/// deadline, and by that of any such object outside this one.
class BuildBy {
 public:
  explicit BuildBy(const Deadline& deadline);
  ~BuildBy();
  BuildBy(const BuildBy&) = delete;
  BuildBy& operator=(const BuildBy&) = delete;

  /// Throws OutOfTime if it is over.
  static void check();
  /// The same, at the first look at the clock after so much work: a unit takes a tenth of a
  /// microsecond to a microsecond. What is short ends even if it is over.
  static void spend(std::size_t units);

 private:
  Deadline outer_;
};

}  // namespace mmaspec
