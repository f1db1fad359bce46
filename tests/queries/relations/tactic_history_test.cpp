// The depth that is tried first: one that proved a relation after others had taken long, only for
// relations of its kind.

#include "queries/relations/tactic_history.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace mmaspec::tactic_history_test {
namespace {

using Kind = RelationalInvariant::Kind;

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
std::vector<Depth> asked(TacticHistory& way, Kind kind, Prover prover) {
  const auto proves = [&](Depth depth, double seconds) { return prover(depth, seconds); };
  if (!way.proves_next(kind, kSeconds, proves)) {
    way.proves(kind, {Depth::nearest, Depth::stages, Depth::inputs}, kSeconds, proves);
  }
  return prover.asked;
}

using Depths = std::vector<Depth>;
const Depths kInTurn{Depth::nearest, Depth::stages, Depth::inputs};

TEST(TacticHistory, IsTriedFirstForTheNextOfItsKind) {
  TacticHistory way;
  EXPECT_EQ(asked(way, Kind::clamped, {Depth::inputs, kSeconds}), kInTurn);
  EXPECT_EQ(asked(way, Kind::linear, {Depth::inputs, 0}), kInTurn);
  EXPECT_EQ(asked(way, Kind::clamped, {Depth::inputs, kSeconds}), Depths{Depth::inputs});
  EXPECT_EQ(asked(way, Kind::clamped, {Depth::inputs, kSeconds}), Depths{Depth::inputs});
}

TEST(TacticHistory, IsForgottenIfItDoesNotProve) {
  TacticHistory way;
  asked(way, Kind::clamped, {Depth::inputs, kSeconds});
  EXPECT_EQ(asked(way, Kind::clamped, {Depth::nearest, 0}),
            (Depths{Depth::inputs, Depth::nearest}));
  EXPECT_EQ(asked(way, Kind::clamped, {Depth::inputs, 0}), kInTurn);
}

TEST(TacticHistory, IsNotRecordedIfOthersWereRefutedAtOnce) {
  TacticHistory way;
  EXPECT_EQ(asked(way, Kind::clamped, {Depth::inputs, 0}), kInTurn);
  EXPECT_EQ(asked(way, Kind::clamped, {Depth::inputs, 0}), kInTurn);
}

}  // namespace
}  // namespace mmaspec::tactic_history_test
