// Plans with uneven parts, rounded partial sums, converted operands, and products in another order:
// each compared with sums of the instruction's results.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <map>
#include <random>

#include "concrete/dot/runner.h"
#include "spec/catalog/instruction.h"
#include "tests/support/half.h"

namespace mmaspec::uneven_plans_test {
namespace {

using testing::HasSubstr;

const std::string kF16 = "hopper/mma.m16n8k16.f32.f16.f16.f32";
const std::string kTf32 = "hopper/mma.m16n8k8.f32.tf32.tf32.f32";

std::uint32_t pattern(float x) { return std::bit_cast<std::uint32_t>(x); }
float number(const Integer& p) { return std::bit_cast<float>(p.convert_to<std::uint32_t>()); }

float run(const std::string& name, const DotValues& values) {
  static std::map<std::string, DotRunner> runners;
  auto at = runners.find(name);
  if (at == runners.end()) {
    const Instruction i = find_instruction(name);
    at = runners.try_emplace(name, i.algorithm, i.formats).first;
  }
  return number(at->second.run(values));
}

/// f16 operands whose exponents are far apart.
DotValues drawn(std::size_t k, std::mt19937& random) {
  DotValues v;
  const auto draw = [&] {
    return Integer((random() & 1U) << 15U | (4 + random() % 16) << 10U | (random() & 0x3ffU));
  };
  for (std::size_t i = 0; i < k; ++i) {
    v.a.push_back(draw());
    v.b.push_back(draw());
  }
  v.c = pattern(std::ldexp(1.5F, static_cast<int>(random() % 8)));
  return v;
}

/// The chain over some products, starting from c.
float chain(const DotValues& v, std::size_t first, std::size_t last, float c) {
  for (std::size_t at = first; at < last; at += 16) {
    DotValues step;
    for (std::size_t i = at; i < at + 16; ++i) {
      step.a.push_back(v.a[i]);
      step.b.push_back(v.b[i]);
    }
    step.c = pattern(c);
    c = run(kF16, step);
  }
  return c;
}

TEST(UnevenPlans, PartsHaveTheirLengths) {
  std::mt19937 random(3);
  for (int row = 0; row < 30; ++row) {
    const DotValues v = drawn(112, random);
    const float p0 = chain(v, 0, 16, 0);
    const float p1 = chain(v, 16, 64, 0);
    const float p2 = chain(v, 64, 112, 0);
    const std::string of = "plan:split-k(" + kF16 + ",k=112,lengths=16:48x2";
    EXPECT_EQ(run(of + ")", v), ((p0 + p1) + p2) + number(v.c));
    EXPECT_EQ(run(of + ",reduce=halves)", v), ((p0 + p2) + p1) + number(v.c));
    EXPECT_EQ(run(of + ",c_joins=first)", v), (chain(v, 0, 16, number(v.c)) + p1) + p2);
  }
}

TEST(UnevenPlans, HalvesAreAdded) {
  std::mt19937 random(4);
  for (int row = 0; row < 30; ++row) {
    const DotValues v = drawn(80, random);
    std::vector<float> p;
    for (std::size_t i = 0; i < 80; i += 16) p.push_back(chain(v, i, i + 16, 0));
    const float sum = ((p[0] + p[3]) + p[2]) + (p[1] + p[4]);
    EXPECT_EQ(run("plan:split-k(" + kF16 + ",k=80,parts=5,reduce=halves)", v), sum + number(v.c));
  }
}

TEST(UnevenPlans, TreesAddAGivenNumberAtATime) {
  std::mt19937 random(9);
  int unlike = 0;
  for (int row = 0; row < 30; ++row) {
    const DotValues v = drawn(112, random);
    std::vector<float> p;
    for (std::size_t i = 0; i < 112; i += 16) p.push_back(chain(v, i, i + 16, 0));
    const float by_three = (((p[0] + p[1]) + p[2]) + ((p[3] + p[4]) + p[5])) + p[6];
    const std::string of = "plan:split-k(" + kF16 + ",k=112,parts=7,reduce=tree";
    EXPECT_EQ(run(of + ",fan=3)", v), by_three + number(v.c));
    const float by_four = (((p[0] + p[1]) + p[2]) + p[3]) + ((p[4] + p[5]) + p[6]);
    EXPECT_EQ(run(of + ",fan=4)", v), by_four + number(v.c));
    if (by_three != by_four) ++unlike;
  }
  EXPECT_GT(unlike, 0);
}

TEST(UnevenPlans, PartialSumsAreRounded) {
  std::mt19937 random(5);
  int unlike = 0;
  for (int row = 0; row < 30; ++row) {
    const DotValues v = drawn(48, random);
    const float p0 = chain(v, 0, 16, 0);
    const float p1 = chain(v, 16, 32, 0);
    const float p2 = chain(v, 32, 48, 0);
    const float d = run("plan:split-k(" + kF16 + ",k=48,parts=3,partial=f16)", v);
    EXPECT_EQ(d, ((nearest_half(p0) + nearest_half(p1)) + nearest_half(p2)) + number(v.c));
    if (d != ((p0 + p1) + p2) + number(v.c)) ++unlike;
  }
  EXPECT_GT(unlike, 0);
}

TEST(UnevenPlans, OperandsAreConverted) {
  std::mt19937 random(6);
  for (const std::string round : {"rne", "rna", "rz"}) {
    for (int row = 0; row < 100; ++row) {
      DotValues v;
      DotValues rounded;
      for (int i = 0; i < 8; ++i) {
        for (auto [from, to] : {std::pair(&v.a, &rounded.a), {&v.b, &rounded.b}}) {
          // Every second one is a tie.
          const auto drawn = static_cast<std::uint32_t>(random());
          const std::uint32_t low = row % 2 == 0 ? 0x1000U : drawn & 0x1fffU;
          const std::uint32_t x = (drawn & 0x80000000U) | (120U + (drawn >> 24U & 7U)) << 23U |
                                  (drawn & 0x7fe000U) | low;
          const std::uint32_t cut = x & ~0x1fffU;
          const bool up = low > 0x1000 || (low == 0x1000 && (round == "rna" || (x & 0x2000U) != 0));
          from->push_back(x);
          to->push_back(round != "rz" && up ? cut + 0x2000U : cut);
        }
      }
      EXPECT_EQ(run("plan:convert(" + kTf32 + ",round=" + round + ")", v), run(kTf32, rounded));
    }
  }
}

TEST(UnevenPlans, ConversionsSaturateWhereAsked) {
  DotValues v{std::vector<Integer>(16, 0), std::vector<Integer>(16, 0), 0, {}, {}};
  v.a[0] = pattern(1e6F);
  v.b[0] = pattern(1);
  EXPECT_EQ(run("plan:convert(" + kF16 + ")", v), INFINITY);
  EXPECT_EQ(run("plan:convert(" + kF16 + ",saturate=yes)", v), 65504);
  v.a[0] = pattern(INFINITY);
  EXPECT_EQ(run("plan:convert(" + kF16 + ",saturate=yes)", v), INFINITY);
}

TEST(UnevenPlans, OperandsAreScaled) {
  std::mt19937 random(10);
  for (int row = 0; row < 50; ++row) {
    DotValues v;
    DotValues scaled;
    for (int i = 0; i < 16; ++i) {
      for (auto [from, to, by] : {std::tuple(&v.a, &scaled.a, 12.0F), {&v.b, &scaled.b, 0.1F}}) {
        const float x = static_cast<float>(static_cast<int>(random() % 2001) - 1000) / 7.0F;
        from->push_back(pattern(x));
        to->push_back(half_pattern(x * by));
      }
    }
    EXPECT_EQ(run("plan:convert(" + kF16 + ",scale_a=12,scale_b=0x1.99999ap-4)", v),
              run(kF16, scaled));
  }
  DotValues v{std::vector<Integer>(16, 0), std::vector<Integer>(16, 0), 0, {}, {}};
  v.a[0] = pattern(1000);
  v.b[0] = pattern(1);
  EXPECT_EQ(run("plan:convert(" + kF16 + ",saturate=yes,scale_a=1000)", v), 65504);
}

/// A row's factor and its inverse, by the processor's division.
std::pair<float, float> factor_of_row(const std::string& recipe, const std::vector<float>& row) {
  constexpr float kLargest = 65504;
  float magnitude = 0;
  for (const float x : row) magnitude = std::max(magnitude, std::abs(x));
  float factor = kLargest / magnitude;
  float inverse = 1 / factor;
  if (recipe == "inverse") {
    inverse = magnitude / kLargest;
    factor = 1 / inverse;
  }
  if (!std::isnormal(magnitude) || !std::isnormal(factor) || !std::isnormal(inverse)) return {1, 1};
  if (recipe != "power") return {factor, inverse};
  factor = std::ldexp(1.0F, std::ilogb(factor));
  inverse = 1 / factor;
  return std::isnormal(inverse) ? std::pair(factor, inverse) : std::pair(1.0F, 1.0F);
}

TEST(UnevenPlans, RowsAreScaledByTheirLargestMagnitude) {
  std::mt19937 random(12);
  int unlike = 0;
  for (const std::string recipe : {"quotient", "inverse", "power"}) {
    for (int row = 0; row < 150; ++row) {
      std::vector<float> a;
      std::vector<float> b;
      // One binade of f32 per row, over all of them; every tenth row is zero or subnormal.
      for (std::vector<float>* of : {&a, &b}) {
        const int exponent = row % 10 == 0 ? -140 : static_cast<int>(random() % 251U) - 125;
        for (int i = 0; i < 16; ++i) {
          const float x = static_cast<float>(static_cast<int>(random() % 4001U) - 2000) / 2000.0F;
          of->push_back(row % 20 == 10 ? 0.0F : std::ldexp(x, exponent));
        }
      }
      const auto [factor_a, inverse_a] = factor_of_row(recipe, a);
      const auto [factor_b, inverse_b] = factor_of_row(recipe, b);
      DotValues v;
      DotValues scaled;
      for (std::size_t i = 0; i < 16; ++i) {
        v.a.push_back(pattern(a[i]));
        v.b.push_back(pattern(b[i]));
        scaled.a.push_back(half_pattern(a[i] * factor_a));
        scaled.b.push_back(half_pattern(b[i] * factor_b));
      }
      const float sum = run(kF16, scaled);
      const std::string plan = "plan:scale-rows(" + kF16 + ",recipe=" + recipe + ",back=";
      const float both = run(plan + "product)", v);
      EXPECT_EQ(pattern(both), pattern(inverse_a * inverse_b * sum)) << recipe << row;
      EXPECT_EQ(pattern(run(plan + "a-first)", v)), pattern(inverse_b * (inverse_a * sum)));
      EXPECT_EQ(pattern(run(plan + "b-first)", v)), pattern(inverse_a * (inverse_b * sum)));
      if (both != inverse_b * (inverse_a * sum)) ++unlike;
    }
  }
  EXPECT_GT(unlike, 20);
}

TEST(UnevenPlans, RowsThatHoldInfinitiesAreNotScaled) {
  DotValues v{std::vector<Integer>(16, 0), std::vector<Integer>(16, 0), 0, {}, {}};
  v.a[0] = pattern(3);
  v.a[1] = pattern(INFINITY);
  v.b[0] = pattern(0.5F);
  EXPECT_TRUE(std::isnan(run("plan:scale-rows(" + kF16 + ")", v)));  // infinity * 0
  v.b[1] = pattern(1);
  EXPECT_EQ(run("plan:scale-rows(" + kF16 + ")", v), INFINITY);
}

TEST(UnevenPlans, ProductsComeInAnotherOrder) {
  std::mt19937 random(7);
  int unlike = 0;
  for (int row = 0; row < 30; ++row) {
    const DotValues v = drawn(64, random);
    const auto in_order = [&](const std::vector<std::size_t>& blocks, std::size_t length) {
      DotValues other;
      for (const std::size_t b : blocks) {
        for (std::size_t i = b * length; i < (b + 1) * length; ++i) {
          other.a.push_back(v.a[i]);
          other.b.push_back(v.b[i]);
        }
      }
      return other;
    };
    const float c = number(v.c);
    const float reversed = run("plan:permute(" + kF16 + ",k=64,order=reversed,block=16)", v);
    EXPECT_EQ(reversed, chain(in_order({3, 2, 1, 0}, 16), 0, 64, c));
    const float dealt = run("plan:permute(" + kF16 + ",k=64,ways=2,block=8)", v);
    EXPECT_EQ(dealt, chain(in_order({0, 2, 4, 6, 1, 3, 5, 7}, 8), 0, 64, c));
    EXPECT_EQ(run("plan:permute(" + kF16 + ",k=64,ways=2,block=8,within=32)", v),
              chain(in_order({0, 2, 1, 3, 4, 6, 5, 7}, 8), 0, 64, c));
    // Six blocks are two iterations of four ways; two iterations of three blocks have no rest.
    EXPECT_EQ(run("plan:permute(" + kF16 + ",k=64,ways=2,block=8,unroll=48)", v),
              chain(in_order({0, 2, 4, 6, 7, 1, 3, 5}, 8), 0, 64, c));
    EXPECT_EQ(run("plan:permute(" + kF16 + ",k=64,ways=2,block=8,unroll=32)", v), dealt);
    EXPECT_EQ(run("plan:permute(" + kF16 + ",k=64,ways=2,block=8,unroll=80)", v),
              chain(v, 0, 64, c));
    const DotValues sliced = in_order({0, 2, 1, 3}, 16);
    EXPECT_EQ(run("plan:permute(split-k(" + kF16 + ",k=64,parts=2),ways=2,block=16)", v),
              (chain(sliced, 0, 32, 0) + chain(sliced, 32, 64, 0)) + c);
    if (reversed != chain(v, 0, 64, c)) ++unlike;
  }
  EXPECT_GT(unlike, 0);
}

TEST(UnevenPlans, TheRemainderMayComeFirst) {
  std::mt19937 random(8);
  int unlike = 0;
  for (int row = 0; row < 30; ++row) {
    const DotValues v = drawn(84, random);
    // 84 products leave 20 in the first part; 12 zeros fill it to 32, and two tiles follow.
    DotValues filled = v;
    filled.a.insert(filled.a.begin() + 20, 12, Integer(0));
    filled.b.insert(filled.b.begin() + 20, 12, Integer(0));
    const float d = run("plan:rest-first(" + kF16 + ",k=84,tile=32)", v);
    EXPECT_EQ(d, chain(filled, 0, 96, number(v.c)));
    if (d != run("plan:chain(" + kF16 + ",k=84)", v)) ++unlike;
  }
  EXPECT_GT(unlike, 0);
}

TEST(UnevenPlans, NamesAreReadBack) {
  for (const std::string& name :
       {"plan:split-k(" + kF16 + ",k=112,lengths=16:48x2,reduce=halves,partial=bf16)",
        "plan:split-k(" + kF16 + ",k=112,parts=7,reduce=tree,fan=3)",
        "plan:convert(chain(" + kTf32 + ",k=64),k=64,round=rna)",
        "plan:convert(" + kF16 + ",a=bf16,b=f32,scale_a=0x1.99999ap-4,saturate=yes)",
        "plan:scale-rows(chain(" + kF16 + ",k=64),a=bf16,b=bf16,recipe=inverse,back=a-first)",
        "plan:permute(" + kF16 + ",k=64,order=interleaved,ways=2,block=16)",
        "plan:permute(split-k(" + kF16 + ",k=96,parts=2,part=64),k=96,ways=2,block=16,unroll=64)",
        "plan:permute(chain(" + kF16 + ",k=32),k=16,ways=2,block=2,within=32)"}) {
    const Instruction i = find_instruction(name);
    EXPECT_EQ(find_instruction(i.name()).algorithm, i.algorithm) << name;
  }
  const auto plan = [](const std::string& text) {
    return find_instruction("plan:" + text).algorithm;
  };
  const std::string of = "split-k(" + kF16 + ",k=96";
  EXPECT_NE(plan(of + ",lengths=32:64)"), plan(of + ",lengths=64:32)"));
  EXPECT_NE(plan(of + ",partial=f16)"), plan(of + ",partial=bf16)"));
  EXPECT_NE(plan(of + ",partial=f16)"), plan(of + ")"));
  EXPECT_NE(plan("convert(" + kTf32 + ",round=rna)"), plan("convert(" + kTf32 + ",round=rne)"));
  EXPECT_NE(plan("convert(" + kTf32 + ",scale_b=2)"), plan("convert(" + kTf32 + ")"));
  EXPECT_NE(plan("permute(" + kF16 + ",k=64,ways=2,block=8)"),
            plan("permute(" + kF16 + ",k=64,ways=4,block=8)"));
  EXPECT_NE(plan("permute(" + kF16 + ",k=64,ways=2,block=8)"),
            plan("permute(" + kF16 + ",k=64,ways=2,block=8,unroll=48)"));
}

TEST(UnevenPlans, RefuseInvalidParameters) {
  const auto refusal = [](const std::string& text) -> std::string {
    try {
      find_instruction("plan:" + text);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "was taken";
  };
  const std::string split = "split-k(" + kF16 + ",k=64,";
  EXPECT_THAT(refusal(split + "lengths=48:8:8)"), HasSubstr("8 is not a multiple of 16"));
  EXPECT_THAT(refusal(split + "lengths=32:16)"), HasSubstr("48 products, and k is 64"));
  EXPECT_THAT(refusal(split + "lengths=64)"), HasSubstr("two or more parts"));
  EXPECT_THAT(refusal(split + "lengths=32x2,part=32)"), HasSubstr("excludes parts and part"));
  EXPECT_THAT(refusal(split + "lengths=16x4,parts=3)"), HasSubstr("excludes parts and part"));
  EXPECT_THAT(refusal(split + "lengths=32y2)"), HasSubstr("such as 768x5:256"));
  EXPECT_THAT(refusal(split + "lengths=32:)"), HasSubstr("such as 768x5:256"));
  EXPECT_THAT(refusal(split + "lengths=16x9999)"), HasSubstr("at most 1024"));
  EXPECT_THAT(refusal(split + "parts=4,fan=4)"), HasSubstr("fan=4 needs reduce=tree"));
  EXPECT_THAT(refusal("split-k(hopper/mma.m16n8k16.f16.f16.f16.f16,k=32,partial=f16)"),
              HasSubstr("needs f32 sums"));
  EXPECT_THAT(refusal("permute(" + kF16 + ",k=64,ways=2)"), HasSubstr("block"));
  EXPECT_THAT(refusal("permute(" + kF16 + ",k=64,ways=2,block=8,within=24)"),
              HasSubstr("a multiple of 16, ways * block"));
  EXPECT_THAT(refusal("permute(" + kF16 + ",k=64,ways=2,block=8,unroll=24)"),
              HasSubstr("a multiple of 16, ways * block"));
  EXPECT_THAT(refusal("permute(" + kF16 + ",k=64,ways=2,block=8,within=32,unroll=32)"),
              HasSubstr("excludes within"));
  EXPECT_THAT(refusal("permute(" + kF16 + ",k=64,order=reversed,block=8,unroll=32)"),
              HasSubstr("needs order=interleaved"));
  EXPECT_THAT(refusal("permute(" + kF16 + ",k=64,ways=1021,block=65521)"),
              HasSubstr("1048576 at most"));
  EXPECT_THAT(refusal("rest-first(" + kF16 + ",k=84,tile=24)"), HasSubstr("a multiple of 16"));
  EXPECT_THAT(refusal("convert(" + kTf32 + ",round=ru)"), HasSubstr("rz, rne, rna"));
  EXPECT_THAT(refusal("scale-rows(" + kTf32 + ")"),
              HasSubstr("at most 16 bits with a sign, not tf32"));
  EXPECT_THAT(refusal("scale-rows(hopper/mma.m16n8k16.f16.f16.f16.f16)"),
              HasSubstr("needs f32 sums"));
  EXPECT_THAT(refusal("scale-rows(" + kF16 + ",a=f64)"), HasSubstr("f64"));
  EXPECT_THAT(refusal("convert(" + kTf32 + ",a=f64,scale_a=2)"), HasSubstr("multiplied in f32"));
}

}  // namespace
}  // namespace mmaspec::uneven_plans_test
