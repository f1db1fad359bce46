// Ranges in which linear functions keep sign and length, compared with each number of small ranges.

#include "queries/derive/leading_bit_split.h"

#include <gtest/gtest.h>

namespace mmaspec::leading_bit_split_test {
namespace {

std::pair<int, unsigned> sign_and_length(const LinearFunction& f, const Integer& x) {
  const Integer y = f.factor * x + f.constant;
  return {y.sign(), bit_length(Integer(boost::multiprecision::abs(y)))};
}

TEST(Lengths, AreTheSameForAllNumbersOfARange) {
  for (const auto& functions : std::vector<std::vector<LinearFunction>>{
           {{1, 0}}, {{1, 0}, {1, 1}}, {{2, 0}, {1, 0}}, {{1, -3}, {0, 7}}, {{2, 3}, {3, -1}}}) {
    for (const Range& whole : {Range{-70, 65}, Range{0, 9}, Range{-8, -8}, Range{3, 130}}) {
      const std::vector<Range> ranges = ranges_of_one_length(whole, functions);
      Integer next = whole.low;
      for (const Range& r : ranges) {
        EXPECT_EQ(r.low, next);
        for (Integer x = r.low; x <= r.high; ++x) {
          for (const LinearFunction& f : functions) {
            EXPECT_EQ(sign_and_length(f, x), sign_and_length(f, r.low)) << x;
          }
        }
        next = r.high + 1;
      }
      EXPECT_EQ(next, whole.high + 1);
    }
  }
}

TEST(Lengths, HaveOneRangeEach) {
  // From -2^9 to 2^9: zero, and lengths 1 to 10 with each sign.
  EXPECT_EQ(ranges_of_one_length({-512, 512}, {{1, 0}}).size(), 21U);
}

TEST(Lengths, OfExchangedOpposites) {
  for (const auto& [b, d] : std::vector<std::pair<int, int>>{{0, 0}, {0, 1}, {2, -5}, {-1, 7}}) {
    for (const Range& whole : {Range{-70, 65}, Range{-6, 90}, Range{3, 9}, Range{-9, -3}}) {
      const Range found = negation_symmetry({whole, {1, b}, {1, d}});
      const auto is_found = [&](int v) { return found.low <= v && v <= found.high; };
      for (int v = -100; v <= 100; ++v) {
        // The sums v + b and v + d have the opposites w + d and w + b.
        const int w = -(v + b) - d;
        const bool is_there =
            whole.low <= v && v <= whole.high && whole.low <= w && w <= whole.high && v < w;
        EXPECT_EQ(is_found(v), is_there) << v << " of " << b << ", " << d;
      }
    }
  }
  const Range none = negation_symmetry({{-5, 5}, {2, 0}, {1, 0}, 1});
  EXPECT_GT(none.low, none.high);
}

}  // namespace
}  // namespace mmaspec::leading_bit_split_test
