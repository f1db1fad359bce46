// The clock of time limits: it never goes back, and is at most as fast as the pace.
#include "util/deadline.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <thread>
#include <vector>

namespace mmaspec {
namespace {

using Wall = std::chrono::steady_clock;

constexpr auto kLongerThanAMeasure = std::chrono::milliseconds(700);

/// True if the clock's time does not go back in some readings.
bool goes_on() {
  const auto start = Wall::now();
  auto last = LimitClock::now();
  while (Wall::now() - start < kLongerThanAMeasure) {
    const auto now = LimitClock::now();
    if (now < last) return false;
    last = now;
  }
  return true;
}

TEST(LimitClock, NeverGoesBackInAnyThread) {
  std::vector<char> well(3, 0);
  {
    std::vector<std::jthread> threads;
    for (char& one : well) threads.emplace_back([&one] { one = goes_on() ? 1 : 0; });
  }
  for (const char one : well) EXPECT_EQ(one, 1);
}

// The tests run with MMASPEC_PACE=1 or more: limits never pass before the wall time has passed.
TEST(LimitClock, PassesNoFasterThanWallTime) {
  const auto wall = Wall::now();
  const auto counted = LimitClock::now();
  EXPECT_TRUE(goes_on());
  const auto counted_passed = LimitClock::now() - counted;
  EXPECT_LE(counted_passed, Wall::now() - wall);
  EXPECT_GT(counted_passed, LimitClock::duration::zero());
}

TEST(LimitClock, ContinuesInAForkedProcess) {
  std::jthread beside([] { EXPECT_TRUE(goes_on()); });
  const pid_t child = fork();
  if (child == 0) _exit(goes_on() ? 0 : 1);
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

}  // namespace
}  // namespace mmaspec
