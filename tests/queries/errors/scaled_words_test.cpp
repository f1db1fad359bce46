// Bounds of sums of scaled words compared with results: no input has a larger error, and some have
// a considerable part of it.

#include "queries/errors/scaled_words.h"

#include <gtest/gtest.h>

#include <random>

#include "concrete/dot/runner.h"
#include "queries/values/exact_result.h"

namespace mmaspec::scaled_words_test {
namespace {

using Random = std::mt19937_64;

std::string chain_of(const std::string& word, const std::string& accumulator, int k) {
  return "design:sequential-fma(a=" + word + ",c=" + accumulator + ",d=" + accumulator +
         ",k=" + std::to_string(k) + ")";
}

std::string plan(const std::string& unit, const std::string& parameters) {
  return "plan:multiword(" + unit + "," + parameters + ")";
}

Instruction words(const std::string& word, const std::string& parameters, int k = 4) {
  return find_instruction(plan(chain_of(word, "f16", k), parameters));
}

int chosen(Random& random, int low, int high) {
  return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1));
}

/// f32 numbers with large losses in words: halfway between two words, words that underflow next to
/// the largest one, or any number.
Integer drawn(Random& random, int top, int word_bits) {
  int exponent = top - (random() % 2 == 0 ? 0 : chosen(random, 0, 24));
  if (random() % 8 == 0) exponent = chosen(random, -kModerateExponent, kModerateExponent - 1);
  exponent = std::clamp(exponent, -kModerateExponent, kModerateExponent - 1);
  std::uint64_t fraction = random() % (1U << 23);
  switch (random() % 4) {
    case 0: {
      const auto below = static_cast<unsigned>(23 - word_bits);
      const std::uint64_t half = 1ULL << (below - 1);
      fraction = ((fraction >> below) << below) + half + random() % 3 - 1;
      break;
    }
    case 1:
      fraction = random() % 3 == 0 ? (1U << 23) - 1 : random() % 4;
      break;
    default:
      break;
  }
  return (Integer(exponent + 127) << 23) + Integer(fraction % (1U << 23)) +
         (random() % 4 == 0 ? power_of_two(31) : Integer(0));
}

/// The largest |d - exact| / (|c| + sum |a| max |b|) of `count` inputs, divided by the bound; less
/// than 0 if there is no bound.
double worst_over_bound(const Instruction& i, int word_bits, int count) {
  const auto bound = norm_error_of_scaled_words(i);
  if (!bound) return -1;
  const DotFormats& f = i.formats;
  DotRunner runner(i.algorithm, f);
  Random random(1);
  std::vector<DotValues> rows;
  for (int row = 0; row < count; ++row) {
    DotValues v{std::vector<Integer>(static_cast<std::size_t>(f.k)),
                std::vector<Integer>(static_cast<std::size_t>(f.k)),
                0,
                {},
                {}};
    for (auto* all : {&v.a, &v.b}) {
      const int top = chosen(random, -kModerateExponent, kModerateExponent - 1);
      const bool same = random() % 4 == 0;
      for (Integer& x : *all) x = random() % 16 == 0 ? Integer(0) : drawn(random, top, word_bits);
      for (Integer& x : *all) x = same ? (*all)[0] : x;
    }
    if (row % 3 == 0) v.c = drawn(random, 0, word_bits);
    rows.push_back(v);
  }
  std::vector<const DotValues*> pointers;
  for (const DotValues& v : rows) pointers.push_back(&v);
  const std::vector<Integer> d = runner.run(pointers);
  Rational worst = 0;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const DotValues& v = rows[row];
    const Decoded result = decode(*f.d, d[row]);
    if (!result.is_finite()) continue;
    Rational exact = decode(*f.c, v.c).value();
    Rational sum = 0;
    Rational largest = 0;
    for (std::size_t k = 0; k < v.a.size(); ++k) {
      const Rational a = decode(*f.a, v.a[k]).value();
      const Rational b = decode(*f.b, v.b[k]).value();
      exact += a * b;
      sum += abs(a);
      largest = std::max(largest, Rational(abs(b)));
    }
    const Rational size = sum * largest + abs(decode(*f.c, v.c).value());
    const Rational error = abs(Rational(result.value() - exact));
    if (size == 0) {
      EXPECT_EQ(error, 0);
    } else {
      worst = std::max(worst, Rational(error / size));
    }
  }
  return Rational(worst / *bound).convert_to<double>();
}

