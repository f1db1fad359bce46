// Plans compared with C++'s float arithmetic around the instruction: what they split, add and
// round, and in which order.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <random>

#include "concrete/dot/runner.h"
#include "spec/catalog/plan.h"
#include "tests/support/half.h"

namespace mmaspec::plans_test {
namespace {

using testing::HasSubstr;
using Numbers = std::vector<float>;

const std::string kBf16 = "hopper/mma.m16n8k16.f32.bf16.bf16.f32";
const std::string kF16 = "hopper/mma.m16n8k16.f32.f16.f16.f32";
const std::string kTf32 = "hopper/mma.m16n8k8.f32.tf32.tf32.f32";

std::uint32_t pattern(float x) { return std::bit_cast<std::uint32_t>(x); }
float number(std::uint32_t p) { return std::bit_cast<float>(p); }

/// The nearest number whose lowest `dropped` bits are zero.
float rounded(float x, unsigned dropped) {
  const std::uint32_t p = pattern(x);
  const std::uint32_t half = (1U << (dropped - 1)) - 1 + ((p >> dropped) & 1U);
  return number((p + half) >> dropped << dropped);
}

/// A format of words: nearest number, and its pattern.
struct Word {
  std::function<float(float)> nearest;
  std::function<std::uint32_t(float)> pattern_of;
};
const Word kBf16Word = {[](float x) { return rounded(x, 16); },
                        [](float x) { return pattern(x) >> 16; }};
const Word kTf32Word = {[](float x) { return rounded(x, 13); }, [](float x) { return pattern(x); }};
const Word kF16Word = {nearest_half, half_pattern};

/// Runs the instruction on numbers that its formats hold.
class Unit {
 public:
  Unit(const std::string& name, Word word)
      : instruction_(find_instruction(name)),
        runner_(instruction_.algorithm, instruction_.formats),
        word_(std::move(word)) {}

  int k() const { return instruction_.formats.k; }
  const Word& word() const { return word_; }

  float operator()(const Numbers& a, const Numbers& b, std::size_t first, float c) {
    DotValues v{{}, {}, pattern(c), {}, {}};
    for (std::size_t i = first; i < first + static_cast<std::size_t>(k()); ++i) {
      v.a.emplace_back(word_.pattern_of(a[i]));
      v.b.emplace_back(word_.pattern_of(b[i]));
    }
    return number(runner_.run(v).convert_to<std::uint32_t>());
  }

  /// Runs it on all products from `first`, with each result as the next c.
  float chain(const Numbers& a, const Numbers& b, std::size_t first, std::size_t last, float c) {
    for (; first < last; first += static_cast<std::size_t>(k())) c = (*this)(a, b, first, c);
    return c;
  }

