// The depth that is tried first: one that proved a relation after others had taken long, only for
// relations of its kind.

#include "queries/relations/last_way.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace mmaspec::last_way_test {
namespace {

using Kind = NodeRelation::Kind;

constexpr double kSeconds = 0.2;

/// Proves at only one depth; the others take this long.
struct Prover {
  Depth depth;
  double others_take;
  std::vector<Depth> asked = {};

  bool operator()(Depth asked_depth, double) {
    asked.push_back(asked_depth);
    if (asked_depth == depth) return true;
    std::this_thread::sleep_for(std::chrono::duration<double>(others_take));
    return false;
  }
};

/// The depths that were asked, in order, for a relation of this kind.
std::vector<Depth> asked(LastWay& way, Kind kind, Prover prover) {
  const auto proves = [&](Depth depth, double seconds) { return prover(depth, seconds); };
  if (!way.proves_next(kind, kSeconds, proves)) {
    way.proves(kind, {Depth::nearest, Depth::stages, Depth::inputs}, kSeconds, proves);
  }
  return prover.asked;
}

using Depths = std::vector<Depth>;
const Depths kInTurn{Depth::nearest, Depth::stages, Depth::inputs};

TEST(LastWay, IsTriedFirstForTheNextOfItsKind) {
  LastWay way;
  EXPECT_EQ(asked(way, Kind::limited, {Depth::inputs, kSeconds}), kInTurn);
  EXPECT_EQ(asked(way, Kind::linear, {Depth::inputs, 0}), kInTurn);
  EXPECT_EQ(asked(way, Kind::limited, {Depth::inputs, kSeconds}), Depths{Depth::inputs});
  EXPECT_EQ(asked(way, Kind::limited, {Depth::inputs, kSeconds}), Depths{Depth::inputs});
}

TEST(LastWay, IsForgottenIfItDoesNotProve) {
  LastWay way;
  asked(way, Kind::limited, {Depth::inputs, kSeconds});
  EXPECT_EQ(asked(way, Kind::limited, {Depth::nearest, 0}),
            (Depths{Depth::inputs, Depth::nearest}));
  EXPECT_EQ(asked(way, Kind::limited, {Depth::inputs, 0}), kInTurn);
}

TEST(LastWay, IsNotRecordedIfOthersWereRefutedAtOnce) {
  LastWay way;
  EXPECT_EQ(asked(way, Kind::limited, {Depth::inputs, 0}), kInTurn);
  EXPECT_EQ(asked(way, Kind::limited, {Depth::inputs, 0}), kInTurn);
}

}  // namespace
}  // namespace mmaspec::last_way_test
