#pragma once
/// The clock that counts limits of time.

#include <chrono>

namespace mmaspec {

/// Wall time. Where the environment has MMASPEC_PACE=N, as the test suite sets it, the time that
/// would pass on a machine with nothing else to do, N times slower: while this process and those
/// that it started get only half of the processor time that they could use, a second lasts two.
/// So what ends within a limit of time does so beside other work, too, and in builds that are N
/// times slower. Never goes back.
class LimitClock {
 public:
  using duration = std::chrono::steady_clock::duration;
  using time_point = std::chrono::steady_clock::time_point;

  static time_point now();
  /// The same within a signal handler: it measures nothing.
  static time_point now_in_handler() noexcept;
  static double seconds_since(time_point start) {
    return std::chrono::duration<double>(now() - start).count();
  }
};

}  // namespace mmaspec
