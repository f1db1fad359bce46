// Chains in f32 whose last number is converted: what they are equal to, and for which formats
// proofs may rely on them.
#include "spec/algorithms/vector/f32_chain.h"

#include <gtest/gtest.h>

#include "concrete/dot/runner.h"
#include "queries/theorems/known_design.h"
#include "spec/catalog/instruction.h"
#include "spec/catalog/open_design.h"
#include "spec/formats/convert.h"
#include "spec/formats/text.h"
#include "spec/lang/graph.h"
#include "util/split_mix.h"

namespace mmaspec::f32_chain_test {
namespace {

DotFormats formats_with(const Format& c, const Format& d, const Format* scale = nullptr) {
  return {&formats::e4m3, &formats::e4m3, &c, &d, 32, scale, scale == nullptr ? 0 : 16};
}

TEST(F32Chain, IsEqualToTheSameConversionOnly) {
  const Algorithm nearest = F32Chain{};
  EXPECT_EQ(nearest, Algorithm(F32Chain{Rounding::nearest_even}));
  EXPECT_FALSE(nearest == Algorithm(F32Chain{Rounding::toward_zero}));
  EXPECT_FALSE(nearest == find_instruction("arm/fmla.f32").algorithm);
}

TEST(F32Chain, IsKnownOnlyForFormatsThatItsProofsCover) {
  const Algorithm nearest = F32Chain{};
  using namespace formats;
  EXPECT_NE(known<F32Chain>(nearest, formats_with(f16, f16)), nullptr);
  EXPECT_NE(known<F32Chain>(nearest, formats_with(f32, bf16)), nullptr);
  EXPECT_NE(known<F32Chain>(nearest, formats_with(f32, f32, &ue8m0)), nullptr);
  EXPECT_EQ(known<F32Chain>(nearest, formats_with(f64, f32)), nullptr);
  EXPECT_EQ(known<F32Chain>(nearest, formats_with(f32, f64)), nullptr);
  EXPECT_EQ(known<F32Chain>(nearest, formats_with(f16, e5m2)), nullptr);
  // Scale factors that may be zero or negative.
  EXPECT_EQ(known<F32Chain>(nearest, formats_with(f32, f32, &ue4m3)), nullptr);
  EXPECT_EQ(known<F32Chain>(nearest, formats_with(f32, f32, &e4m3)), nullptr);
  DotFormats cut = formats_with(f32, f32, &ue8m0);
  cut.scale_block = 24;
  EXPECT_EQ(known<F32Chain>(nearest, cut), nullptr);
  EXPECT_EQ(known<F32Chain>(find_instruction("arm/fmla.f32").algorithm, formats_with(f32, f32)),
            nullptr);
}

// The conversion is the same as that of the instructions that convert one number.
TEST(F32Chain, ConvertsAsConversionsDo) {
  SplitMix random(7);
  for (const Format* d : {&formats::f16, &formats::bf16}) {
    for (const Rounding round : {Rounding::toward_zero, Rounding::nearest_even, Rounding::down,
                                 Rounding::up, Rounding::nearest_away}) {
      const DotFormats f{&formats::f32, &formats::f32, &formats::f32, d, 1};
      DotRunner chain(F32Chain{round}, f);
      for (int i = 0; i < 3000; ++i) {
        // a * 1 + 0, of which d's format holds about half the binades.
        const Integer a = Integer(random() >> 32);
        const DotValues v{{a}, {0x3f800000}, 0, {}, {}};
        Graph graph;
        const Graph::Building building(graph);
        const Int expected = converted({.round = round}, formats::f32, a, *d);
        ASSERT_TRUE(expected.is_constant());
        const Integer got = chain.run(v);
        if (decode(*d, got).is_nan) continue;
        EXPECT_EQ(got, expected.range().low) << a << " to " << d->name << " " << to_string(round);
      }
    }
  }
}

TEST(F32Chain, HasANameAsADesign) {
  const Instruction i = find_instruction("design:f32-chain(a=bf16,c=f32,d=bf16,k=32,round=rz)");
  const Instruction same = find_instruction("cdna5/v_wmma_bf16f32_16x16x32_bf16");
  EXPECT_EQ(i.algorithm, same.algorithm);
  EXPECT_EQ(i.formats, same.formats);
}

// 65504 + 15.998... is below the tie at 65520, but its f32 number is the tie.
TEST(F32Chain, RoundsTwice) {
  const Instruction i = find_instruction("cdna5/v_wmma_f16_16x16x32_f16");
  DotRunner runner(i.algorithm, i.formats);
  DotValues v{std::vector<Integer>(32, 0), std::vector<Integer>(32, 0), 0x7bff, {}, {}};
  v.a[0] = 0x4bff;  // 15.9921875
  v.b[0] = 0x3c00;
  EXPECT_EQ(runner.run(v), 0x7bff);
  v.a[1] = 0x1fff;  // 0.0078...: together 15.9999...
  v.b[1] = 0x3c00;
  EXPECT_EQ(runner.run(v), 0x7c00);
}

}  // namespace
}  // namespace mmaspec::f32_chain_test
