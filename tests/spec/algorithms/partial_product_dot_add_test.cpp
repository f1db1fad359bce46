// Partial-product dot-adds: MVMUL's documented parts of significands, the wrong normalisation of
// Wormhole, and drawn designs against the independent evaluator.

#include "spec/algorithms/vector/partial_product_dot_add.h"

#include <gtest/gtest.h>

#include <random>

#include "concrete/dot/model.h"
#include "spec/catalog/instruction.h"
#include "spec/catalog/open_design.h"
#include "spec/formats/text.h"
#include "tests/support/reference_rows.h"

namespace mmaspec::partial_product_dot_add_test {
namespace {

using Random = std::mt19937_64;

/// The pattern of c + a * b, other products being zero.
Integer one_product(const std::string& name, const char* a, const char* b, const char* c) {
  const Instruction i = find_instruction(name);
  const auto k = static_cast<std::size_t>(i.formats.k);
  DotValues values{std::vector<Integer>(k, 0),
                   std::vector<Integer>(k, 0),
                   parse_pattern_of(*i.formats.c, c),
                   {},
                   {}};
  values.a[0] = parse_pattern_of(*i.formats.a, a);
  values.b[0] = parse_pattern_of(*i.formats.b, b);
  return DotModel(i.algorithm, i.formats).run(values);
}

TEST(PartialProductDotAdd, WormholeNormalisesMinusOneUnitWrongly) {
  // -(1 + 2^-23) + 1.
  const char* c = "-0x1.000002p+0";
  EXPECT_EQ(one_product("wormhole/mvmul.f32.bf16.bf16.lofi", "1", "1", c), 0xc1800000);   // -16
  EXPECT_EQ(one_product("blackhole/mvmul.f32.bf16.bf16.lofi", "1", "1", c), 0xb4000000);  // -2^-23
  // Of the other sign, and of two units, both are right.
  for (const std::string chip : {"wormhole", "blackhole"}) {
    const std::string name = chip + "/mvmul.f32.bf16.bf16.lofi";
    EXPECT_EQ(one_product(name, "1", "-1", "0x1.000002p+0"), 0x34000000) << chip;
    EXPECT_EQ(one_product(name, "1", "1", "-0x1.000004p+0"), 0xb4800000) << chip;
  }
}

TEST(PartialProductDotAdd, EachPhaseMultipliesOtherBits) {
  // All bits of f16's significands: 5 and 5 and one that is ignored, 7 and 4.
  const auto phases = [](const std::string& first, const std::string& count) {
    return one_product(
        "design:partial-product-dot-add(a=f16,d=f32,k=1,group=1,fraction_bits=23,"
        "first_phase=" +
            first + ",phases=" + count + ")",
        "0x1.ffcp+0", "0x1.ffcp+0", "0");
  };
  const auto f32 = [](const char* number) { return parse_pattern_of(formats::f32, number); };
  EXPECT_EQ(phases("0", "1"), f32("0x1.ec2p+1"));  // (2 - 2^-4) * (2 - 2^-6)
  EXPECT_EQ(phases("1", "1"), f32("0x1.ec2p-4"));  // (2^-4 - 2^-9) * (2 - 2^-6)
  EXPECT_EQ(phases("2", "1"), f32("0x1.d1p-6"));   // (2 - 2^-4) * (2^-6 - 2^-10)
  EXPECT_EQ(phases("3", "1"), f32("0x1.d1p-11"));  // (2^-4 - 2^-9) * (2^-6 - 2^-10)
  EXPECT_EQ(phases("0", "4"), f32("0x1.ff401p+1"));
  const std::string name = "wormhole/mvmul.f32.f16.f16.hifi4";
  EXPECT_EQ(one_product(name, "0x1.ffcp+0", "0x1.ffcp+0", "0"), f32("0x1.ff401p+1"));
}

TEST(PartialProductDotAdd, TakesInfinitiesAndNansForNumbers) {
  const std::string name = "blackhole/mvmul.f32.bf16.bf16.hifi4";
  EXPECT_EQ(one_product(name, "0x7f80", "0x3f00", "0"), 0x7f000000);  // 2^128 * 2^-1
  EXPECT_EQ(one_product(name, "0x7fc0", "0x3f00", "0"), 0x7f400000);  // 1.5 * 2^127
  EXPECT_EQ(one_product(name, "0x7f80", "0", "1"), 0x3f800000);
  EXPECT_EQ(one_product(name, "0x7f80", "1", "0"), 0x7f800000);
  // Subnormal numbers are zeros, and no result is -0.
  EXPECT_EQ(one_product(name, "0x007f", "0x7f00", "0"), 0);
  EXPECT_EQ(one_product(name, "-1", "0", "-0"), 0);
}

TEST(PartialProductDotAdd, RefusesWhatItCannotCompute) {
  const auto refusal = [](const std::string& parameters) {
    try {
      (void)find_instruction("design:partial-product-dot-add(k=16," + parameters + ")");
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(refusal("fraction_bits=23,group=3").find("group must divide block"), std::string::npos);
  EXPECT_NE(refusal("fraction_bits=24").find("at most aligned_bits"), std::string::npos);
  EXPECT_NE(refusal("fraction_bits=23,first_phase=2,phases=3").find("at most 4"),
            std::string::npos);
  EXPECT_NE(refusal("group=8").find("fraction_bits"), std::string::npos);
}

/// Designs of small and of known formats, whose parameters are drawn.
std::string drawn_design(Random& random) {
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  const auto one_of = [&](const std::vector<std::string>& all) {
    return all[random() % all.size()];
  };
  const std::string a = one_of({"e2m1", "e4m3", "e5m2", "f16", "bf16", "tf32"});
  const std::string b = below(2) == 0 ? a : one_of({"e3m2", "e4m3fnuz", "f16", "bf16"});
  const std::string d = one_of({"e4m3", "e5m2", "f16", "bf16", "f32"});
  const std::string c = below(3) == 0 ? one_of({"e5m2", "f16", "f32"}) : d;
  const int group = 1 + below(3);
  const int block = group * (1 + below(2));
  const int k = block * (1 + below(2));
  const int first = below(4);
  const int fraction = below(26);
  const auto number = [](const std::string& key, int value) {
    return "," + key + "=" + std::to_string(value);
  };
  return "design:partial-product-dot-add(a=" + a + ",b=" + b + ",c=" + c + ",d=" + d +
         ",k=" + std::to_string(k) + number("block", block) + number("group", group) +
         number("first_phase", first) + number("phases", 1 + below(4 - first)) +
         number("a_bits", 1 + below(8)) + number("b_bits", 1 + below(8)) +
         number("aligned_bits", fraction + below(4)) + number("fraction_bits", fraction) +
         (below(2) == 0 ? ",minus_one_wraps=yes" : "") +
         (below(3) == 0 ? ",round=" + one_of({"rz", "rne", "rd", "ru", "rna", "rto"}) : "") +
         (below(4) == 0 ? ",underflow=" + one_of({"gradual", "flush"}) : "") + ")";
}

TEST(PartialProductDotAdd, AgreesWithTheIndependentEvaluator) {
  Random random(53);
  int wrapped = 0;
  for (int n = 0; n < 250; ++n) {
    const std::string name = drawn_design(random);
    const reference::Design design = reference::read_design(name);
    reference::Design right = design;
    right.minus_one_wraps = false;
    expect_as_reference(find_instruction(name), design, 40, false, random,
                        [&](const reference::Operands& x, std::uint64_t d) {
                          if (d != reference::evaluate(right, x).d) ++wrapped;
                        });
  }
  EXPECT_GT(wrapped, 20);
}

TEST(PartialProductDotAdd, EachInstructionAgreesWithTheIndependentEvaluator) {
  Random random(16);
  int instructions = 0;
  for (const Instruction& i : catalogue()) {
    if (i.algorithm.as<PartialProductDotAdd>() == nullptr) continue;
    ++instructions;
    expect_as_reference(i, reference::read_design(open_design(i.algorithm, i.formats).name()), 50,
                        false, random, [](const reference::Operands&, std::uint64_t) {});
  }
  EXPECT_EQ(instructions, 32);
}

}  // namespace
}  // namespace mmaspec::partial_product_dot_add_test
