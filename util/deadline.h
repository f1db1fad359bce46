#pragma once
/// When work is to end: at a moment, or as soon as the user wants no more.

#include <chrono>
#include <stdexcept>

namespace mmaspec {

/// The clock that counts limits of time: wall time. Where the environment has MMASPEC_PACE=N, as
/// the test suite sets it, the time that would pass on a machine with nothing else to do, N times
/// slower: while this process and those that it started get only half of the processor time that
/// they could use, a second lasts two. So what ends within a limit of time does so beside other
/// work, too, and in builds that are N times slower. Never goes back.
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

/// A moment by which work is to end. One that is passed stays so. All pass at once when stop_work()
/// is called, those that never pass included.
class Deadline {
 public:
  /// Never passes by itself.
  Deadline() = default;
  /// So many seconds from now, as LimitClock counts them; infinity: never.
  static Deadline in(double seconds);

  bool passed() const { return left() <= 0; }
  /// Seconds until then: 0 once it has passed, infinity if it never will.
  double left() const;

  /// When this share, 0 to 1, of the time left will have passed.
  Deadline part(double share) const;

  friend Deadline earlier(const Deadline& x, const Deadline& y);

 private:
  using Clock = LimitClock;

  Clock::time_point end_ = Clock::time_point::max();
};

Deadline earlier(const Deadline& x, const Deadline& y);

/// Makes all deadlines pass: what a handler of SIGINT may call.
void stop_work() noexcept;
bool work_is_stopped() noexcept;
/// Undoes stop_work(), for a process that goes on to other work.
void resume_work() noexcept;

/// Thrown by work that has no result to give before its end.
class OutOfTime : public std::runtime_error {
 public:
  OutOfTime() : std::runtime_error("out of time") {}
};

}  // namespace mmaspec
