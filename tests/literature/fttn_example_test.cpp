// FTTN section V (Li et al., CCGrid 2024): the orders of accumulation that give the five published
// results.
#include <gtest/gtest.h>

#include <cmath>

#include "examples/fttn_gemm.h"

namespace mmaspec::fttn::fttn_example_test {
namespace {

double answer(const std::string& name, double sign, const Order& order = {}) {
  Step step(find_instruction(name));
  return run(step, section_v(sign), order);
}

// A*B accumulated from zero with ascending k, then C - A*B; small products are negative.
TEST(FttnSectionV, PlainOrderGivesFourOfTheFiveResults) {
  for (const Gpu& gpu : gpus()) {
    const double d = answer(gpu.instructions[0], -1);
    if (gpu.name == "MI250X") {
      EXPECT_EQ(d, 255.875) << "published: 0";
    } else {
      EXPECT_EQ(d, gpu.published) << gpu.name;
    }
  }
}

// The signs printed in the paper make D negative, and give another number for H100.
TEST(FttnSectionV, PrintedSignsDoNotGiveTheResultOfH100) {
  EXPECT_EQ(answer("v100/mma.m8n8k4.f32.f16.f16.f32", 1), 0);
  EXPECT_EQ(answer("a100/mma.m16n8k16.f32.f16.f16.f32", 1), 0);
  EXPECT_EQ(answer("h100/mma.m16n8k16.f32.f16.f16.f32", 1), -128);
  EXPECT_EQ(answer("mi100/v_mfma_f32_16x16x16f16", 1), -256);
  EXPECT_EQ(answer("mi100/v_mfma_f32_16x16x16f16@mma-sim-2025", 1), -255.875);
}

// 255.875 does not distinguish pairwise from exact sums: both give it, while H100 gives 191.875.
TEST(FttnSectionV, BothModelsOfMi100GiveItsResult) {
  EXPECT_EQ(answer("mi100/v_mfma_f32_16x16x16f16", -1), 255.875);
  EXPECT_EQ(answer("mi100/v_mfma_f32_16x16x16f16@mma-sim-2025", -1), 255.875);
}

TEST(FttnSectionV, AddingProductsOneByOneGivesTheResultOfMi250x) {
  const Problem problem = section_v(-1);
  Step one(mi250x_with_group(1));
  EXPECT_EQ(run(one, problem, {}), 0);
  Step two(mi250x_with_group(2));
  EXPECT_NE(run(two, problem, {}), 0);
}

// With pairwise sums of four (MMA-Sim) no order of the search gives MI250X's 0.
TEST(FttnSectionV, NoOrderGivesTheResultOfMi250x) {
  Step step(find_instruction("mi250x/v_mfma_f32_16x16x16f16"));
  for (double sign : {1.0, -1.0}) {
    const Problem problem = section_v(sign);
    for (const Order& order : plausible_orders()) {
      EXPECT_NE(run(step, problem, order), 0) << sign << ": " << to_string(order);
    }
  }
}

}  // namespace
}  // namespace mmaspec::fttn::fttn_example_test
