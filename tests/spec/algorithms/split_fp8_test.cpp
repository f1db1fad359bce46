// FP8 mma.sync on Hopper and data-centre Blackwell, which the assembler composes from other
// instructions: docs/notes/fp8-mma-sync-on-hopper.md.

#include "spec/algorithms/split_fp8.h"

#include <gtest/gtest.h>

#include "spec/catalog/open_design.h"
#include "tests/support/numeric_dot.h"
#include "tests/support/numeric_reference.h"

namespace mmaspec::split_fp8_test {
namespace {

using numeric::Dot;

struct Product {
  int k;
  int a;
  int b;
};

Integer run(const std::string& name, const std::vector<Product>& products, const Integer& c = 0) {
  const Instruction i = find_instruction(name);
  const auto length = static_cast<std::size_t>(i.formats.k);
  DotValues v{std::vector<Integer>(length, 0), std::vector<Integer>(length, 0), c, {}, {}};
  for (const Product& p : products) {
    v.a.at(static_cast<std::size_t>(p.k)) = p.a;
    v.b.at(static_cast<std::size_t>(p.k)) = p.b;
  }
  return DotModel(i.algorithm, i.formats).run(v);
}

/// The note's inputs that distinguish the models.
struct Discriminating {
  const char* types;
  std::vector<Product> products;
  Integer low_first;
  Integer high_first;
  Integer added;
};

const std::vector<Discriminating>& discriminating() {
  static const std::vector<Discriminating> all = {
      {"e5m2.e5m2",
       {{0, 0x03, 0x04}, {3, 0x16, 0xdb}, {4, 0x3d, 0x84}, {6, 0xd2, 0xa0}},
       0x3d3fb002,
       0x3d3fb000,
       0x3d3fb001},
      {"e5m2.e5m2",
       {{1, 0x0a, 0x25}, {3, 0xc8, 0xc8}, {4, 0xdc, 0x2b}, {6, 0x39, 0x07}},
       0x42480012,
       0x42480010,
       0x42480011},
      {"e4m3.e4m3",
       {{0, 0xe0, 0x6a}, {2, 0xf4, 0xeb}, {4, 0x11, 0x88}, {6, 0x3e, 0x8b}},
       0x465fffd9,
       0x465fffd7,
       0x465fffd8},
      {"e4m3.e4m3",
       {{1, 0x7b, 0xf5}, {3, 0xf2, 0xfd}, {5, 0x9c, 0x20}, {6, 0x8f, 0x32}},
       0xc5d00034,
       0xc5d00048,
       0xc5d00040}};
  return all;
}

TEST(SplitFp8, StartsWithTheLowHalf) {
  for (const Discriminating& d : discriminating()) {
    for (const char* architecture : {"hopper", "blackwell"}) {
      const std::string name = std::string(architecture) + "/mma.m16n8k32.f32." + d.types + ".f32";
      EXPECT_EQ(run(name, d.products), d.low_first) << name;
    }
  }
}

// Assemblers before CUDA 12.8 supported only Hopper.
TEST(SplitFp8, AddsBothHalvesBeforeCuda128) {
  for (const Discriminating& d : discriminating()) {
    const std::string name = std::string("hopper/mma.m16n8k32.f32.") + d.types + ".f32@cuda-12.6";
    EXPECT_EQ(run(name, d.products), d.added) << name;
  }
}

// The third model is the first with exchanged halves: k xor 2.
TEST(SplitFp8, GivesTheThirdReadingWithTheHalvesExchanged) {
  for (const Discriminating& d : discriminating()) {
    std::vector<Product> exchanged = d.products;
    for (Product& p : exchanged) p.k ^= 2;
    const std::string name = std::string("hopper/mma.m16n8k32.f32.") + d.types + ".f32";
    EXPECT_EQ(run(name, exchanged), d.high_first) << name;
    EXPECT_EQ(run(name + "@cuda-12.6", exchanged), d.added) << name;
  }
}

// Products belong to one block by k mod 4, not by k < K/2: 2^28 - 2^28 in one block is 0; in two
// blocks the first overflows f16 and remains infinite.
TEST(SplitFp8, HalvesAreByKModuloFour) {
  const int huge = 0x74;  // 2^14
  const int minus_huge = 0xf4;
  for (int k = 1; k < 32; ++k) {
    const Integer d = run("hopper/mma.m16n8k32.f16.e5m2.e5m2.f16",
                          {{0, huge, huge}, {k, minus_huge, huge}}, 0x3c00);
    EXPECT_EQ(d, k % 4 < 2 ? 0x3c00 : 0x7c00) << k;
  }
}

// c is added last, with rounding to nearest even: an infinite sum arises before it.
TEST(SplitFp8, AddsCLastToNearestEven) {
  const Dot f32("hopper/mma.m16n8k32.f32.e4m3.e4m3.f32");
  EXPECT_EQ(f32({"1"}, {"1"}, "0x1p-24"), "0x1p+0");
  EXPECT_EQ(f32({"1"}, {"1"}, "0x1.000002p-24"), "0x1.000002p+0");
  EXPECT_EQ(f32({"1"}, {"1"}, "-0x1.8p-25"), "0x1.fffffep-1");
  EXPECT_EQ(f32({"1"}, {"1"}, "0x1.fffffep127"), "0x1.fffffep+127");
  // The FADD keeps subnormal numbers, and the MMA's zero is +0.
  EXPECT_EQ(f32({}, {}, "0x1p-149"), "0x1p-149");
  EXPECT_EQ(f32.bits({}, {}, "-0"), 0);
  const Dot f16("hopper/mma.m16n8k32.f16.e4m3.e4m3.f16");
  EXPECT_EQ(f16({"448"}, {"448"}, "-65504"), "inf");
  EXPECT_EQ(f16({"448"}, {"448"}, "-inf"), "nan");
  EXPECT_EQ(f16({"1"}, {"1"}, "0x1p-11"), "0x1p+0");
  EXPECT_EQ(f16({"1"}, {"1.125"}, "0x1p-10"), "0x1.204p+0");
  EXPECT_EQ(f16({"nan"}, {"1"}), "nan");
}

/// The patterns of the same numbers in f16.
std::vector<Integer> in_f16(const Format& format, const std::vector<Integer>& patterns) {
  std::vector<Integer> all;
  for (const Integer& p : patterns) all.push_back(round_pattern(format, p, formats::f16));
  return all;
}

// The instruction equals that for f16 operands, converted from either FP8 format: the conversion
// turns subnormal numbers of E4M3 into normal ones with their own exponents.
TEST(SplitFp8, IsThatOfOperandsConvertedToF16) {
  for (const char* types : {"e4m3.e4m3", "e4m3.e5m2", "e5m2.e4m3", "e5m2.e5m2"}) {
    for (const std::string d : {"f32", "f16"}) {
      for (const char* variant : {"", "@cuda-12.6"}) {
        if (d == "f16" && *variant != 0) continue;  // those assemblers had none
        const std::string name = "hopper/mma.m16n8k32." + d + "." + types + "." + d + variant;
        const Instruction fp8 = find_instruction(name);
        DotFormats wide = fp8.formats;
        wide.a = wide.b = &formats::f16;
        const Instruction f16 = open_design(*fp8.algorithm.as<SplitFp8>(), wide);
        const DotModel narrow_model(fp8.algorithm, fp8.formats);
        const DotModel wide_model(f16.algorithm, f16.formats);
        numeric::Random random(11);
        // Subnormal numbers, with others so large that the cut bits depend on the exponents.
        const auto drawn = [&](const Format& format) {
          std::vector<Integer> all;
          for (int k = 0; k < fp8.formats.k; ++k) {
            const int subnormal =
                (random.coin() ? 128 : 0) + random.below(1 << format.fraction_bits);
            all.push_back(random.below(3) == 0 ? Integer(random.bits(8)) : Integer(subnormal));
          }
          return all;
        };
        for (int i = 0; i < 300; ++i) {
          const DotValues v{drawn(*fp8.formats.a),
                            drawn(*fp8.formats.b),
                            random.bits(fp8.formats.c->storage_bits),
                            {},
                            {}};
          const DotValues w{in_f16(*fp8.formats.a, v.a), in_f16(*fp8.formats.b, v.b), v.c, {}, {}};
          ASSERT_EQ(narrow_model.run(v), wide_model.run(w)) << name << " row " << i;
        }
      }
    }
  }
}

TEST(SplitFp8, HasNoNaNThatIsNotCanonical) {
  EXPECT_EQ(run("hopper/mma.m16n8k32.f32.e5m2.e5m2.f32", {{0, 0xff, 0x3c}}), 0x7fffffff);
  EXPECT_EQ(run("blackwell/mma.m16n8k16.f16.e5m2.e5m2.f16", {{3, 0x3c, 0x7d}}), 0x7fff);
  EXPECT_EQ(
      run("hopper/mma.m16n8k32.f32.e5m2.e5m2.f32@cuda-12.6", {{0, 0x7c, 0x3c}, {2, 0xfc, 0x3c}}),
      0x7fffffff);
}

}  // namespace
}  // namespace mmaspec::split_fp8_test
