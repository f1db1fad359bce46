#include "util/deadline.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#ifdef __linux__
#include <sched.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#endif

namespace mmaspec {
namespace {

std::atomic<bool> stopped = false;
static_assert(std::atomic<bool>::is_always_lock_free);  // signal handlers set it

/// More than any work takes, and far from the limits of the clock.
constexpr double kLongest = 1e9;

// The rest of this namespace measures the processor time that the system gives this process and its
// descendants, from /proc.

using Wall = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr auto kBetweenMeasures = std::chrono::milliseconds(200);
constexpr double kIdle = 0.05;  // share of a processor: with less work, the pace is 1
constexpr double kSlowestPace = 0.02;

/// The environment's MMASPEC_PACE; 0 if it is not set.
double factor() {
  static const double value = [] {
    const char* text = std::getenv("MMASPEC_PACE");  // NOLINT(concurrency-mt-unsafe)
    const double n = text == nullptr ? 0 : std::strtod(text, nullptr);
    return n > 0 ? n : 0;
  }();
  return value;
}

/// From `wall` on, time passes at this rate.
struct Segment {
  Wall::time_point wall;
  Wall::time_point counted;
  double rate;

  Wall::time_point at(Wall::time_point now) const noexcept {
    const Seconds passed = now - wall;
    return counted + std::chrono::duration_cast<Wall::duration>(passed * rate);
  }
};

/// Nanoseconds for which a thread ran, and for which it waited for a processor.
struct Scheduled {
  double ran = 0;
  double waited = 0;
};

using Threads = std::map<std::string, Scheduled>;

#ifdef __linux__

namespace fs = std::filesystem;

std::vector<std::string> numbers_in(const fs::path& folder) {
  std::vector<std::string> found;
  std::error_code error;
  for (fs::directory_iterator i(folder, error), end; !error && i != end; i.increment(error)) {
    std::string name = i->path().filename().string();
    if (name.find_first_not_of("0123456789") == std::string::npos) found.push_back(std::move(name));
  }
  return found;
}

/// This process and all its descendants.
std::vector<std::string> family() {
  std::multimap<std::string, std::string> children;
  for (const std::string& pid : numbers_in("/proc")) {
    std::ifstream file("/proc/" + pid + "/stat");
    std::string line;
    std::getline(file, line);
    std::istringstream rest(line.substr(std::min(line.rfind(')') + 1, line.size())));
    std::string state;
    std::string parent;
    if (rest >> state >> parent) children.emplace(parent, pid);
  }
  std::vector<std::string> found{std::to_string(getpid())};
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto [first, last] = children.equal_range(found[i]);
    for (auto child = first; child != last; ++child) found.push_back(child->second);
  }
  return found;
}

Threads scheduled() {
  Threads threads;
  for (const std::string& pid : family()) {
    const fs::path tasks = "/proc/" + pid + "/task";
    for (const std::string& tid : numbers_in(tasks)) {
      std::ifstream file(tasks / tid / "schedstat");
      Scheduled s;
      if (file >> s.ran >> s.waited) threads[tid] = s;
    }
  }
  return threads;
}

double processors() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
  return 1;
}

#else

Threads scheduled() { return {}; }
double processors() { return 1; }

#endif

/// Measures the pace. Only one thread uses it at a time; a forked process starts with a new one.
class Pacer {
 public:
  explicit Pacer(Wall::time_point now) : last_(now) {}

  bool is_due(Wall::time_point now) const { return now - last_ >= kBetweenMeasures; }

  /// Starts a segment with the pace since the last measurement.
  const Segment* next(const Segment& before, Wall::time_point now) {
    const double rate = measure(now) / factor();
    const Wall::time_point then = Wall::now();
    segments_.push_back(Segment{then, before.at(then), rate});
    return &segments_.back();
  }

 private:
  /// The received share of the processor time that could be used, since the last measurement.
  double measure(Wall::time_point now) {
    const double passed = std::chrono::duration<double, std::nano>(now - last_).count();
    last_ = now;
    Threads threads = scheduled();
    double ran = 0;
    double waited = 0;
    for (const auto& [tid, s] : threads) {
      const auto before = threads_.find(tid);
      const Scheduled from = before == threads_.end() ? Scheduled{} : before->second;
      ran += std::max(s.ran - from.ran, 0.0);
      waited += std::max(s.waited - from.waited, 0.0);
    }
    threads_ = std::move(threads);
    const double wanted = std::min(ran + waited, passed * processors());
    return wanted < kIdle * passed ? 1 : std::clamp(ran / wanted, kSlowestPace, 1.0);
  }

  Wall::time_point last_;
  Threads threads_;
  std::deque<Segment> segments_;  ///< all segments, because other threads may read them
};

std::atomic<const Segment*> current = nullptr;
std::atomic<pid_t> measuring = 0;  ///< the process of which a thread is measuring
std::atomic<LimitClock::duration::rep> latest =
    std::numeric_limits<LimitClock::duration::rep>::min();

/// The later of this time and the latest time returned so far: another thread may have read an
/// older segment.
LimitClock::time_point no_earlier(LimitClock::time_point time) {
  const auto now = time.time_since_epoch().count();
  auto before = latest.load();
  while (before < now && !latest.compare_exchange_weak(before, now)) continue;
  return LimitClock::time_point(LimitClock::duration(std::max(before, now)));
}

const Segment* first_segment(Wall::time_point now) {
  auto segment = std::make_unique<Segment>(Segment{now, now, 1 / factor()});
  const Segment* none = nullptr;
  if (current.compare_exchange_strong(none, segment.get())) return segment.release();
  return none;
}

void measure(Wall::time_point now) {
  static Pacer* pacer = nullptr;
  static pid_t owner = 0;
  const pid_t self = getpid();
  // The state of another process was copied by fork, possibly in the middle of an update.
  pid_t other = measuring.load();
  if (other == self || !measuring.compare_exchange_strong(other, self)) return;
  if (owner != self) {
    pacer =
        new Pacer(now);  // NOLINT(cppcoreguidelines-owning-memory): lives as long as the process
    owner = self;
  }
  if (pacer->is_due(now)) current = pacer->next(*current.load(), now);
  measuring = 0;
}

}  // namespace

LimitClock::time_point LimitClock::now() {
  const Wall::time_point wall = Wall::now();
  if (factor() == 0) return wall;
  const Segment* segment = current.load();
  if (segment == nullptr) segment = first_segment(wall);
  if (wall - segment->wall >= kBetweenMeasures) measure(wall);
  return no_earlier(current.load()->at(Wall::now()));
}

LimitClock::time_point LimitClock::now_in_handler() noexcept {
  const Wall::time_point wall = Wall::now();
  const Segment* segment = current.load();
  return segment == nullptr ? wall : segment->at(wall);
}

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
