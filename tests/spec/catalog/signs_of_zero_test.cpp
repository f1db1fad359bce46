// Signs of zero results on AMD's matrix cores, according to MMA-Sim's released code and Khattak and
// Mikaitis's; also the existing variants, and their stated deviations from their models' code.

#include <gtest/gtest.h>

#include "spec/catalog/departures.h"
#include "tests/support/numeric_dot.h"

namespace mmaspec::signs_of_zero_test {
namespace {

using numeric::Dot;

const std::vector<std::string>& bf16_of_cdna1() {
  static const std::vector<std::string> names{"cdna1/v_mfma_f32_32x32x4bf16",
                                              "cdna1/v_mfma_f32_32x32x4bf16@mma-sim",
                                              "cdna1/v_mfma_f32_32x32x4bf16@khattak-mikaitis"};
  return names;
}
const std::vector<std::string>& bf16_of_cdna2() {
  static const std::vector<std::string> names{"cdna2/v_mfma_f32_32x32x4bf16",
                                              "cdna2/v_mfma_f32_32x32x4bf16@mma-sim",
                                              "cdna2/v_mfma_f32_32x32x8bf16_1k"};
  return names;
}

// MMA-Sim's older code multiplies by fma(a, b, +0); Khattak and Mikaitis's returns 0 first.
TEST(SignsOfZero, OfResultsAreNotTheSignsOfProducts) {
  std::vector<std::string> names = bf16_of_cdna1();
  names.insert(names.end(), bf16_of_cdna2().begin(), bf16_of_cdna2().end());
  names.insert(names.end(), {"cdna1/v_mfma_f32_32x32x4bf16@mma-sim-2025",
                             "cdna1/v_mfma_f32_32x32x8f16", "cdna2/v_mfma_f32_32x32x8f16"});
  for (const std::string& name : names) {
    const Dot dot(name);
    const std::vector<std::string> ones(static_cast<std::size_t>(dot.formats().k), "1");
    const std::vector<std::string> zeros(ones.size(), "-0");
    EXPECT_EQ(dot.bits(zeros, ones, "-0"), 0) << name;
    EXPECT_EQ(dot.bits(zeros, ones, "0"), 0) << name;
    EXPECT_EQ(dot.bits({}, {}, "-0"), 0) << name;
    EXPECT_EQ(dot.bits({"1"}, {"1"}, "-1"), 0) << name;
  }
}

// A sum that underflows keeps its sign; so does a product, and its sum with a zero of that sign.
// CDNA2 flushes a c of -0 to +0.
TEST(SignsOfZero, OfUnderflowStay) {
  const std::vector<std::string> tiny{"0x1p-100", "0x1p-100", "0x1p-100", "0x1p-100"};
  const std::vector<std::string> negative{"-0x1p-100", "-0x1p-100", "-0x1p-100", "-0x1p-100"};
  for (const std::string& name : bf16_of_cdna1()) {
    EXPECT_EQ(Dot(name).bits(tiny, negative, "-0"), 0x80000000U) << name;
    EXPECT_EQ(Dot(name).bits(tiny, negative, "0"), 0x80000000U) << name;
  }
  const Dot pairwise("cdna1/v_mfma_f32_32x32x4bf16@mma-sim-2025");
  EXPECT_EQ(pairwise.bits(tiny, negative, "-0"), 0x80000000U);
  EXPECT_EQ(pairwise.bits(tiny, negative, "0"), 0);
  for (const std::string& name : bf16_of_cdna2()) {
    EXPECT_EQ(Dot(name).bits(tiny, negative, "-0"), 0) << name;
  }
  // MMA-Sim 2.1.1 keeps the sign of CDNA2's products that are -0, after a sum that was flushed.
  const std::vector<std::string> a{"-0x1.8p-63", "0", "0", "0"};
  const std::vector<std::string> b{"0x1p-63", "0", "-1", "-1"};
  const std::string cdna2 = "cdna2/v_mfma_f32_32x32x4bf16";
  EXPECT_EQ(Dot(cdna2).bits(a, b, "0x1p-126"), 0);
  EXPECT_EQ(Dot(cdna2 + "@mma-sim-2025").bits(a, b, "0x1p-126"), 0);
  EXPECT_EQ(Dot(cdna2 + "@mma-sim").bits(a, b, "0x1p-126"), 0x80000000U);
  // The sum, -0x1p-127, is flushed.
  EXPECT_EQ(Dot("cdna2/v_mfma_f32_32x32x2bf16").bits({"0x1p-63"}, {"0x1p-63"}, "-0x1.8p-126"),
            0x80000000U);
}

bool exists(const std::string& name) {
  try {
    find_instruction(name);
    return true;
  } catch (const std::invalid_argument&) {
    return false;
  }
}

TEST(Variants, ExistForTheReleasedCode) {
  const auto khattak_mikaitis = [](const std::string& name) {
    EXPECT_TRUE(exists(name)) << name;
    return exists(name + "@khattak-mikaitis");
  };
  EXPECT_TRUE(khattak_mikaitis("hopper/wgmma.m64n8k16.f32.bf16.bf16"));
  EXPECT_TRUE(khattak_mikaitis("hopper/wgmma.m64n8k16.f16.f16.f16"));
  EXPECT_TRUE(khattak_mikaitis("hopper/wgmma.m64n8k32.f32.e5m2.e5m2"));
  EXPECT_FALSE(khattak_mikaitis("hopper/wgmma.m64n8k32.f32.e4m3.e5m2")) << "mixed formats";
  EXPECT_FALSE(khattak_mikaitis("hopper/wgmma.m64n8k32.f16.e4m3.e4m3")) << "f16 results of FP8";
  EXPECT_FALSE(khattak_mikaitis("blackwell/tcgen05.mma.m64n8k32.f32.e3m2.e3m2")) << "FP6";
  EXPECT_FALSE(
      khattak_mikaitis("blackwell/tcgen05.mma.block_scale.m128n8k32.block32.f32.e4m3.e4m3.ue8m0"))
      << "scale factors";
}

TEST(Variants, StateDeviationsFromTheCodeOfTheirModel) {
  const auto count = [](const std::string& name) {
    return departures(find_instruction(name)).size();
  };
  EXPECT_EQ(count("ampere/mma.m16n8k16.f32.f16.f16.f32"), 0U);
  EXPECT_EQ(count("ampere/mma.m16n8k16.f32.f16.f16.f32@mma-sim"), 0U);
  EXPECT_EQ(count("ampere/mma.m16n8k16.f32.f16.f16.f32@khattak-mikaitis"), 0U);
  EXPECT_EQ(count("ada/mma.m16n8k32.f32.e5m2.e5m2.f32@khattak-mikaitis"), 0U);
  EXPECT_EQ(count("ampere/mma.m16n8k16.f32.bf16.bf16.f32@khattak-mikaitis"), 3U);
  EXPECT_EQ(count("ampere/mma.m16n8k8.f32.bf16.bf16.f32@khattak-mikaitis"), 2U);
  EXPECT_EQ(count("ampere/mma.m16n8k16.f16.f16.f16.f16@khattak-mikaitis"), 4U);
  EXPECT_EQ(count("cdna1/v_mfma_f32_32x32x4f16@khattak-mikaitis"), 0U);
  EXPECT_EQ(count("cdna1/v_mfma_f32_32x32x2bf16@khattak-mikaitis"), 1U);
  EXPECT_EQ(count("cdna1/v_mfma_f32_32x32x4bf16@khattak-mikaitis"), 2U);
  EXPECT_EQ(count("design:sequential-fma(k=1)"), 0U);
}

}  // namespace
}  // namespace mmaspec::signs_of_zero_test
