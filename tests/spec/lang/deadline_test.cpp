// Deadlines, and building with a deadline.

#include <gtest/gtest.h>

#include <limits>

#include "concrete/batch/evaluator.h"
#include "spec/lang/bounds.h"
#include "spec/lang/int.h"

namespace mmaspec::deadline_test {
namespace {

TEST(Deadline, PassesOnce) {
  EXPECT_FALSE(Deadline().passed());
  EXPECT_EQ(Deadline().left(), std::numeric_limits<double>::infinity());
  EXPECT_EQ(Deadline::in(std::numeric_limits<double>::infinity()).left(), Deadline().left());
  EXPECT_FALSE(Deadline::in(1e6).passed());
  EXPECT_LE(Deadline::in(1e6).left(), 1e6);
  EXPECT_TRUE(Deadline::in(0).passed());
  EXPECT_TRUE(Deadline::in(-1).passed());
  EXPECT_EQ(Deadline::in(-1).left(), 0);
}

TEST(Deadline, IsSharedOut) {
  EXPECT_LE(Deadline::in(1000).part(0.5).left(), 500);
  EXPECT_EQ(Deadline().part(0.5).left(), Deadline().left());
  EXPECT_TRUE(Deadline::in(0).part(0.5).passed());
  EXPECT_LE(earlier(Deadline::in(10), Deadline::in(1000)).left(), 10);
  EXPECT_LE(earlier(Deadline(), Deadline::in(10)).left(), 10);
}

TEST(Deadline, AllPassWhenWorkIsStopped) {
  const Deadline never;
  const Deadline late = Deadline::in(1000);
  stop_work();
  EXPECT_TRUE(work_is_stopped());
  EXPECT_TRUE(never.passed());
  EXPECT_TRUE(late.passed());
  EXPECT_TRUE(Deadline().part(0.5).passed());
  resume_work();
  EXPECT_FALSE(never.passed());
  EXPECT_FALSE(late.passed());
}

/// A sum of this many nodes, none of which is shared.
Int build_many(int nodes) {
  const Int x = input("x", 8);
  Int y = x;
  for (int i = 0; i < nodes; ++i) y = bits(y * x + i, 0, 8);
  return y;
}

TEST(BuildBy, EndsLongBuilding) {
  Graph graph;
  const Graph::Building building(graph);
  const BuildBy bound(Deadline::in(0));
  EXPECT_NO_THROW(build_many(10)) << "what is short is not worth it";
  EXPECT_THROW(build_many(20000), OutOfTime);
}

TEST(BuildBy, AnEarlierOuterDeadlineHolds) {
  Graph graph;
  const Graph::Building building(graph);
  {
    const BuildBy outer(Deadline::in(0));
    const BuildBy inner(Deadline::in(1000));
    EXPECT_THROW(BuildBy::check(), OutOfTime);
  }
  EXPECT_NO_THROW(BuildBy::check());
}

}  // namespace
}  // namespace mmaspec::deadline_test
