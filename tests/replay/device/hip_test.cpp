#include <gtest/gtest.h>

#include <vector>

#include "hardware/replay/device/common/rows.h"
#include "hardware/replay/device/hip/instructions.h"
#include "hardware/replay/device/hip/lanes.h"
#include "tests/replay/device/recorded_rows.h"

namespace mmaspec::replay::hip {
namespace {

/// Rows of a block, blocks, elements that a lane holds, bits of an element.
struct Shape {
  const char* name;
  int rows, blocks, per_lane, bits;
};

// AMD's layout of A according to its matrix instruction calculator: lane = row + rows * (block +
// blocks * (k / per_lane)).
TEST(Lanes, HoldTheKOfAmdsCalculator) {
  for (const Shape& shape :
       {Shape{"v_mfma_f32_32x32x1f32", 32, 2, 1, 32}, Shape{"v_mfma_f32_16x16x1f32", 16, 4, 1, 32},
        Shape{"v_mfma_f32_4x4x1f32", 4, 16, 1, 32}, Shape{"v_mfma_f32_32x32x2f32", 32, 1, 1, 32},
        Shape{"v_mfma_f32_16x16x4f32", 16, 1, 1, 32}, Shape{"v_mfma_f32_32x32x4f16", 32, 2, 4, 16},
        Shape{"v_mfma_f32_4x4x4f16", 4, 16, 4, 16}, Shape{"v_mfma_f32_32x32x8f16", 32, 1, 4, 16},
        Shape{"v_mfma_f32_16x16x16f16", 16, 1, 4, 16},
        Shape{"v_mfma_f32_32x32x4bf16", 32, 1, 2, 16},
        Shape{"v_mfma_f32_16x16x8bf16", 16, 1, 2, 16},
        Shape{"v_mfma_f32_16x16x16bf16_1k", 16, 1, 4, 16},
        Shape{"v_mfma_f64_16x16x4f64", 16, 1, 1, 64}, Shape{"v_mfma_f64_4x4x4f64", 4, 4, 1, 64},
        Shape{"v_mfma_f32_16x16x8_xf32", 16, 1, 2, 32},
        Shape{"v_mfma_f32_32x32x4_xf32", 32, 1, 2, 32},
        Shape{"v_mfma_f32_16x16x32_fp8_bf8", 16, 1, 8, 8},
        Shape{"v_mfma_f32_32x32x16_bf8_bf8", 32, 1, 8, 8}}) {
    SCOPED_TRACE(shape.name);
    const int found = find_instruction(std::string("any/") + shape.name);
    ASSERT_GE(found, 0);
    const OperandLayout& layout = instructions()[static_cast<std::size_t>(found)].layout;
    ASSERT_EQ(layout.a.bits, shape.bits);
    for (int k = 0; k < layout.k; ++k) {
      for (int block = 0; block < shape.blocks; ++block) {
        for (int row = 0; row < shape.rows; ++row) {
          const int lane = row + shape.rows * (block + shape.blocks * (k / shape.per_lane));
          ASSERT_LT(lane, wave);
          const int first_bit =
              32 * lane_word(lane, layout.a_words(), shape.per_lane * shape.bits / 32);
          EXPECT_EQ(layout.a.bit_of(k), first_bit + k % shape.per_lane * shape.bits);
        }
      }
    }
  }
}

TEST(HipInstructions, SpellingsOfAllGenerationsAreKnown) {
  const auto same = [](std::string_view one, std::string_view other) {
    return find_instruction(one) >= 0 && find_instruction(one) == find_instruction(other);
  };
  EXPECT_TRUE(same("cdna2/v_mfma_f32_32x32x4bf16_1k", "cdna3/v_mfma_f32_32x32x4_2b_bf16"));
  EXPECT_TRUE(same("cdna1/v_mfma_f32_4x4x1f32", "cdna3/v_mfma_f32_4x4x1_16b_f32@mma-sim"));
  EXPECT_TRUE(same("cdna2/v_mfma_f64_4x4x4f64", "cdna3/v_mfma_f64_4x4x4_4b_f64"));
  EXPECT_FALSE(same("cdna1/v_mfma_f32_32x32x4bf16", "cdna3/v_mfma_f32_32x32x4_2b_bf16"));
  EXPECT_EQ(find_instruction("ada/mma.m16n8k8.f32.f16.f16.f32"), -2);
  EXPECT_EQ(find_instruction("cdna3/v_mfma_f32_5x5"), -1);
}

/// If the project's vectors are available, every AMD name in them must be known, and every row must
/// be packed.
TEST(HipInstructions, EveryRowOfTheVectorsIsAccepted) {
  expect_every_recorded_row_packs(find_instruction, [](std::size_t i) -> const OperandLayout& {
    return instructions()[i].layout;
  });
}

}  // namespace
}  // namespace mmaspec::replay::hip
