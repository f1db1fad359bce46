// Possible parts of a sum, and statements about an exponent above one of its members, compared with
// all values.

#include "queries/error_bounds/loss_lemmas.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace mmaspec::loss_lemmas_test {
namespace {

/// The position of the leading bit, counted bit by bit; -1 for zero.
int place_of_leading_bit(int x) {
  int place = -1;
  for (int rest = x < 0 ? -x : x; rest > 0; rest /= 2) ++place;
  return place;
}

bool contains(const Range& range, int x) { return range.low <= x && x <= range.high; }

TEST(LossLemmas, HaveEachValueOfASumInOnePart) {
  Graph graph;
  const Graph::Building building(graph);
  const Int units = input("units", 6) - 29;
  const Int exponent = input("exponent", 5) - 12;
  const ScaledSum sum{units.id(), exponent.id(), 3};
  const DerivationGoal run{graph, units.id(), units.id(), {}, {}, {}, nullptr};
  const Deadline deadline = Deadline::in(1);
  std::vector<AttemptReport> attempts;
  const Portfolio nobody(std::vector<std::unique_ptr<Backend>>(), Limits{});
  Lemmas lemmas(nobody, deadline, attempts);
  const LossLemmas losses(run, {}, lemmas);
  const std::vector<int> bounds{-6, 7};
  const auto parts = losses.parts_of(sum, bounds);
  std::vector<std::vector<std::vector<bool>>> above(parts.size());
  for (int u = -29; u < 64 - 29; ++u) {
    for (int e = -12; e < 32 - 12; ++e) {
      int found = 0;
      for (std::size_t i = 0; i < parts.size(); ++i) {
        if (!contains(parts[i].units, u) || !contains(parts[i].exponent, e)) continue;
        ++found;
        EXPECT_EQ(parts[i].least_place, place_of_leading_bit(u)) << u;
        EXPECT_EQ(parts[i].largest_place, place_of_leading_bit(u)) << u;
        std::vector<bool> are_reached;
        for (const int bound : bounds) {
          are_reached.push_back(place_of_leading_bit(u) + e + sum.offset >= bound);
        }
        above[i].push_back(are_reached);
      }
      EXPECT_EQ(found, 1) << u << " units of 2^" << e;
    }
  }
  for (const auto& of_part : above) {
    ASSERT_FALSE(of_part.empty());
    for (const auto& are_reached : of_part) EXPECT_EQ(are_reached, of_part.front());
  }
}

/// A number of 4 bits is cut to units of 2^(E - x - 1), where E is the largest of x + 1, y and 2.
struct CutByTheLargest {
  Graph graph;
  const Graph::Building building{graph};
  const Int x = input("x", 3);
  const Int y = input("y", 3);
  const Int number = input("number", 4);
  const Int largest = max(max(x + 1, y), 2);
  const DerivationGoal run{graph, largest.id(), largest.id(), {}, {}, {}, nullptr};
  std::vector<AttemptReport> attempts;
  const Portfolio solvers{"auto", Limits{}};
  Lemmas lemmas{solvers, Deadline::in(60), attempts};
  LossLemmas losses{run, {}, lemmas};

  /// Some bit is lost although E exceeds x + 1 by at most this.
  bool excludes_a_loss_up_to(int above, const LossFacts& facts) {
    const auto violated = [&](const View& view) {
      const Int shift = view.of(largest) - view.of(x) - 1;
      const Int kept = floor_shift_right(view.of(number), max(shift, 0));
      return shift_left(kept, max(shift, 0)) != view.of(number) && shift <= above;
    };
    return losses.is_unsat("no bit is lost", violated, {largest.id()}, facts);
  }
};

TEST(LossLemmas, AboutAnExponentAboveAMemberAgreeWithAllInputs) {
  CutByTheLargest of;
  for (int above = -1; above < 4; ++above) {
    bool is_lost = false;
    for (int x = 0; x < 8; ++x) {
      for (int y = 0; y < 8; ++y) {
        const int shift = std::max({x + 1, y, 2}) - x - 1;
        for (int number = 0; number < 16; ++number) {
          is_lost = is_lost || (shift <= above && number % (1 << shift) != 0);
        }
      }
    }
    const LossFacts facts{{}, LargestOf{of.largest.id(), of.x.id(), 1}};
    EXPECT_EQ(of.excludes_a_loss_up_to(above, facts), !is_lost) << above;
  }
}

TEST(LossLemmas, DeclineAnExponentAboveANonMember) {
  CutByTheLargest of;
  // A statement about each number above -1 is not used for a number that may be less.
  const auto excludes = [&](const LargestOf& largest) {
    return of.excludes_a_loss_up_to(-1, LossFacts{{}, largest});
  };
  EXPECT_TRUE(excludes({of.largest.id(), of.x.id(), 1}));
  EXPECT_FALSE(excludes({of.largest.id(), of.x.id(), 2}));
  EXPECT_FALSE(excludes({of.largest.id(), of.x.id(), 0}));
  EXPECT_FALSE(excludes({of.largest.id(), of.number.id(), 0}));
}

}  // namespace
}  // namespace mmaspec::loss_lemmas_test
