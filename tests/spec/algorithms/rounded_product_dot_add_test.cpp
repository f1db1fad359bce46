// Rounded-product dot-adds: where each rounding takes effect, and drawn designs against the
// independent evaluator.

#include "spec/algorithms/vector/rounded_product_dot_add.h"

#include <gtest/gtest.h>

#include "concrete/dot/runner.h"
#include "queries/theorems/redundant/idle.h"
#include "spec/catalog/instruction.h"
#include "spec/catalog/open_design.h"
#include "spec/formats/text.h"
#include "tests/support/drawn_designs.h"
#include "tests/support/reference_rows.h"

namespace mmaspec::rounded_product_dot_add_test {
namespace {

using Random = std::mt19937_64;

constexpr const char* kVdot =
    "a=f32,c=f32,k=4,product_bits=25,fraction_bits=25,sum_bits=23,flush_inputs=yes,"
    "underflow=flush-tiny";

/// The pattern of d for numbers as text, the others being zero.
Integer d_of(const std::string& parameters, const std::vector<const char*>& a,
             const std::vector<const char*>& b, const char* c = "0") {
  const Instruction i = find_instruction("design:rounded-product-dot-add(" + parameters + ")");
  const auto k = static_cast<std::size_t>(i.formats.k);
  DotValues values{std::vector<Integer>(k, 0),
                   std::vector<Integer>(k, 0),
                   parse_pattern_of(*i.formats.c, c),
                   {},
                   {}};
  for (std::size_t n = 0; n < a.size(); ++n) {
    values.a[n] = parse_pattern_of(*i.formats.a, a[n]);
    values.b[n] = parse_pattern_of(*i.formats.b, b[n]);
  }
  return DotRunner(i.algorithm, i.formats).run(values);
}

Integer f32(const char* number) { return parse_pattern_of(formats::f32, number); }

// (1 + 2^-23)^2 = 1 + 2^-22 + 2^-46: to odd at 2^-25, the last bit stays in the sum with the
// second product; alignment and the sum's own cut drop it.
TEST(RoundedProductDotAdd, RoundsProductsBeforeItAlignsThem) {
  const std::string common = "a=f32,c=f32,k=2,product_bits=25,fraction_bits=30,round=rz,";
  const std::vector<const char*> a{"0x1.000002p+0", "-1"};
  const std::vector<const char*> b{"0x1.000002p+0", "0x1.000004p+0"};
  EXPECT_EQ(d_of(common + "product_round=rto", a, b), f32("0x1p-25"));
  EXPECT_EQ(d_of(common + "product_round=rne", a, b), f32("0"));
  EXPECT_EQ(d_of(common + "product_round=ru", a, b), f32("0x1p-25"));
  EXPECT_EQ(d_of("a=f32,c=f32,k=2,product_bits=46,fraction_bits=46", a, b), f32("0x1p-46"));
  EXPECT_EQ(d_of(common + "product_round=rto,sum_bits=24", a, b), f32("0"));
}

TEST(RoundedProductDotAdd, KeepsTheSignOfASumThatIsCutToZero) {
  const std::vector<const char*> a{"1", "-0x1.000002p+0"};
  const std::vector<const char*> b{"0x1.000004p+0", "0x1.000002p+0"};
  EXPECT_EQ(d_of(kVdot, a, b), f32("-0"));
  EXPECT_EQ(d_of(kVdot, {"1", "-1"}, {"1", "1"}), f32("0"));
}

TEST(RoundedProductDotAdd, FlushesWhatIsTinyAfterRounding) {
  EXPECT_EQ(d_of(kVdot, {"0x1p-126"}, {"0x1.fffffep-1"}), f32("0"));
  EXPECT_EQ(d_of(kVdot, {"-0x1p-126"}, {"0x1.fffffep-1"}), f32("-0"));
  EXPECT_EQ(d_of(kVdot, {"0x1p-126"}, {"1"}), f32("0x1p-126"));
  EXPECT_EQ(d_of(kVdot, {"0x1p-127"}, {"4"}), f32("0"));  // a subnormal operand
}

TEST(RoundedProductDotAdd, IdleParametersDoNotMatter) {
  const auto without = [](const std::string& parameters) {
    const Instruction i = find_instruction("design:rounded-product-dot-add(" + parameters + ")");
    return without_idle_parameters(i.algorithm, i.formats);
  };
  const std::string f16 = "a=f16,c=f32,k=4,fraction_bits=25,";
  EXPECT_EQ(without(f16 + "product_bits=20,product_round=rd"), without(f16 + "product_bits=33"));
  EXPECT_FALSE(without(f16 + "product_bits=19,product_round=rd") ==
               without(f16 + "product_bits=19"));
  EXPECT_EQ(without(f16 + "product_bits=19,sum_bits=25"), without(f16 + "product_bits=19"));
  EXPECT_FALSE(without(f16 + "product_bits=19,sum_bits=24") == without(f16 + "product_bits=19"));
}

TEST(RoundedProductDotAdd, AgreesWithTheIndependentEvaluator) {
  Random random(71);
  int designs = 0;
  for (unsigned seed = 0; designs < 200; ++seed) {
    DrawnDesigns drawn(seed);
    const std::string name = drawn.next_with_scales_or_parts();
    const Instruction i = find_instruction(name);
    if (i.algorithm.as<RoundedProductDotAdd>() == nullptr) continue;
    ++designs;
    expect_as_reference(i, reference::read_design(name), 40, true, random,
                        [](const reference::Operands&, std::uint64_t) {});
  }
}

}  // namespace
}  // namespace mmaspec::rounded_product_dot_add_test
