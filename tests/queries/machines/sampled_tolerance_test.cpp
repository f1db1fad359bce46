// Tolerances from samples, compared with distributions of known quantiles, and for units whose
// rounding contradicts the published models.

#include "queries/studies/machines/sampled_tolerance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "util/split_mix.h"

namespace mmaspec::sampled_tolerance_test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::vector<double> ascending_uniform(std::size_t count, unsigned seed) {
  SplitMix random(seed);
  std::vector<double> all;
  for (std::size_t i = 0; i < count; ++i) all.push_back(random.fraction());
  std::sort(all.begin(), all.end());
  return all;
}

// Intervals of 99 %: some of 500 miss the quantile, and 16 hardly ever do.
TEST(SampledTolerance, IntervalsContainTheQuantile) {
  for (const double p : {0.6, 0.9, 0.99}) {
    int missed = 0;
    for (unsigned seed = 0; seed < 500; ++seed) {
      const auto interval = quantile_interval(ascending_uniform(1500, seed), p);
      ASSERT_TRUE(interval);
      EXPECT_LE(interval->low, interval->estimate);
      EXPECT_LE(interval->estimate, interval->high);
      if (p < interval->low || p > interval->high) ++missed;
    }
    EXPECT_LT(missed, 16) << p;
  }
}

// 0.999^5296 is just below 0.005.
TEST(SampledTolerance, NeedsSamplesForTheTail) {
  const std::size_t needed = samples_needed(0.999);
  EXPECT_EQ(needed, 5296U);
  EXPECT_FALSE(quantile_interval(ascending_uniform(needed - 1, 1), 0.999));
  const std::vector<double> enough = ascending_uniform(needed, 1);
  const auto interval = quantile_interval(enough, 0.999);
  ASSERT_TRUE(interval);
  EXPECT_EQ(interval->high, enough.back());
  EXPECT_LT(interval->low, enough.back());
}

TEST(SampledTolerance, CoversTheQuantityThatATestCompares) {
  EXPECT_NEAR((Needed{0, 0, false}(1, 1.5)), 0.5, 1e-12);
  EXPECT_NEAR((Needed{0.25, 0, false}(1, 1.5)), 0.25, 1e-12);
  EXPECT_EQ((Needed{1, 0, false}(1, 1.5)), 0);
  EXPECT_NEAR((Needed{0, 0.25, true}(2, 1.5)), 0.125, 1e-12);
  EXPECT_EQ((Needed{0, 0, true}(0, 1.5)), kInfinity);
  EXPECT_EQ((Needed{0, 0, false}(kInfinity, 1.5)), kInfinity);
}

SampledTolerance of(const std::string& first, const std::string& second, std::size_t rows,
                    double confidence) {
  const Pair pair = pair_up(find_instruction(first), find_instruction(second), {});
  return sampled_tolerance(pair, {}, TypicalData(pair.first.formats, Distribution::normal, 3), rows,
                           confidence, {}, Deadline());
}

const std::string kNearest =
    "plan:chain(design:exact-dot-add(a=f16,c=f32,d=f32,k=4,round=rne),k=256)";
const std::string kFma = "plan:chain(design:sequential-fma(a=f16,c=f32,d=f32,k=4),k=256)";
const std::string kHopper = "plan:chain(hopper/mma.m16n8k16.f32.f16.f16.f32,k=256)";

// Rounding to nearest has errors with mean zero. They are larger for larger sums, so that the tail
// of all differences is heavier than their root mean square suggests.
TEST(SampledTolerance, HoldsForUnitsThatRoundToNearest) {
  const SampledTolerance few = of(kNearest, kFma, 3000, 0.9999);
  EXPECT_EQ(few.rows, 3000U);
  EXPECT_FALSE(few.quantile);
  ASSERT_TRUE(few.subgaussian && few.martingale);
  EXPECT_FALSE(few.subgaussian->holds);
  EXPECT_TRUE(few.martingale->holds);
  EXPECT_EQ(few.martingale->exceeded, 0U);
  ASSERT_TRUE(few.tolerance());
  EXPECT_EQ(*few.tolerance(), few.martingale->tolerance);
  EXPECT_STREQ(few.how(), "mean-independent steps");
  EXPECT_GE(*few.tolerance(), few.largest.largest.convert_to<double>());
  // A smaller quantile needs fewer rows; it is less than a bound for all data of that size.
  const SampledTolerance lower = of(kNearest, kFma, 3000, 0.99);
  ASSERT_TRUE(lower.quantile);
  EXPECT_STREQ(lower.how(), "order statistics");
  EXPECT_LT(lower.quantile->high, lower.martingale->tolerance);
}

// Rounding toward zero has errors with another mean: their sign depends on the sum's sign.
TEST(SampledTolerance, SaysThatRoundingTowardZeroContradictsTheModel) {
  const SampledTolerance s = of(kNearest, kHopper, 3000, 0.9999);
  ASSERT_TRUE(s.martingale);
  EXPECT_FALSE(s.martingale->holds);
  EXPECT_LT(std::abs(s.martingale->bias_score[0]), kSignificantBias);
  EXPECT_LT(s.martingale->bias_score[1], -kSignificantBias);
  EXPECT_STREQ(s.how(), s.subgaussian->holds ? "subgaussian differences" : "");
}

TEST(SampledTolerance, IsInfiniteIfResultsAreNotNumbers) {
  const std::string f16 = "design:exact-dot-add(a=f16,c=f16,d=f16,k=2,round=rne)";
  const Pair pair = pair_up(find_instruction(f16), find_instruction(kFma), {.chain = 256});
  const std::vector<double> large{30000, -30000, 20000};
  const SampledTolerance s = sampled_tolerance(pair, {}, TypicalData(pair.first.formats, large, 3),
                                               200, 0.9, {}, Deadline());
  ASSERT_TRUE(s.tolerance());
  EXPECT_EQ(*s.tolerance(), kInfinity);
  EXPECT_FALSE(s.subgaussian);
}

TEST(SampledTolerance, DrawsFromGivenNumbers) {
  const Instruction f16 = find_instruction("hopper/mma.m16n8k16.f32.f16.f16.f32");
  TypicalData data(f16.formats, std::vector<double>{1, -0.5}, 4);
  int ones = 0;
  for (const DotValues& v : data.next(50)) {
    for (const Integer& x : v.a) {
      EXPECT_TRUE(x == 0x3c00 || x == 0xb800) << x;
      ones += x == 0x3c00 ? 1 : 0;
    }
  }
  EXPECT_GT(ones, 300);
  EXPECT_LT(ones, 500);
}

}  // namespace
}  // namespace mmaspec::sampled_tolerance_test
