// Bulk-normalized dot-adds with scale factors, and of patterns that are all numbers: ACE's TOP4MX.

#include <gtest/gtest.h>

#include "spec/catalog/open_design.h"
#include "spec/formats/text.h"
#include "tests/support/reference_rows.h"

namespace mmaspec::scaled_bulk_sum_test {
namespace {

using Random = std::mt19937_64;

/// c + a * b of TOP4MX, scaled; other products are zero.
Integer top4mx(const std::string& kind, std::uint64_t a, std::uint64_t b, const char* c,
               std::uint64_t scale_a, std::uint64_t scale_b) {
  const Instruction i = find_instruction("x86/top4mx" + kind + "f8ps");
  const DotValues values{
      {a, 0, 0, 0}, {b, 0, 0, 0}, parse_pattern_of(*i.formats.c, c), {scale_a}, {scale_b}};
  return DotModel(i.algorithm, i.formats).run(values);
}

TEST(ScaledBulkSum, Top4mxTakesInfinitiesAndNansForNumbers) {
  const auto f32 = [](const char* number) { return parse_pattern_of(formats::f32, number); };
  EXPECT_EQ(top4mx("b", 0x7c, 0x3c, "0", 127, 127), f32("0x1p+16"));     // an infinity * 1
  EXPECT_EQ(top4mx("b", 0xff, 0x3c, "0", 127, 127), f32("-0x1.cp+16"));  // a NaN * 1
  EXPECT_EQ(top4mx("h", 0x7f, 0x38, "1", 127, 127), f32("481"));
  EXPECT_EQ(top4mx("bh", 0x7c, 0, "1", 127, 127), f32("1"));
  EXPECT_EQ(top4mx("hb", 0x7f, 0x7f, "0", 127, 127), f32("0x1.a4p+25"));  // 480 * 1.75 * 2^16
  // An infinite or NaN c, and the NaN of a scale factor, are what they are.
  EXPECT_EQ(top4mx("b", 0xfc, 0x3c, "inf", 127, 127), 0x7f800000);
  EXPECT_EQ(top4mx("b", 0, 0, "0", 255, 127), 0x7fc00000);
}

TEST(ScaledBulkSum, Top4mxFlushesSubnormalNumbers) {
  // 2^-127 is flushed, and so is a subnormal c; 2^-126 is not.
  EXPECT_EQ(top4mx("h", 0x38, 0x38, "0", 0, 127), 0);
  EXPECT_EQ(top4mx("h", 0x38, 0x38, "0", 1, 127), 0x00800000);
  EXPECT_EQ(top4mx("h", 0, 0, "0x1p-127", 127, 127), 0);
  EXPECT_EQ(top4mx("h", 0x38, 0x38, "0", 254, 254), 0x7f800000);
}

TEST(ScaledBulkSum, AgreesWithTheIndependentEvaluator) {
  Random random(4);
  const auto below = [&random](int n) {
    return static_cast<int>(random() % static_cast<unsigned>(n));
  };
  const std::vector<std::string> operands{"e2m1", "e4m3", "e5m2", "e4m3fnuz", "f16"};
  int scaled = 0;
  for (int n = 0; n < 150; ++n) {
    const int block = 1 + below(3);
    const bool has_scale = below(3) != 0;
    std::string name =
        "design:bulk-normalized-dot-add(a=" + operands[random() % 5] +
        ",b=" + operands[random() % 5] + ",c=f32,d=" + (below(2) == 0 ? "f32" : "bf16") +
        ",k=" + std::to_string(2 * block) + ",block=" + std::to_string(block) +
        ",guard_bits=" + std::to_string(below(12)) +
        ",numbers_alone=" + (below(2) == 0 ? "yes" : "no") + (below(2) == 0 ? ",flush_c=yes" : "");
    if (has_scale) {
      ++scaled;
      name += std::string(",scale=") + (below(2) == 0 ? "ue8m0" : "ue4m3") +
              ",scale_block=" + std::to_string(below(2) == 0 ? block : 2 * block);
    }
    name += ")";
    expect_as_reference(find_instruction(name), reference::read_design(name), 40, true, random,
                        [](const reference::Operands&, std::uint64_t) {});
  }
  EXPECT_GT(scaled, 50);
  for (const char* kind : {"b", "bh", "hb", "h"}) {
    const Instruction i = find_instruction("x86/top4mx" + std::string(kind) + "f8ps");
    expect_as_reference(i, reference::read_design(open_design(i.algorithm, i.formats).name()), 400,
                        true, random, [](const reference::Operands&, std::uint64_t) {});
  }
}

}  // namespace
}  // namespace mmaspec::scaled_bulk_sum_test