 private:
  Instruction instruction_;
  DotRunner runner_;
  Word word_;
};

/// d for a, b and c.
using Meaning = std::function<float(Unit&, const Numbers&, const Numbers&, float)>;

/// Compares the plan with `meaning`, on random operands that the unit's formats hold, or, for f32
/// operands, on any.
void expect_meaning(const std::string& plan, Unit& unit, bool of_words, const Meaning& meaning) {
  const Instruction i = find_instruction("plan:" + plan);
  DotRunner runner(i.algorithm, i.formats);
  std::mt19937 random(7);
  const auto draw = [&](int spread) {
    const float significand = 1 + std::ldexp(static_cast<float>(random() % (1U << 23U)), -23);
    const int exponent = static_cast<int>(random() % static_cast<unsigned>(2 * spread)) - spread;
    if (random() % 16 == 0) return 0.0F;
    return std::ldexp(random() % 2 == 0 ? significand : -significand, exponent);
  };
  int other_than_chained = 0;
  for (int row = 0; row < 200; ++row) {
    const int spread = 1 + static_cast<int>(random() % 6);
    Numbers a;
    Numbers b;
    for (int k = 0; k < i.formats.k; ++k) {
      a.push_back(of_words ? draw(spread) : unit.word().nearest(draw(spread)));
      b.push_back(of_words ? draw(spread) : unit.word().nearest(draw(spread)));
    }
    const float c = draw(2 * spread);
    DotValues v{{}, {}, pattern(c), {}, {}};
    for (std::size_t k = 0; k < a.size(); ++k) {
      v.a.emplace_back(of_words ? pattern(a[k]) : unit.word().pattern_of(a[k]));
      v.b.emplace_back(of_words ? pattern(b[k]) : unit.word().pattern_of(b[k]));
    }
    const float expected = meaning(unit, a, b, c);
    const auto d = runner.run(v).convert_to<std::uint32_t>();
    ASSERT_EQ(d, pattern(expected)) << plan << ": " << number(d) << " is not " << expected;
    if (!of_words && expected != unit.chain(a, b, 0, a.size(), c)) ++other_than_chained;
  }
  if (of_words) return;
  if (plan.starts_with("chain")) {
    EXPECT_EQ(other_than_chained, 0);
  } else {
    EXPECT_GT(other_than_chained, 0) << plan;
  }
}

TEST(Plans, ChainsExecuteTheInstructionRepeatedly) {
  Unit unit(kBf16, kBf16Word);
  expect_meaning(
      "chain(" + kBf16 + ",k=64)", unit, false,
      [](Unit& u, const Numbers& a, const Numbers& b, float c) { return u.chain(a, b, 0, 64, c); });
}

TEST(Plans, SplitKAddsSumsOfParts) {
  Unit unit(kF16, kF16Word);
  const auto parts = [](Unit& u, const Numbers& a, const Numbers& b, float c) {
    std::vector<float> sums;
    for (std::size_t i = 0; i < 4; ++i)
      sums.push_back(u.chain(a, b, i * 32, i * 32 + 32, i == 0 ? c : 0));
    return sums;
  };
  const std::string of = "split-k(" + kF16 + ",k=128,parts=4";
  expect_meaning(of + ")", unit, false, [&](Unit& u, const Numbers& a, const Numbers& b, float c) {
    const std::vector<float> p = parts(u, a, b, 0);
    return ((p[0] + p[1]) + p[2]) + p[3] + c;
  });
  expect_meaning(of + ",reduce=backward)", unit, false,
                 [&](Unit& u, const Numbers& a, const Numbers& b, float c) {
                   const std::vector<float> p = parts(u, a, b, 0);
                   return ((p[3] + p[2]) + p[1]) + p[0] + c;
                 });
  expect_meaning(of + ",reduce=tree,c_joins=first)", unit, false,
                 [&](Unit& u, const Numbers& a, const Numbers& b, float c) {
                   const std::vector<float> p = parts(u, a, b, c);
                   return (p[0] + p[1]) + (p[2] + p[3]);
                 });
}

TEST(Plans, SplitKMayHaveAShorterLastPart) {
  Unit unit(kF16, kF16Word);
  expect_meaning("split-k(" + kF16 + ",k=112,parts=3,part=48)", unit, false,
                 [](Unit& u, const Numbers& a, const Numbers& b, float c) {
                   const float sum = u.chain(a, b, 0, 48, 0) + u.chain(a, b, 48, 96, 0);
                   return sum + u.chain(a, b, 96, 112, 0) + c;
                 });
  expect_meaning("split-k(" + kF16 + ",k=80,parts=2,part=64,c_joins=first,reduce=backward)", unit,
                 false, [](Unit& u, const Numbers& a, const Numbers& b, float c) {
                   return u.chain(a, b, 64, 80, 0) + u.chain(a, b, 0, 64, c);
                 });
}

TEST(Plans, PromoteAddsOutsideOfTheUnit) {
  Unit unit(kBf16, kBf16Word);
  expect_meaning("promote(" + kBf16 + ",k=128,every=32)", unit, false,
                 [](Unit& u, const Numbers& a, const Numbers& b, float c) {
                   for (std::size_t i = 0; i < 128; i += 32) c = c + u.chain(a, b, i, i + 32, 0);
                   return c;
                 });
}

TEST(Plans, AtomicAdditionsHaveAnOrder) {
  Unit unit(kF16, kF16Word);
  const std::string of = "split-k(" + kF16 + ",k=48,parts=3,reduce=atomic,order=";
  // For three parts: 012 021 102 120 201 210.
  const std::vector<std::vector<std::size_t>> orders{{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                                     {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  for (std::size_t order = 0; order < orders.size(); ++order) {
    expect_meaning(of + std::to_string(order) + ")", unit, false,
                   [&](Unit& u, const Numbers& a, const Numbers& b, float c) {
                     for (const std::size_t i : orders[order]) {
                       c = c + u.chain(a, b, i * 16, i * 16 + 16, 0);
                     }
                     return c;
                   });
  }
}

TEST(Plans, PromoteMultipliesScaleFactors) {
  const auto scaled = [](const std::string& more, const std::vector<float>& sa,
                         const std::vector<float>& sb, float c) {
    const Instruction i =
        find_instruction("plan:promote(" + kBf16 + ",k=32,every=16,scales=yes" + more + ")");
    DotRunner runner(i.algorithm, i.formats);
    DotValues v{
        std::vector<Integer>(32, 0x3f80), std::vector<Integer>(32, 0x3f80), pattern(c), {}, {}};
    for (std::size_t j = 0; j < 16; ++j) v.a[j] = 0x3f81;  // 1 + 2^-7
    for (const float s : sa) v.scale_a.emplace_back(pattern(s));
    for (const float s : sb) v.scale_b.emplace_back(pattern(s));
    return number(runner.run(v).convert_to<std::uint32_t>());
  };
  std::mt19937 random(5);
  const auto draw = [&] {
    return 0.5F + std::ldexp(static_cast<float>(random() % (1U << 24U)), -24);
  };
  for (int row = 0; row < 100; ++row) {
    const std::vector<float> sa{draw(), -draw()};
    const std::vector<float> sb{draw(), draw()};
    const float c = draw() * 64;
    const volatile float s0 = sa[0] * sb[0];
    const volatile float s1 = sa[1] * sb[1];
    EXPECT_EQ(scaled("", sa, sb, c), std::fma(s1, 16.0F, std::fma(s0, 16.125F, c)));
    const volatile float p0 = s0 * 16.125F;
    const volatile float p1 = s1 * 16.0F;
    const volatile float after = c + p0;
    EXPECT_EQ(scaled(",fma=no", sa, sb, c), after + p1);
  }
}

TEST(Plans, BiasesAreAddedBeforeOrAfterTheConversion) {
  const auto stored = [](const std::string& bias, float sum, float c) {
    const Instruction i =
        find_instruction("plan:epilogue(" + kBf16 + ",k=16,out=bf16,bias=" + bias + ")");
    DotRunner runner(i.algorithm, i.formats);
    DotValues v{std::vector<Integer>(16, 0), std::vector<Integer>(16, 0), pattern(c), {}, {}};
    v.a[0] = pattern(sum) >> 16;
    v.b[0] = 0x3f80;
    v.a[1] = 0x3b80;  // 2^-8
    v.b[1] = 0x3f80;
    return runner.run(v).convert_to<std::uint32_t>();
  };
  // 1 + 2^-8 is a tie; with 2^-9 it is not.
  EXPECT_EQ(stored("yes", 1, 0x1p-9F), 0x3f81U);
  EXPECT_EQ(stored("after", 1, 0x1p-9F), 0x3f80U);
}

TEST(Plans, EpiloguesScaleAndAdd) {
  Unit unit(kBf16, kBf16Word);
  const std::string of = "epilogue(" + kBf16 + ",k=32,alpha=1.5,beta=-0.7001953125";
  expect_meaning(of + ")", unit, false, [](Unit& u, const Numbers& a, const Numbers& b, float c) {
    return std::fma(1.5F, u.chain(a, b, 0, 32, 0), -0.7001953125F * c);
  });
  expect_meaning(of + ",fma=no)", unit, false,
                 [](Unit& u, const Numbers& a, const Numbers& b, float c) {
                   const volatile float scaled = 1.5F * u.chain(a, b, 0, 32, 0);
                   return scaled + -0.7001953125F * c;
                 });
  expect_meaning("epilogue(split-k(" + kBf16 + ",k=32),beta=0)", unit, false,
                 [](Unit& u, const Numbers& a, const Numbers& b, float) {
                   return u.chain(a, b, 0, 16, 0) + u.chain(a, b, 16, 32, 0) + 0.0F;
                 });
}

TEST(Plans, EpiloguesStoreInNarrowFormats) {
  const auto stored = [](const std::string& parameters, float sum) {
    const Instruction i = find_instruction("plan:epilogue(" + kF16 + ",k=16," + parameters + ")");
    DotRunner runner(i.algorithm, i.formats);
    DotValues v{std::vector<Integer>(16, 0), std::vector<Integer>(16, 0), pattern(sum), {}, {}};
    return runner.run(v).convert_to<std::uint32_t>();
  };
  EXPECT_EQ(stored("out=bf16", 1.00390625F), 0x3f80U);  // a tie
  EXPECT_EQ(stored("out=bf16", 1.01171875F), 0x3f82U);
  EXPECT_EQ(stored("out=f16", 1e6F), 0x7c00U);
  EXPECT_EQ(stored("out=f16,saturate=yes", 1e6F), 0x7bffU);
  EXPECT_EQ(stored("out=f16,saturate=yes", -HUGE_VALF), 0xfc00U);
  EXPECT_EQ(stored("out=e4m3", 1e6F), 0x7fU);
  EXPECT_EQ(stored("out=e4m3,saturate=yes", -1e6F), 0xfeU);
}

/// Words of all numbers; the remainder is multiplied by 2^scale before each further word.
std::vector<Numbers> words_of(const Numbers& all, const Word& word, int count, int scale = 0) {
  std::vector<Numbers> words(static_cast<std::size_t>(count));
  for (float rest : all) {
    for (Numbers& w : words) {
      w.push_back(word.nearest(rest));
      rest = std::ldexp(rest - w.back(), scale);
    }
  }
  return words;
}

/// Adds products of the words in this order, step by step, in one accumulator.
float in_one(Unit& u, const std::vector<Numbers>& a, const std::vector<Numbers>& b,
             const std::vector<std::pair<std::size_t, std::size_t>>& pairs, float c) {
  for (std::size_t k = 0; k < a[0].size(); k += static_cast<std::size_t>(u.k())) {
    for (const auto& [i, j] : pairs) c = u(a[i], b[j], k, c);
  }
  return c;
}

TEST(Plans, WordsInOneAccumulator) {
  Unit f16(kF16, kF16Word);
  expect_meaning("markidis(" + kF16 + ",k=32)", f16, true,
                 [](Unit& u, const Numbers& a, const Numbers& b, float c) {
                   return in_one(u, words_of(a, u.word(), 2), words_of(b, u.word(), 2),
                                 {{0, 0}, {0, 1}, {1, 0}, {1, 1}}, c);
                 });
  Unit tf32(kTf32, kTf32Word);
  expect_meaning("tf32x3(" + kTf32 + ",k=16)", tf32, true,
                 [](Unit& u, const Numbers& a, const Numbers& b, float c) {
                   return in_one(u, words_of(a, u.word(), 2), words_of(b, u.word(), 2),
                                 {{0, 1}, {1, 0}, {0, 0}}, c);
                 });
  Unit bf16(kBf16, kBf16Word);
  expect_meaning("multiword(" + kBf16 + ",k=32,words=3)", bf16, true,
                 [](Unit& u, const Numbers& a, const Numbers& b, float c) {
                   return in_one(u, words_of(a, u.word(), 3), words_of(b, u.word(), 3),
                                 {{0, 2}, {1, 1}, {2, 0}, {0, 1}, {1, 0}, {0, 0}}, c);
                 });
}

TEST(Plans, OotomoAndYokotaSumOutsideAndScaleTheRest) {
  Unit unit(kF16, kF16Word);
  expect_meaning("ootomo(" + kF16 + ",k=32)", unit, true,
                 [](Unit& u, const Numbers& a, const Numbers& b, float c) {
                   const auto x = words_of(a, u.word(), 2, 11);
                   const auto y = words_of(b, u.word(), 2, 11);
                   const float correction = in_one(u, x, y, {{0, 1}, {1, 0}}, 0);
                   for (std::size_t k = 0; k < 32; k += 16) c = c + u(x[0], y[0], k, 0);
                   return c + std::ldexp(correction, -11);
                 });
}

TEST(Plans, WordsMayBeScaledAndFlushed) {
  // The example of Mary and Mikaitis's slides: one word of e4m3 without subnormals, theta = 127,
  // f16 sums; rows of A and columns of B.
  const auto run = [](const std::string& more, const Numbers& a, const Numbers& b) {
    const Instruction i = find_instruction(
        "plan:multiword(design:sequential-fma(a=e4m3,b=e4m3,c=f16,d=f16,k=4),theta=127,"
        "subnormals=no," +
        more + ")");
    DotRunner runner(i.algorithm, i.formats);
    DotValues v{{}, {}, 0, {}, {}};
    for (const float x : a) v.a.emplace_back(pattern(x));
    for (const float x : b) v.b.emplace_back(pattern(x));
    return number(runner.run(v).convert_to<std::uint32_t>());
  };
  const Numbers first{500, 1, 1, 0x1p-6F};
  const Numbers second{128, 128, 128, 128};
  const Numbers ones{1, 1, 1, 1};
  for (const auto& [a, b, once, twice] :
       std::vector<std::tuple<Numbers, Numbers, float, float>>{{first, ones, 502, 502.015625F},
                                                               {first, second, 64256, 64258},
                                                               {second, ones, 512, 512},
                                                               {second, second, 65536, 65536},
                                                               {ones, second, 512, 512},
                                                               {ones, ones, 4, 4}}) {
    // 125 has seven bits: in e4m3, which has four, it is 128, unlike in the slides.
    const bool rounded = a == first;
    if (!rounded) {
      EXPECT_EQ(run("words=1", a, b), once);
      EXPECT_EQ(run("words=2,scale=4,sums=weight", a, b), twice);
    }
  }
  EXPECT_EQ(run("words=1", first, ones), 514);
  EXPECT_EQ(run("words=2,scale=4,sums=weight", first, ones), 502);
}

TEST(Plans, WordsProductByProduct) {
  Unit unit(kBf16, kBf16Word);
  for (const int reach : {1, 2, 4}) {
    const std::string name = reach == 1 ? "bf16x3" : reach == 2 ? "bf16x6" : "bf16x9";
    expect_meaning(name + "(" + kBf16 + ",k=32)", unit, true,
                   [&](Unit& u, const Numbers& a, const Numbers& b, float c) {
                     const std::size_t words = reach == 1 ? 2 : 3;
                     const auto x = words_of(a, u.word(), static_cast<int>(words));
                     const auto y = words_of(b, u.word(), static_cast<int>(words));
                     std::optional<float> sum;
                     for (int weight = reach; weight >= 0; --weight) {
                       for (std::size_t i = 0; i < words; ++i) {
                         const auto j = static_cast<std::size_t>(weight) - i;
                         if (static_cast<int>(i) > weight || j >= words) continue;
                         const float one = in_one(u, x, y, {{i, j}}, weight == 0 ? c : 0);
                         sum = sum ? one + *sum : one;
                       }
                     }
                     return *sum;
                   });
  }
}

TEST(Plans, MayBeLongAndNested) {
  const Instruction i = find_instruction("plan:promote(" + kBf16 + ",k=16384,every=128)");
  DotRunner runner(i.algorithm, i.formats);
  const DotValues v{
      std::vector<Integer>(16384, 0x3f80), std::vector<Integer>(16384, 0x3f80), 0, {}, {}};
  EXPECT_EQ(runner.run(v), 0x46800000);  // 16384
  const Instruction nested = find_instruction(
      "plan:epilogue(split-k(promote(design:fused-dot-add(a=e4m3,c=f32,k=32,fraction_bits=13),k="
      "128,"
      "every=64),k=256,parts=2,reduce=tree),out=bf16,beta=0)");
  EXPECT_EQ(nested.formats.k, 256);
  EXPECT_EQ(*nested.formats.d, formats::bf16);
  EXPECT_EQ(find_instruction(nested.name()).algorithm, nested.algorithm);
}

TEST(Plans, AreEqualIfAllParametersAre) {
  const auto plan = [](const std::string& text) {
    return find_instruction("plan:" + text).algorithm;
  };
  const std::string of = "split-k(" + kF16 + ",k=64";
  EXPECT_EQ(plan(of + ")"), plan(of + ",parts=2)"));
  EXPECT_NE(plan(of + ")"), plan(of + ",parts=4)"));
  EXPECT_NE(plan(of + ")"), plan(of + ",part=48)"));
  EXPECT_NE(plan(of + ")"), plan("split-k(" + kBf16 + ",k=64)"));
  EXPECT_NE(plan(of + ")"), plan("promote(" + kF16 + ",k=64,every=32)"));
  EXPECT_NE(plan("epilogue(" + kF16 + ")"), plan("epilogue(" + kF16 + ",alpha=2)"));
}

/// Checks that the plan with K = k equals `longer` with +0 * +0 for the products from the kth.
void expect_zeros(const std::string& plan, int k, const std::string& longer) {
  const Instruction part = find_instruction("plan:" + plan);
  const Instruction whole = find_instruction("plan:" + longer);
  EXPECT_EQ(part.formats.k, k) << plan;
  const auto* padded = part.algorithm.as<Padded>();
  ASSERT_NE(padded, nullptr) << plan;
  EXPECT_EQ(padded->whole_formats, whole.formats) << plan;
  EXPECT_EQ(*padded->whole, whole.algorithm) << plan;
  Graph graph;
  const Graph::Building building(graph);
  const DotOperands in = dot_inputs(part.formats);
  DotOperands all = in;
  all.a.resize(static_cast<std::size_t>(whole.formats.k), Int(0));
  all.b.resize(static_cast<std::size_t>(whole.formats.k), Int(0));
  EXPECT_TRUE(
      part.algorithm.build(part.formats, in).same_as(whole.algorithm.build(whole.formats, all)))
      << plan;
}

TEST(Plans, HaveZerosUpToAMultiple) {
  expect_zeros("chain(" + kF16 + ",k=35)", 35, "chain(" + kF16 + ",k=48)");
  expect_zeros("chain(" + kF16 + ",k=5)", 5, "chain(" + kF16 + ",k=16)");
  expect_zeros("split-k(" + kF16 + ",k=40)", 40, "split-k(" + kF16 + ",k=48,part=32)");
  expect_zeros("split-k(" + kF16 + ",k=63)", 63, "split-k(" + kF16 + ",k=64,part=32)");
  expect_zeros("split-k(" + kF16 + ",k=90,parts=3)", 90,
               "split-k(" + kF16 + ",k=96,parts=3,part=32)");
  expect_zeros("promote(" + kF16 + ",k=40,every=32)", 40, "promote(" + kF16 + ",k=64,every=32)");
  expect_zeros("epilogue(" + kF16 + ",k=20)", 20, "epilogue(" + kF16 + ",k=32)");
  expect_zeros("tf32x3(hopper/mma.m16n8k8.f32.tf32.tf32.f32,k=9)", 9,
               "tf32x3(hopper/mma.m16n8k8.f32.tf32.tf32.f32,k=16)");
  // Parts that are not equal multiples need no zeros.
  const Instruction uneven = find_instruction("plan:split-k(" + kF16 + ",k=48)");
  EXPECT_EQ(uneven.algorithm,
            find_instruction("plan:split-k(" + kF16 + ",k=48,part=32)").algorithm);
}

TEST(Plans, RefuseInvalidParameters) {
  const auto refusal = [](const std::string& text) -> std::string {
    try {
      find_instruction("plan:" + text);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "was taken";
  };
  EXPECT_THAT(refusal("splitk(" + kF16 + ")"), HasSubstr("did you mean 'split-k'"));
  EXPECT_THAT(refusal("split-k"), HasSubstr("expected (INSTRUCTION"));
  EXPECT_THAT(refusal("split-k()"), HasSubstr("not an instruction"));
  EXPECT_THAT(refusal("split-k(hopper/nothing)"), HasSubstr("unknown"));
  EXPECT_THAT(refusal("split-k(" + kF16 + ",k=16)"), HasSubstr("0 products"));
  EXPECT_THAT(refusal("promote(" + kF16 + ",k=40,every=32,scales=yes)"), HasSubstr("such as 64"));
  EXPECT_THAT(refusal("split-k(" + kF16 + ",k=64,part_s=2)"),
              HasSubstr("unknown parameter 'part_s'"));
  EXPECT_THAT(refusal("split-k(" + kF16 + ",k=64,pats=2)"), HasSubstr("pats"));
  EXPECT_THAT(refusal("split-k(" + kF16 + ",k=64,part=2)"), HasSubstr("62 products"));
  EXPECT_THAT(refusal("split-k(" + kF16 + ",k=64,part=64)"), HasSubstr("0 products"));
  EXPECT_THAT(refusal("split-k(" + kF16 + ",k=64,part=40)"), HasSubstr("multiple of 16"));
  EXPECT_THAT(refusal("split-k(" + kF16 + ",k=64,part=65)"), HasSubstr("part"));
  EXPECT_THAT(refusal("split-k(" + kF16 + ",k=64,parts=1024,part=64)"), HasSubstr("0 products"));
  EXPECT_THAT(refusal("promote(" + kF16 + ",k=64)"), HasSubstr("every"));
  EXPECT_THAT(refusal("promote(" + kF16 + ",k=64,every=24)"), HasSubstr("multiple of 16"));
  EXPECT_THAT(refusal("chain(" + kF16 + ",k=9999999)"), HasSubstr("k="));
  EXPECT_THAT(refusal("epilogue(" + kF16 + ",alpha=0.1)"), HasSubstr("alpha"));
  EXPECT_THAT(refusal("epilogue(" + kF16 + ",out=e2m1)"), HasSubstr("out"));
  EXPECT_THAT(refusal("bf16x3(ampere/mma.m8n8k4.f64.f64.f64.f64)"), HasSubstr("f64"));
  EXPECT_THAT(refusal("multiword(" + kF16 + ",theta=-1)"), HasSubstr("theta"));
  EXPECT_THAT(refusal("split-k(" + kF16 + ",k=32,order=1)"), HasSubstr("order=1"));
  EXPECT_THAT(refusal("split-k(" + kF16 + ",k=32,reduce=atomic,order=2)"), HasSubstr("order=2"));
  EXPECT_THAT(refusal("split-k(" + kF16 + ",k=32,reduce=atomic,c_joins=first)"),
              HasSubstr("c_joins"));
  EXPECT_THAT(refusal("epilogue(split-k(" + kF16 + ",k=32,reduce=atomic-any))"),
              HasSubstr("many results"));
  EXPECT_THAT(refusal("epilogue(" + kF16 + ",bias=yes,beta=2)"), HasSubstr("beta"));
  EXPECT_THAT(refusal("ozaki1(" + kF16 + ",slices=0)"), HasSubstr("slices"));
  EXPECT_THAT(refusal("ozaki1(" + kF16 + ",bits=12)"), HasSubstr("does not represent"));
  EXPECT_THAT(refusal("multiword(" + kF16 + ",scale=11)"), HasSubstr("sums"));
  EXPECT_THAT(refusal("split-k((((("), HasSubstr("expected (INSTRUCTION"));
  EXPECT_THAT(refusal("split-k(" + kF16 + ",k=64))"), HasSubstr("k=64)"));
}

}  // namespace
}  // namespace mmaspec::plans_test
