// Chains in f32 whose last number is converted: what they are equal to, and for which formats
// proofs may rely on them.
#include "spec/plans/instructions/f32_chain.h"

#include <gtest/gtest.h>

#include <memory>

#include "concrete/dot/runner.h"
#include "spec/catalog/instruction.h"

namespace mmaspec::f32_chain_test {
namespace {

Algorithm chain(Rounding round) { return Composed{std::make_shared<F32Chain>(round)}; }

DotFormats formats_with(const Format& c, const Format& d, const Format* scale = nullptr) {
  return {&formats::e4m3, &formats::e4m3, &c, &d, 32, scale, scale == nullptr ? 0 : 16};
}

TEST(F32Chain, IsEqualToTheSameConversionOnly) {
  EXPECT_EQ(chain(Rounding::nearest_even), chain(Rounding::nearest_even));
  EXPECT_FALSE(chain(Rounding::nearest_even) == chain(Rounding::toward_zero));
  EXPECT_FALSE(chain(Rounding::nearest_even) == find_instruction("arm/fmla.f32").algorithm);
}

TEST(F32Chain, IsKnownOnlyForFormatsThatItsProofsCover) {
  const Algorithm nearest = chain(Rounding::nearest_even);
  using namespace formats;
  EXPECT_NE(known_f32_chain(nearest, formats_with(f16, f16)), nullptr);
  EXPECT_NE(known_f32_chain(nearest, formats_with(f32, bf16)), nullptr);
  EXPECT_NE(known_f32_chain(nearest, formats_with(f32, f32, &ue8m0)), nullptr);
  EXPECT_EQ(known_f32_chain(nearest, formats_with(f64, f32)), nullptr);
  EXPECT_EQ(known_f32_chain(nearest, formats_with(f32, f64)), nullptr);
  EXPECT_EQ(known_f32_chain(nearest, formats_with(f16, e5m2)), nullptr);
  // Scale factors that may be zero or negative.
  EXPECT_EQ(known_f32_chain(nearest, formats_with(f32, f32, &ue4m3)), nullptr);
  EXPECT_EQ(known_f32_chain(nearest, formats_with(f32, f32, &e4m3)), nullptr);
  DotFormats cut = formats_with(f32, f32, &ue8m0);
  cut.scale_block = 24;
  EXPECT_EQ(known_f32_chain(nearest, cut), nullptr);
  EXPECT_EQ(known_f32_chain(find_instruction("arm/fmla.f32").algorithm, formats_with(f32, f32)),
            nullptr);
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
