#pragma once
/// Limits of memory and time for building graphs and the programs compiled from them.

#include <cstddef>
#include <stdexcept>

#include "util/deadline.h"

namespace mmaspec {

/// Thrown by work that would exceed the memory limit.
class TooLarge : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// During its lifetime, graphs, programs and inputs that this thread builds must be finished by the
/// deadline, and by that of any enclosing object.
class BuildBy {
 public:
  explicit BuildBy(const Deadline& deadline);
  ~BuildBy();
  BuildBy(const BuildBy&) = delete;
  BuildBy& operator=(const BuildBy&) = delete;

  /// Throws OutOfTime if the deadline has passed.
  static void check();
  /// The same, but reads the clock only after enough work. A unit is a tenth of a microsecond to a
  /// microsecond. Short work finishes even if the deadline has passed.
  static void spend(std::size_t units);

 private:
  Deadline outer_;
};

}  // namespace mmaspec
