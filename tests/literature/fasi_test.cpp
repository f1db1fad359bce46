// Fasi, Higham, Mikaitis, Pranesh: Numerical Behavior of the NVIDIA Tensor Cores (2020), section
// III, and their poster of 2022: results of a V100, case by case. Then the same questions for its
// successors, whose results follow from their guard bits.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/numeric_dot.h"

namespace mmaspec::fasi_test {
namespace {

using numeric::Dot;

double two(int exponent) { return std::ldexp(1.0, exponent); }

class FasiV100 : public testing::Test {
 protected:
  const Dot binary32{"volta/mma.m8n8k4.f32.f16.f16.f32"};
  const Dot binary16{"volta/mma.m8n8k4.f16.f16.f16.f16"};
};

// III-A, first question: subnormal inputs.
TEST_F(FasiV100, TakesSubnormalInputs) {
  EXPECT_EQ(binary32.dot({two(-24)}, {4}, 0), two(-22));
  EXPECT_EQ(binary16.dot({two(-24)}, {4}, 0), two(-22));
}

// III-A, second question: a subnormal c.
TEST_F(FasiV100, TakesSubnormalAccumulators) { EXPECT_EQ(binary32.sum({}, two(-149)), two(-149)); }

// III-A, third question: subnormal results of normal inputs.
TEST_F(FasiV100, ReturnsSubnormalResults) {
  EXPECT_EQ(binary32.dot({two(-14)}, {0.5}, 0), two(-15));
  EXPECT_EQ(binary16.dot({two(-14)}, {0.5}, 0), two(-15));
  EXPECT_EQ(binary16.dot({two(-14)}, {1}, -two(-15)), two(-15));
  EXPECT_EQ(binary32.dot({two(-14)}, {1}, -two(-15)), two(-15));
}

// III-A, last: a subnormal summand of three quarters of an ulp is cut, not rounded.
TEST_F(FasiV100, CutsASubnormalSummand) { EXPECT_EQ(binary32.sum({two(-23) + two(-24), 2}, 0), 2); }

// III-B, first: products of 22 bits are exact.
TEST_F(FasiV100, KeepsProductsExact) {
  const double x = 1 - two(-11);
  EXPECT_EQ(binary32.dot({x, x, x, x}, {x, x, x, x}, 0), 4 * (1 - two(-10) + two(-22)));
}

// III-B, second: also if c and d are binary16.
TEST_F(FasiV100, KeepsProductsExactInBinary16Mode) {
  const double x = 1 - two(-11);
  EXPECT_EQ(binary16.dot({x, x}, {x, two(-11)}, 0), 1 - two(-10) + two(-11));
  EXPECT_EQ(binary32.dot({x, x}, {x, two(-11)}, 0), 1 - two(-10) + two(-11));
}

// III-B, third, and the poster: 1 and four times 2^-24, in all five positions.
TEST_F(FasiV100, LosesSmallSummandsForEachPositionOfTheLargest) {
  const double tiny = two(-24);
  EXPECT_EQ(binary32.sum({tiny, tiny, tiny, tiny}, 1), 1);
  for (std::size_t i = 0; i < 4; ++i) {
    std::vector<double> b(4, tiny);
    b[i] = 1;
    EXPECT_EQ(binary32.sum(b, tiny), 1) << i;
  }
}

// III-C, and the poster: toward zero for both signs.
TEST_F(FasiV100, RoundsTowardZero) {
  EXPECT_EQ(binary32.sum({2, two(-23) + two(-24)}, 0), 2);
  EXPECT_EQ(binary32.sum({-2, -two(-23) - two(-24)}, 0), -2);
}

// III-C, last: binary16 results are rounded to nearest.
TEST_F(FasiV100, RoundsBinary16ResultsToNearest) {
  EXPECT_EQ(binary16.dot({two(-24), two(-24)}, {0.5, 0.25}, 0), two(-24));
  EXPECT_EQ(binary16.dot({-two(-24), -two(-24)}, {0.5, 0.25}, 0), -two(-24));
  // Ties to even, which the paper does not state.
  EXPECT_EQ(binary16.dot({two(-24)}, {0.5}, 0), 0);
  EXPECT_EQ(binary16.dot({two(-24), two(-24)}, {0.5, 1}, 0), two(-23));
}

// III-D1: no guard digit.
TEST_F(FasiV100, HasNoGuardDigit) { EXPECT_EQ(binary32.sum({1}, -1 + two(-24)), two(-23)); }

// III-D2: partial sums are not normalized; every 2^-24 counts.
TEST_F(FasiV100, DoesNotNormaliseSums) {
  const double tiny = two(-24);
  EXPECT_EQ(binary32.sum({tiny, tiny, tiny, tiny}, 1 - two(-24)), 1 + two(-23));
}

// III-D3: nor differences.
TEST_F(FasiV100, DoesNotNormaliseDifferences) {
  EXPECT_EQ(binary32.sum({1, -two(-24)}, -1 + two(-24)), two(-23));
  EXPECT_EQ(binary32.sum({-two(-24), 1}, -1 + two(-24)), two(-23));
}

// III-D4: at least two carry bits, in all permutations, and the final rounding toward zero.
TEST_F(FasiV100, HasCarryBits) {
  const double c = 1 + two(-22) + two(-23);
  std::vector<double> b = {two(-23), 1, 1, 1};
  do {
    EXPECT_EQ(binary32.sum(b, c), 4 + two(-21));
  } while (std::next_permutation(b.begin(), b.end()));
  EXPECT_EQ(binary32.sum({1, 1, 1, 1}, c), 5);  // to nearest it would be 5 + 2^-21
  // The third carry bit, which the paper assumes: five terms just below 2 each.
  const double x = 2 - two(-10);
  EXPECT_EQ(binary32.dot({x, x, x, x}, {x, x, x, x}, 4 - two(-22)), 4 * x * x + 4 - two(-19));
}

// III-D5: not monotone in c.
TEST_F(FasiV100, IsNotMonotone) {
  const std::vector<double> b(4, two(-24));
  EXPECT_EQ(binary32.sum(b, 1 - two(-24)), 1 + two(-23));
  EXPECT_EQ(binary32.sum(b, 1), 1);
}

// The poster: exact products "irrespective of whether C and D are set to binary16 or 32".
TEST_F(FasiV100, PosterProductsInBothModes) {
  const double x = 1 - two(-11);
  EXPECT_EQ(binary16.dot({x, x, x, x}, {x, x, x, x}, 0), 4 - two(-8));
  EXPECT_EQ(binary16.dot({x, x}, {x, -x}, 0), 0);
}

// The poster names A100 with V100: "> 24 bits in addition, normalization at the end". On A100 one
// guard bit keeps 2^-24 next to 1, and on Hopper two keep 2^-25.
TEST(FasiSuccessors, KeepBitsThatV100Loses) {
  const Dot ampere("ampere/mma.m16n8k16.f32.f16.f16.f32");
  const Dot hopper("hopper/mma.m16n8k16.f32.f16.f16.f32");
  const double a = two(-12);
  EXPECT_EQ(ampere.sum({1}, -1 + two(-24)), two(-24));
  EXPECT_EQ(ampere.sum(std::vector<double>(4, two(-24)), 1), 1 + two(-22));
  EXPECT_EQ(ampere.dot(std::vector<double>(8, a), std::vector<double>(8, two(-13)), 1), 1);
  EXPECT_EQ(hopper.dot(std::vector<double>(8, a), std::vector<double>(8, two(-13)), 1),
            1 + two(-22));
  EXPECT_EQ(hopper.dot(std::vector<double>(8, a), std::vector<double>(8, two(-14)), 1), 1);
  for (const Dot* dot : {&ampere, &hopper}) {
    EXPECT_EQ(dot->sum({2, two(-23) + two(-24)}, 0), 2);
    EXPECT_EQ(dot->sum({-2, -two(-23) - two(-24)}, 0), -2);
  }
}

// With guard bits, smaller summands cause the loss of monotonicity; with more guard bits there is
// none.
TEST(FasiSuccessors, AreNotMonotoneEither) {
  const Dot ampere("ampere/mma.m16n8k8.f32.f16.f16.f32");
  const std::vector<double> eight(8, two(-12));
  EXPECT_EQ(ampere.dot(eight, std::vector<double>(8, two(-13)), 1 - two(-24)), 1 + two(-23));
  EXPECT_EQ(ampere.dot(eight, std::vector<double>(8, two(-13)), 1), 1);
  const Dot hopper("hopper/mma.m16n8k16.f32.f16.f16.f32");
  const std::vector<double> sixteen(16, two(-12));
  EXPECT_EQ(hopper.dot(sixteen, std::vector<double>(16, two(-14)), 1 - two(-24)), 1 + two(-23));
  EXPECT_EQ(hopper.dot(sixteen, std::vector<double>(16, two(-14)), 1), 1);
}

}  // namespace
}  // namespace mmaspec::fasi_test