TEST(ScaledWords, ErrByNoMoreThanTheirBound) {
  struct Word {
    std::string name;
    int bits;
    std::string theta;
  };
  double closest = 0;
  for (const Word& word : std::vector<Word>{{"e4m3", 3, "127"},
                                            {"e5m2", 2, "127"},
                                            {"e3m2", 2, "28"},
                                            {"e2m3", 3, "7.5"},
                                            {"e2m1", 1, "6"}}) {
    for (const std::string subnormals : {"yes", "no"}) {
      for (const std::string& count :
           {std::string("words=1"), std::string("words=2"), std::string("words=2,reach=2"),
            "words=2,sums=weight,scale=" + std::to_string(word.bits + 1),
            "words=3,sums=product,scale=" + std::to_string(word.bits + 1),
            std::string("words=3,sums=weight,reach=1")}) {
        const Instruction i =
            words(word.name, count + ",subnormals=" + subnormals + ",theta=" + word.theta);
        // For e2m3 with a scale of 2^4, parts that underflow next to 1 may be 8 in the next word.
        if (word.name == "e2m3" && subnormals == "no" && count.find("scale") != std::string::npos) {
          EXPECT_FALSE(norm_error_of_scaled_words(i)) << i.name();
          continue;
        }
        const double ratio = worst_over_bound(i, word.bits, 1000);
        EXPECT_GE(ratio, 0) << i.name();
        EXPECT_LE(ratio, 1) << i.name();
        closest = std::max(closest, ratio);
      }
    }
  }
  EXPECT_GE(closest, 0.5);
}

TEST(ScaledWords, ErrByNoMoreInUnitsOfHardware) {
  int bounded = 0;
  for (const std::string unit :
       {"hopper/mma.m16n8k16.f32.f16.f16.f32", "hopper/mma.m16n8k16.f32.bf16.bf16.f32",
        "ampere/mma.m16n8k8.f32.f16.f16.f32", "cdna3/v_mfma_f32_32x32x8_f16",
        "cdna1/v_mfma_f32_4x4x4f16", "volta/mma.m8n8k4.f32.f16.f16.f32",
        "plan:chain(volta/mma.m8n8k4.f32.f16.f16.f32,k=12)"}) {
    for (const std::string parameters :
         {"words=1,theta=1", "words=2,theta=30000", "words=2,subnormals=no,theta=0.75",
          "words=2,sums=weight,scale=11,theta=16"}) {
      const Instruction i = find_instruction(plan(unit, parameters));
      const double ratio =
          worst_over_bound(i, i.name().find("bf16") == std::string::npos ? 10 : 7, 500);
      EXPECT_LE(ratio, 1) << i.name();
      bounded += ratio >= 0 ? 1 : 0;
    }
  }
  EXPECT_GE(bounded, 20);
}

TEST(ScaledWords, AreBoundedOnlyIfTheAnalysisHolds) {
  const auto is_bounded = [](const std::string& parameters) {
    return norm_error_of_scaled_words(words("e4m3", parameters)).has_value();
  };
  EXPECT_TRUE(is_bounded("words=1,theta=127"));
  EXPECT_TRUE(is_bounded("words=1,theta=448"));
  // A word may overflow: that of the operand, or that of the remainder, which is scaled by more
  // than it lost.
  EXPECT_FALSE(is_bounded("words=1,theta=449"));
  EXPECT_TRUE(is_bounded("words=2,sums=weight,scale=5,theta=127"));
  EXPECT_FALSE(is_bounded("words=2,sums=weight,scale=8,theta=127"));
  // Not scaled, or scaled so far that scaling back is not exact.
  EXPECT_FALSE(is_bounded("words=1"));
  EXPECT_FALSE(is_bounded("words=1,theta=0x1p-20"));
  EXPECT_FALSE(is_bounded("words=2,sums=weight,outside=yes,theta=127"));
  // Units whose sums flush or saturate, or that are plans.
  const auto of_unit = [](const std::string& unit) {
    return norm_error_of_scaled_words(find_instruction(plan(unit, "words=1,theta=100")));
  };
  EXPECT_TRUE(of_unit(chain_of("e4m3", "f16", 4)));
  EXPECT_FALSE(of_unit("design:sequential-fma(a=e4m3,c=f16,d=f16,k=4,underflow=flush)"));
  EXPECT_FALSE(of_unit("design:sequential-fma(a=e4m3,c=f16,d=f16,k=4,overflow=saturate)"));
  EXPECT_FALSE(of_unit("plan:split-k(" + chain_of("e4m3", "f16", 4) + ",k=8,parts=2)"));
  EXPECT_FALSE(norm_error_of_scaled_words(
      find_instruction("plan:markidis(hopper/mma.m16n8k16.f32.f16.f16.f32)")));
}

}  // namespace
}  // namespace mmaspec::scaled_words_test
