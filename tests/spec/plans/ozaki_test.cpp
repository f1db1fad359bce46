// Ozaki's schemes compared with integer arithmetic of the machine and of Boost: rows of integers,
// sums of their products, remainders by division.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>

#include "concrete/dot/runner.h"
#include "spec/catalog/plan.h"
#include "spec/plans/ozaki2.h"

namespace mmaspec::ozaki_test {
namespace {

using testing::HasSubstr;
using Numbers = std::vector<float>;

const std::string kF16 = "hopper/mma.m16n8k16.f32.f16.f16.f32";
const std::string kInt8 = "hopper/mma.m16n8k32.s32.s8.s8.s32";

std::uint32_t pattern(float x) { return std::bit_cast<std::uint32_t>(x); }
float number(const Integer& p) { return std::bit_cast<float>(p.convert_to<std::uint32_t>()); }

float run(DotRunner& runner, const Numbers& a, const Numbers& b, float c) {
  DotValues v{{}, {}, pattern(c), {}, {}};
  for (const float x : a) v.a.emplace_back(pattern(x));
  for (const float x : b) v.b.emplace_back(pattern(x));
  return number(runner.run(v));
}

/// Numbers of 24 bits, some of them zero, whose exponents spread over as many binades.
Numbers drawn(int count, std::mt19937& random) {
  Numbers all;
  for (int k = 0; k < count; ++k) {
    const float x = std::ldexp(static_cast<float>(static_cast<int>(random() >> 7U)) - 0x1p24F,
                               static_cast<int>(random() % 24) - 40);
    all.push_back(random() % 16 == 0 ? 0.0F : x);
  }
  return all;
}

/// The row as integers of `bits` bits, cut toward zero, and their common exponent.
std::vector<std::int64_t> integers_of(const Numbers& row, int bits, int& exponent) {
  float largest = 0;
  for (const float x : row) largest = std::max(largest, std::abs(x));
  std::frexp(largest, &exponent);
  std::vector<std::int64_t> integers;
  for (const float x : row) {
    integers.push_back(
        static_cast<std::int64_t>(std::ldexp(static_cast<double>(x), bits - exponent)));
  }
  return integers;
}

/// The integers' digits to the base 2^bits, highest first.
std::vector<std::vector<std::int64_t>> digits_of(std::vector<std::int64_t> all, int count,
                                                 int bits) {
  std::vector<std::vector<std::int64_t>> digits(static_cast<std::size_t>(count));
  for (std::size_t s = digits.size(); s-- > 0;) {
    for (std::int64_t& x : all) {
      digits[s].push_back(x % (1 << bits));
      x /= 1 << bits;
    }
  }
  return digits;
}

TEST(Ozaki, SlicesAreIntegersOfOneExponent) {
  // (24 - log2 32) / 2 = 9 bits for sums in f32; with s8 there are 7.
  for (const auto& [unit, bits] : {std::pair(kF16, 9), std::pair(kInt8, 7)}) {
    const Instruction i = find_instruction("plan:ozaki1(" + unit + ",k=32,slices=3,of=f32)");
    DotRunner runner(i.algorithm, i.formats);
    std::mt19937 random(11);
    for (int row = 0; row < 100; ++row) {
      const Numbers a = drawn(32, random);
      const Numbers b = drawn(32, random);
      int ea = 0;
      int eb = 0;
      const auto sa = digits_of(integers_of(a, 3 * bits, ea), 3, bits);
      const auto sb = digits_of(integers_of(b, 3 * bits, eb), 3, bits);
      float expected = 0;
      for (std::size_t weight = 3; weight-- > 0;) {
        for (std::size_t s = 0; s <= weight; ++s) {
          std::int64_t sum = 0;
          for (std::size_t k = 0; k < 32; ++k) sum += sa[s][k] * sb[weight - s][k];
          expected +=
              std::ldexp(static_cast<float>(sum), ea + eb - (static_cast<int>(weight) + 2) * bits);
        }
      }
      ASSERT_EQ(run(runner, a, b, 0), expected) << unit << row;
    }
  }
}

/// The number congruent to x modulo p that is nearest to zero; if there are two, the negative one.
Integer nearest_remainder(const Integer& x, const Integer& p) {
  Integer r = x % p;
  if (r < 0) r += p;
  return 2 * r >= p ? Integer(r - p) : r;
}

/// x 2^exponent in f32: numbers with few bits are exact in f64, and rounded once from there.
float rounded(const Integer& x, int exponent) {
  const Integer magnitude = x < 0 ? Integer(-x) : x;
  const int over = std::max(static_cast<int>(bit_length(magnitude)) - 50, 0);
  const auto down = static_cast<unsigned>(over);
  // A sticky bit represents the cut bits.
  Integer kept = floor_shift_right(magnitude, down) << 1U;
  if ((magnitude >> down << down) != magnitude) kept += 1;
  const double wide = std::ldexp(kept.convert_to<double>(), exponent + over - 1);
  return static_cast<float>(x < 0 ? -wide : wide);
}

TEST(Ozaki, ResiduesGiveTheSumOfIntegers) {
  struct Setting {
    std::string unit;
    int moduli;
    int bits;
    bool enough;  ///< enough moduli, so that no sum is the remainder of another
  };
  for (const Setting& s : {Setting{kInt8, 14, 24, true},
                           {kInt8, 20, 40, true},
                           {kInt8, 7, 24, true},
                           {kInt8, 3, 24, false},
                           {kInt8, 1, 12, false},
                           {kF16, 14, 24, true},
                           {kF16, 5, 30, false}}) {
    const Instruction i =
        find_instruction("plan:ozaki2(" + s.unit + ",k=32,moduli=" + std::to_string(s.moduli) +
                         ",bits=" + std::to_string(s.bits) + ",of=f32)");
    DotRunner runner(i.algorithm, i.formats);
    std::mt19937 random(5);
    int remainders = 0;
    for (int row = 0; row < 60; ++row) {
      const Numbers a = drawn(32, random);
      const Numbers b = drawn(32, random);
      const float c = row % 2 == 0 ? 0 : drawn(1, random)[0];
      int ea = 0;
      int eb = 0;
      const auto x = integers_of(a, s.bits, ea);
      const auto y = integers_of(b, s.bits, eb);
      Integer sum = 0;
      for (std::size_t k = 0; k < x.size(); ++k) sum += Integer(x[k]) * y[k];
      const Integer made = nearest_remainder(sum, product_of_moduli(s.moduli));
      if (made != sum) ++remainders;
      const float expected = rounded(made, ea + eb - 2 * s.bits) + c;
      ASSERT_EQ(run(runner, a, b, c), expected) << s.unit << " " << s.moduli << " " << row;
    }
    EXPECT_EQ(remainders == 0, s.enough) << s.unit << " " << s.moduli;
  }
}

TEST(Ozaki, ModuliAreCoprimeAndBitsAreTheLargestSafeNumber) {
  const std::vector<int>& moduli = moduli_of_ozaki2();
  for (std::size_t i = 0; i < moduli.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) EXPECT_EQ(std::gcd(moduli[i], moduli[j]), 1);
  }
  for (const auto& [count, k] :
       {std::pair(2, 4096), {14, 4096}, {16, 4096}, {16, 131072}, {5, 1}}) {
    Ozaki2 scheme;
    scheme.moduli = count;
    const int bits = bits_of_integers(scheme, k);
    const auto sum = [&, k = k](int b) -> Integer {
      const Integer most = power_of_two(static_cast<unsigned>(b)) - 1;
      return 2 * k * most * most;
    };
    EXPECT_LT(sum(bits), product_of_moduli(count));
    EXPECT_GE(sum(bits + 1), product_of_moduli(count));
  }
  // A public implementation stores the product of moduli in 127 bits: that of sixteen fits, and no
  // larger one.
  EXPECT_LT(product_of_moduli(16), power_of_two(127));
  EXPECT_GE(product_of_moduli(17), power_of_two(127));
}

TEST(Ozaki, RowsWithoutNumbersGiveNaN) {
  for (const std::string& plan : {"ozaki1(" + kInt8 + ",of=f32)", "ozaki2(" + kInt8 + ",of=f32)"}) {
    const Instruction i = find_instruction("plan:" + plan);
    DotRunner runner(i.algorithm, i.formats);
    Numbers a(32, 0);
    const Numbers ones(32, 1);
    EXPECT_EQ(run(runner, a, ones, 2), 2);
    a[3] = HUGE_VALF;
    EXPECT_TRUE(std::isnan(run(runner, a, ones, 0)));
    EXPECT_TRUE(std::isnan(run(runner, ones, a, 0)));
    a[3] = NAN;
    EXPECT_TRUE(std::isnan(run(runner, ones, a, 0)));
  }
}

TEST(Ozaki, RefusesInvalidParameters) {
  const auto refusal = [](const std::string& text) -> std::string {
    try {
      find_instruction("plan:" + text);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "was taken";
  };
  EXPECT_THAT(refusal("ozaki2(" + kInt8 + ",moduli=21)"), HasSubstr("moduli"));
  EXPECT_THAT(refusal("ozaki2(" + kInt8 + ",moduli=0)"), HasSubstr("moduli"));
  EXPECT_THAT(refusal("ozaki2(" + kInt8 + ",moduli=1,k=1024)"), HasSubstr("too small"));
  EXPECT_THAT(refusal("ozaki2(" + kInt8 + ",slices=2)"), HasSubstr("slices"));
  EXPECT_THAT(refusal("ozaki2(ampere/mma.m16n8k64.s32.s4.s4.s32)"),
              HasSubstr("does not represent"));
  EXPECT_THAT(refusal("ozaki2(ampere/mma.m16n8k32.s32.u8.u8.s32)"),
              HasSubstr("does not represent"));
  EXPECT_THAT(refusal("ozaki2(ampere/mma.m16n8k32.s32.u8.s8.s32)"), HasSubstr("one operand"));
  EXPECT_THAT(refusal("ozaki2(hopper/wgmma.m64n8k32.f32.e4m3.e4m3)"),
              HasSubstr("does not represent"));
  EXPECT_THAT(refusal("ozaki1(" + kInt8 + ",bits=8)"), HasSubstr("does not represent"));
  EXPECT_THAT(refusal("ozaki1(ampere/mma.m16n8k32.s32.u8.u8.s32)"), HasSubstr("signed"));
  EXPECT_THAT(refusal("promote(" + kInt8 + ",k=64,every=32)"), HasSubstr("integer instructions"));
}

}  // namespace
}  // namespace mmaspec::ozaki_test
