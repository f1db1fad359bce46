#pragma once
/// Deadlines: the end of work at a time, or when the user stops it.

#include <chrono>
#include <stdexcept>

namespace mmaspec {

/// The clock for time limits: wall time by default. If the environment has MMASPEC_PACE=N, as the
/// test suite sets it, it measures the time that would pass on an idle machine that is N times
/// faster: if this process and its children get only half of the processor time that they could
/// use, a second takes two. Work that fits a time limit then also fits it on a loaded machine, and
/// in builds that are N times slower. It never goes backwards.
class LimitClock {
 public:
  using duration = std::chrono::steady_clock::duration;
  using time_point = std::chrono::steady_clock::time_point;

  static time_point now();
  /// The same for signal handlers: it does not measure processor time.
  static time_point now_in_handler() noexcept;
  static double seconds_since(time_point start) {
    return std::chrono::duration<double>(now() - start).count();
  }
};

/// A time by which work must end. A deadline that has passed stays passed. stop_work() makes all
/// deadlines pass at once, including those that never pass otherwise.
class Deadline {
 public:
  /// Never passes by itself.
  Deadline() = default;
  /// In `seconds` seconds of LimitClock; infinity: never.
  static Deadline in(double seconds);

  bool passed() const { return left() <= 0; }
  /// Seconds left: 0 if it has passed, infinity if it never passes.
  double left() const;

  /// The time when this share, 0 to 1, of the time left will have passed.
  Deadline part(double share) const;

  friend Deadline earlier(const Deadline& x, const Deadline& y);

 private:
  using Clock = LimitClock;

  Clock::time_point end_ = Clock::time_point::max();
};

Deadline earlier(const Deadline& x, const Deadline& y);

/// Makes all deadlines pass. A handler of SIGINT may call it.
void stop_work() noexcept;
bool work_is_stopped() noexcept;
/// Undoes stop_work(), for a process that continues with other work.
void resume_work() noexcept;

/// Thrown by work that has no result when its time is over.
class OutOfTime : public std::runtime_error {
 public:
  OutOfTime() : std::runtime_error("out of time") {}
};

}  // namespace mmaspec
