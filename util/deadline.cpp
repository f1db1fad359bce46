#include "util/deadline.h"

#include <algorithm>
#include <atomic>
#include <limits>

namespace mmaspec {
namespace {

std::atomic<bool> stopped = false;
static_assert(std::atomic<bool>::is_always_lock_free);  // signal handlers set it

/// More than any work takes; still far from where the clock's numbers end.
constexpr double kLongest = 1e9;

}  // namespace

Deadline Deadline::in(double seconds) {
  Deadline deadline;
  if (seconds >= kLongest) return deadline;
  const std::chrono::duration<double> duration(std::max(seconds, 0.0));
  deadline.end_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(duration);
  return deadline;
}

double Deadline::left() const {
  if (work_is_stopped()) return 0;
  if (end_ == Clock::time_point::max()) return std::numeric_limits<double>::infinity();
  return std::max(std::chrono::duration<double>(end_ - Clock::now()).count(), 0.0);
}

Deadline Deadline::part(double share) const { return in(share * left()); }

Deadline earlier(const Deadline& x, const Deadline& y) { return x.end_ < y.end_ ? x : y; }

void stop_work() noexcept { stopped.store(true, std::memory_order_relaxed); }
bool work_is_stopped() noexcept { return stopped.load(std::memory_order_relaxed); }
void resume_work() noexcept { stopped.store(false, std::memory_order_relaxed); }

}  // namespace mmaspec
