// The parts of what a sum may be, against each of its values.

#include "queries/losses/loss_lemmas.h"

#include <gtest/gtest.h>

namespace mmaspec::loss_lemmas_test {
namespace {

/// The place of the leading bit, counted bit by bit; -1 of zero.
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
  const SumOfNumbers sum{units.id(), exponent.id(), 3};
  const Claimed run{graph, units.id(), units.id(), {}, {}, {}, nullptr};
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

}  // namespace
}  // namespace mmaspec::loss_lemmas_test
