// The fused dot-add compared with a plain implementation in integers, which shares no code with it:
// with the parameters of every generation from the literature, and with others.

#include "spec/algorithms/fused_dot_add.h"

#include <gtest/gtest.h>

#include <array>
#include <cctype>

#include "spec/catalog/instruction.h"
#include "spec/formats/text.h"
#include "tests/support/numeric_fused_dot_add.h"

namespace mmaspec::fused_dot_add_test {
namespace {

using numeric::DotInputs;
using numeric::PlainFusedDotAdd;

std::string describe(const DotFormats& formats, const DotValues& v) {
  const auto list = [](const std::vector<Integer>& patterns) {
    std::string text;
    for (const Integer& p : patterns) text += " " + to_hex(p);
    return text;
  };
  return std::string(formats.a->name) + " a" + list(v.a) + ", b" + list(v.b) + ", c " +
         to_hex(v.c) + ", sa" + list(v.scale_a) + ", sb" + list(v.scale_b);
}

void compare(const PlainFusedDotAdd& plain, const DotModel& model, int count, std::uint64_t seed) {
  DotInputs inputs(model.formats(), seed);
  ExactEvaluator::Values scratch = model.evaluator().scratch();
  for (int i = 0; i < count; ++i) {
    const DotValues v = inputs.next();
    const Integer d = model.run(v, scratch);
    if (i % 16 == 0) model.evaluator().check_ranges(scratch);
    const Integer expected = numeric::plain_fused_dot_add(plain, model.formats(), v);
    ASSERT_EQ(d, expected) << to_hex(d) << " instead of " << to_hex(expected) << ": "
                           << describe(model.formats(), v);
  }
}

/// F, block, exponent floor and fraction bits of f32 results: MMA-Sim tables III and IV for F,
/// block and fraction bits, Khattak and Mikaitis for the floors.
struct Row {
  const char* instruction;
  int fraction_bits;
  int block;
  std::optional<int> floor;
  int kept;
};

ResultFormat result_of(const DotFormats& formats, int kept) {
  return formats.d->name == "f32" ? ResultFormat{formats.d, Rounding::toward_zero,
                                                 Underflow::gradual, Overflow::to_infinity, kept}
                                  : ResultFormat{formats.d, Rounding::nearest_even};
}

class Generation : public testing::TestWithParam<Row> {};

TEST_P(Generation, EqualsThePlainImplementation) {
  const Row& row = GetParam();
  // MMA-Sim 2.1.1 has the same parameters.
  for (const std::string variant : {"", "@mma-sim"}) {
    const Instruction i = find_instruction(row.instruction + variant);
    PlainFusedDotAdd plain{row.fraction_bits, row.block, row.floor, result_of(i.formats, row.kept)};
    plain.normalized_c = false;
    compare(plain, DotModel(i.algorithm, i.formats), 3000, 51);
  }
}

// In this variant zeros count an exponent, and the largest one has no lower bound.
TEST_P(Generation, VariantEqualsTheCodeOfMmaSim) {
  const Row& row = GetParam();
  const std::string name = row.instruction;
  const Instruction i = find_instruction(name + "@mma-sim-2025");
  // It had no special case for Turing's m8n8k4, which is Volta's.
  const int fraction_bits = name.starts_with("turing/") ? 24 : row.fraction_bits;
  PlainFusedDotAdd plain{fraction_bits, row.block, {}, result_of(i.formats, row.kept)};
  plain.zeros_count = true;
  compare(plain, DotModel(i.algorithm, i.formats), 2000, 52);
}

// The inputs distinguish one fraction bit, one block and one treatment of zeros from the next:
// otherwise the tests above would not be meaningful.
TEST_P(Generation, DiffersFromItsNeighbours) {
  const Row& row = GetParam();
  const Instruction i = find_instruction(row.instruction);
  const PlainFusedDotAdd plain{row.fraction_bits, row.block, row.floor,
                               result_of(i.formats, row.kept)};
  PlainFusedDotAdd coarser = plain;
  --coarser.fraction_bits;
  PlainFusedDotAdd shorter = plain;
  shorter.block /= 2;
  PlainFusedDotAdd counting = plain;
  counting.zeros_count = true;
  counting.floor.reset();
  std::array<int, 3> differ{};
  int numbers = 0;
  const int count = 3000;
  DotInputs inputs(i.formats, 51);
  for (int n = 0; n < count; ++n) {
    const DotValues v = inputs.next();
    const Integer d = numeric::plain_fused_dot_add(plain, i.formats, v);
    const numeric::Meaning m = numeric::meaning(i.formats.d->name, d.convert_to<std::uint64_t>());
    if (m.kind == numeric::Kind::number && m.magnitude != 0) ++numbers;
    differ[0] += d != numeric::plain_fused_dot_add(coarser, i.formats, v) ? 1 : 0;
    differ[1] += d != numeric::plain_fused_dot_add(shorter, i.formats, v) ? 1 : 0;
    differ[2] += d != numeric::plain_fused_dot_add(counting, i.formats, v) ? 1 : 0;
  }
  EXPECT_GT(numbers, count / 2);
  EXPECT_GT(differ[0], 0) << "one fraction bit fewer";
  EXPECT_GT(differ[1], 0) << "half the block";
  // No zero's exponent is near that of an f16 accumulator.
  if (i.formats.c->name == "f32") {
    EXPECT_GT(differ[2], 0) << "zeros counted";
  }
}

INSTANTIATE_TEST_SUITE_P(
    Rows, Generation,
    testing::Values(Row{"volta/mma.m8n8k4.f32.f16.f16.f32", 23, 4, {}, 23},
                    Row{"volta/mma.m8n8k4.f32.f16.f16.f16", 23, 4, {}, 23},
                    Row{"volta/mma.m8n8k4.f16.f16.f16.f16", 23, 4, -19, 10},
                    Row{"turing/mma.m8n8k4.f32.f16.f16.f32", 23, 4, {}, 23},
                    Row{"turing/mma.m8n8k4.f16.f16.f16.f16", 23, 4, -19, 10},
                    Row{"turing/mma.m16n8k8.f32.f16.f16.f32", 24, 8, -132, 23},
                    Row{"turing/mma.m16n8k8.f16.f16.f16.f16", 24, 8, -20, 10},
                    Row{"ampere/mma.m16n8k8.f32.tf32.tf32.f32", 24, 4, -132, 23},
                    Row{"ampere/mma.m16n8k16.f32.f16.f16.f32", 24, 8, -132, 23},
                    Row{"ampere/mma.m16n8k16.f16.f16.f16.f16", 24, 8, -20, 10},
                    Row{"ampere/mma.m16n8k16.f32.bf16.bf16.f32", 24, 8, -132, 23},
                    Row{"ada/mma.m16n8k32.f32.e4m3.e5m2.f32", 13, 16, -132, 13},
                    Row{"ada/mma.m16n8k32.f16.e5m2.e5m2.f16", 13, 16, -20, 10},
                    Row{"hopper/mma.m16n8k8.f32.tf32.tf32.f32", 25, 8, -133, 23},
                    Row{"hopper/mma.m16n8k16.f32.bf16.bf16.f32", 25, 16, -133, 23},
                    Row{"hopper/wgmma.m64n8k32.f32.e5m2.e4m3", 13, 32, -133, 13},
                    Row{"hopper/wgmma.m64n8k16.f16.f16.f16", 25, 16, -21, 10},
                    Row{"blackwell/mma.m16n8k16.f32.f16.f16.f32", 25, 16, -133, 23},
                    Row{"blackwell/tcgen05.mma.m64n8k32.f32.e3m2.e2m3", 25, 32, -133, 23},
                    Row{"rtx-blackwell/mma.m16n8k32.f32.e4m3.e2m1.f32", 25, 32, -133, 23},
                    Row{"rtx-blackwell/mma.block_scale.m16n8k32.block32.f32.e5m2.e4m3.f32.ue8m0",
                        25, 32, -133, 23}),
    [](const auto& test) {
      std::string name = test.param.instruction;
      for (char& c : name) {
        if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
      }
      return name;
    });

// Designs that nobody has built: each deviation alone, and all of them.
TEST(Deviations, EqualThePlainImplementation) {
  const DotFormats formats{&formats::f16, &formats::f16, &formats::f32, &formats::f32, 4};
  for (int which = 0; which < 32; ++which) {
    for (std::optional<int> floor : {std::optional<int>(), std::optional<int>(-30)}) {
      FusedDotAdd design{};
      PlainFusedDotAdd plain{};
      design.fraction_bits = plain.fraction_bits = 20;
      design.block = plain.block = 2;
      design.exponent_floor = plain.floor = floor;
      design.result = plain.result = {&formats::f32, Rounding::down};
      plain.align_down = (which & 1) != 0;
      plain.c_late = (which & 2) != 0;
      plain.normalized_products = (which & 4) != 0;
      plain.flush_inputs = (which & 8) != 0;
      plain.zeros_count = (which & 16) != 0;
      design.align_rounding = plain.align_down ? Rounding::down : Rounding::toward_zero;
      design.c_joins = plain.c_late ? AccumulatorJoins::late : AccumulatorJoins::early;
      design.normalized_products = plain.normalized_products;
      design.flush_inputs = plain.flush_inputs;
      design.zero_terms = plain.zeros_count ? ZeroTerms::operands_count : ZeroTerms::left_out;
      SCOPED_TRACE("deviations " + std::to_string(which) + (floor ? ", floor" : ""));
      ASSERT_NO_FATAL_FAILURE(compare(plain, DotModel(design, formats), 800, 53));
    }
  }
}

TEST(Deviations, MinusZeroResultsOnlyFromZeros) {
  const DotFormats formats{&formats::f16, &formats::f16, &formats::f32, &formats::f32, 2};
  FusedDotAdd design{};
  design.fraction_bits = 25;
  design.block = 2;
  design.result = {&formats::f32, Rounding::toward_zero};
  const DotModel plus(design, formats);
  design.minus_zero = true;
  const DotModel minus(design, formats);
  const Integer one = 0x3c00, minus_one = 0xbc00, minus_zero = 0x8000, c_minus = 0x80000000U;
  const auto differ = [&](const DotValues& v) {
    EXPECT_EQ(plus.run(v) >> 31U, 0);
    return minus.run(v) != plus.run(v);
  };
  EXPECT_TRUE(differ({{0, 0}, {0, 0}, c_minus, {}, {}}));
  EXPECT_TRUE(differ({{minus_zero, 0}, {one, one}, 0, {}, {}}));
  EXPECT_TRUE(differ({{0, 0}, {minus_one, one}, 0, {}, {}}));
  EXPECT_TRUE(differ({{minus_zero, minus_zero}, {one, one}, c_minus, {}, {}}));
  EXPECT_FALSE(differ({{0, 0}, {one, one}, 0, {}, {}}));
  EXPECT_FALSE(differ({{minus_zero, minus_zero}, {minus_one, 0x8000}, 0, {}, {}}));
  EXPECT_FALSE(differ({{one, minus_one}, {one, one}, c_minus, {}, {}})) << "an exact cancellation";
  EXPECT_EQ(minus.run({{0, 0}, {0, 0}, c_minus, {}, {}}), c_minus);
}

// Fewer and more fraction bits than any product has, with every rounding of the result.
TEST(FractionBits, FewAndManyEqualThePlainImplementation) {
  for (int fraction_bits : {0, 1, 6, 13, 40}) {
    for (Rounding rounding : numeric::all_roundings()) {
      const DotFormats formats{&formats::e4m3, &formats::e5m2, &formats::f16, &formats::f16, 6};
      FusedDotAdd design{};
      design.fraction_bits = fraction_bits;
      design.block = 3;
      design.exponent_floor = -21;
      design.result = {&formats::f16, rounding};
      const PlainFusedDotAdd plain{fraction_bits, 3, -21, design.result};
      SCOPED_TRACE("F " + std::to_string(fraction_bits));
      ASSERT_NO_FATAL_FAILURE(compare(plain, DotModel(design, formats), 1000, 54));
    }
  }
}

}  // namespace
}  // namespace mmaspec::fused_dot_add_test
