// Sums of slices and residues: where they are concluded to be exact, results on numbers are equal;
// with one more bit, product or modulus, where this is not concluded, there are inputs with other
// results.

#include "queries/theorems/exact_slices.h"

#include <gtest/gtest.h>

#include <random>

#include "concrete/dot/runner.h"
#include "spec/plans/ozaki2.h"

namespace mmaspec::exact_slices_test {
namespace {

const std::string kF16 = "hopper/mma.m16n8k16.f32.f16.f16.f32";
const std::string kFp8 = "hopper/wgmma.m64n8k32.f32.e4m3.e4m3";
const std::string kInt8 = "hopper/mma.m16n8k32.s32.s8.s8.s32";
const std::string kSaturating = "hopper/mma.m16n8k32.satfinite.s32.s8.s8.s32";

// Slices and sums with given numbers of bits: if the unit holds them, results equal those of an
// exact unit for all integers tried; for the largest integers with one more bit they do not.
TEST(ExactSlices, NeverRoundASum) {
  for (const auto& [unit, bits, k] : std::vector<std::tuple<std::string, int, int>>{
           {kF16, 10, 16},
           {kF16, 9, 64},
           {kFp8, 4, 32},
           {"design:fused-dot-add(a=f16,c=f32,k=16,fraction_bits=20)", 8, 32}}) {
    const auto plan = [&, k = k](const std::string& of, int b) {
      return find_instruction("plan:ozaki1(" + of + ",k=" + std::to_string(k) +
                              ",slices=2,of=f32,bits=" + std::to_string(b) + ")");
    };
    const DotFormats& f = find_instruction(unit).formats;
    const std::string exact = "design:exact-dot-add(a=" + std::string(f.a->name) +
                              ",c=f32,d=f32,k=" + std::to_string(f.k) + ")";
    EXPECT_TRUE(equal_as_exact_sums(plan(unit, bits), plan(exact, bits))) << unit << bits;
    if (bits + 1 > f.a->precision()) continue;
    const Instruction one = plan(unit, bits + 1);
    const Instruction other = plan(exact, bits + 1);
    EXPECT_FALSE(equal_as_exact_sums(one, other)) << unit;
    DotRunner x(one.algorithm, one.formats);
    DotRunner y(other.algorithm, other.formats);
    std::mt19937 random(3);
    int unlike = 0;
    for (int row = 0; row < 12; ++row) {
      DotValues v{{}, {}, 0, {}, {}};
      for (int i = 0; i < k; ++i) {
        // From 1.75.
        v.a.emplace_back(0x3fe00000U + (random() >> 11U));
        v.b.emplace_back(0x3fe00000U + (random() >> 11U));
      }
      unlike += x.run(v) == y.run(v) ? 0 : 1;
    }
    EXPECT_GT(unlike, 0) << unit;
  }
}

Instruction residues(const std::string& unit, int k, int moduli, int bits) {
  return find_instruction("plan:ozaki2(" + unit + ",k=" + std::to_string(k) + ",moduli=" +
                          std::to_string(moduli) + ",bits=" + std::to_string(bits) + ")");
}

bool are_equal(const Instruction& first, const Instruction& second) {
  return equal_as_exact_sums(first, second).has_value();
}

/// On rows of a single repeated number, with two bits fewer than all ones: sums are as large as
/// possible.
int unlike_on_large(const Instruction& first, const Instruction& second, int rows) {
  DotRunner x(first.algorithm, first.formats);
  DotRunner y(second.algorithm, second.formats);
  std::mt19937_64 random(9);
  int unlike = 0;
  for (int row = 0; row < rows; ++row) {
    const auto number = [&] { return Integer(0x3fffffffffffffff - (random() >> 14U)); };
    const auto k = static_cast<std::size_t>(first.formats.k);
    const DotValues v{
        std::vector<Integer>(k, number()), std::vector<Integer>(k, number()), 0, {}, {}};
    if (x.run(v) != y.run(v)) ++unlike;
  }
  return unlike;
}

TEST(ExactResidues, NeedEnoughModuli) {
  for (const auto& [k, moduli] : {std::pair(32, 14), {64, 8}, {256, 5}}) {
    Ozaki2 scheme;
    scheme.moduli = moduli;
    const int bits = bits_of_integers(scheme, k);
    const Instruction one = residues(kInt8, k, moduli, bits);
    const Instruction more = residues(kInt8, k, moduli + 3, bits);
    EXPECT_TRUE(are_equal(one, more)) << k;
    EXPECT_EQ(unlike_on_large(one, more, 8), 0) << k;
    const Instruction beyond = residues(kInt8, k, moduli, bits + 1);
    const Instruction enough = residues(kInt8, k, moduli + 3, bits + 1);
    EXPECT_FALSE(are_equal(beyond, enough)) << k;
    EXPECT_GT(unlike_on_large(beyond, enough, 8), 0) << k;
    EXPECT_FALSE(are_equal(one, enough)) << "of other integers";
  }
}

TEST(ExactResidues, DoNotDependOnTheUnitThatAddsThem) {
  EXPECT_TRUE(are_equal(residues(kInt8, 64, 14, 50), residues(kSaturating, 64, 14, 50)));
  EXPECT_TRUE(are_equal(residues(kInt8, 1024, 14, 40), residues(kF16, 1024, 15, 40)));
  // Sums up to 2^24 fit in f32; larger ones do not.
  EXPECT_FALSE(are_equal(residues(kF16, 1040, 14, 40), residues(kF16, 1040, 15, 40)));
  // The same with 2^20, with fewer bits kept.
  const std::string narrow = "design:fused-dot-add(a=f16,c=f32,d=f32,k=16,fraction_bits=20)";
  EXPECT_TRUE(are_equal(residues(narrow, 64, 6, 15), residues(kInt8, 64, 6, 15)));
  EXPECT_FALSE(are_equal(residues(narrow, 128, 6, 15), residues(kInt8, 128, 6, 15)));
  EXPECT_GT(unlike_on_large(residues(narrow, 256, 6, 15), residues(kInt8, 256, 6, 15), 8), 0);
}

// K (p/2)^2 and the limits of s32: sums for all moduli except 256 stay within them for less than
// 2^17 products.
TEST(ExactResidues, OverflowIfASumExceedsTheAccumulator) {
  const auto alike = [](const std::string& unit, int k) {
    return are_equal(residues(unit, k, 4, 6), residues(unit, k, 5, 6));
  };
  // 133,120 * 127^2 is less than 2^31; wrapped sums are correct modulo 256.
  EXPECT_TRUE(alike(kInt8, 131072));
  EXPECT_TRUE(alike(kInt8, 133120));
  EXPECT_FALSE(alike(kInt8, 133152));
  EXPECT_TRUE(alike(kSaturating, 131040));
  EXPECT_FALSE(alike(kSaturating, 131072));
  // The unit's sums near these limits.
  const auto sum = [](const std::string& unit, int k, int a, int b) {
    const Instruction i = find_instruction("plan:chain(" + unit + ",k=" + std::to_string(k) + ")");
    DotRunner runner(i.algorithm, i.formats);
    const auto count = static_cast<std::size_t>(k);
    const Integer d =
        runner.run({std::vector<Integer>(count, a), std::vector<Integer>(count, b), 0, {}, {}});
    return d >= power_of_two(31) ? Integer(d - power_of_two(32)) : d;
  };
  EXPECT_EQ(sum(kInt8, 133120, 127, 127), Integer(133120) * 127 * 127);
  EXPECT_NE((Integer(133152) * 127 * 127 - sum(kInt8, 133152, 127, 127)) % 255, 0);
  EXPECT_EQ(sum(kInt8, 131072, 128, 128) % 256, 0);
  EXPECT_EQ(sum(kSaturating, 131072, 128, 128), power_of_two(31) - 1);
}

}  // namespace
}  // namespace mmaspec::exact_slices_test
