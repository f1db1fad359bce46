// CDNA5 according to AMD's emulator rocjitsu (ROCm/rocm-systems, emulation/rocjitsu, mma_exec.h:
// exec_wmma_f32_mixed(), exec_wmma_f16(), exec_wmma_bf16(), exec_wmma_f32_scaled_mixed(),
// exec_wmma_f64_16x16x4_f64()), implemented here in the host's arithmetic: std::fma in the order of
// k; a 16-bit result is that of f32, rounded to f16 or cut to bf16; with scale factors, blocks of
// 32 or 16 products from +0, two multiplications, and an addition. The emulator itself does not run
// here.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "concrete/dot/runner.h"
#include "spec/catalog/instruction.h"
#include "tests/support/case_selection.h"
#include "tests/support/host_fma_chain.h"

namespace mmaspec::cdna5_test {
namespace {

float scale_of(int pattern) {
  return pattern == 255 ? std::numeric_limits<float>::quiet_NaN()
                        : static_cast<float>(std::ldexp(1.0, pattern - 127));
}

void compare(const Instruction& i, int rows) {
  compare_with_host_chain(
      i, rows, [](auto sum, int sa, int sb) { return sum * scale_of(sa) * scale_of(sb); });
}

TEST(Cdna5, IsWhatTheHostComputes) {
  int compared = 0;
  for (const Instruction& i : catalogue()) {
    if (i.architecture != "cdna5" || i.formats.a->is_integer()) continue;
    compare(i, is_full_run() ? 20'000 : 300);
    ++compared;
  }
  EXPECT_EQ(compared, 32);
}

// The instruction accepts any two of five formats; the catalogue has some pairs of them.
TEST(Cdna5, TakesAnyPairOfNarrowFormats) {
  for (const std::string stem : {"v_wmma_f32_16x16x128_f8f6f4", "v_wmma_scale_f32_16x16x128_f8f6f4",
                                 "v_wmma_scale16_f32_16x16x128_f8f6f4"}) {
    for (const char* a : {"e4m3", "e5m2", "e2m3", "e3m2", "e2m1"}) {
      for (const char* b : {"e4m3", "e5m2", "e2m3", "e3m2", "e2m1"}) {
        const std::string name = stem + "." + a + "." + b;
        const Instruction i = find_instruction("gfx1250/" + name);
        EXPECT_EQ(i.name(), "cdna5/" + name);
        compare(i, is_full_run() ? 1'000 : 60);
      }
    }
    EXPECT_THROW(find_instruction("cdna5/" + stem), std::invalid_argument);
    EXPECT_THROW(find_instruction("cdna5/" + stem + ".e4m3.f16"), std::invalid_argument);
  }
  EXPECT_THROW(find_instruction("rdna4/v_wmma_f32_16x16x128_f8f6f4.e4m3.e4m3"),
               std::invalid_argument);
}

TEST(Cdna5, HasTheFormatsOfItsNames) {
  const auto names = [](const std::string& mnemonic) {
    const DotFormats f = formats_of("cdna5", mnemonic);
    return std::string(f.d->name) + " " + std::string(f.a->name) + " " + std::string(f.b->name) +
           " " + std::string(f.c->name) + " " + std::to_string(f.k) + " " +
           std::to_string(f.scales());
  };
  EXPECT_EQ(names("v_wmma_bf16f32_16x16x32_bf16"), "bf16 bf16 bf16 f32 32 0");
  EXPECT_EQ(names("v_wmma_f16_16x16x128_fp8_bf8"), "f16 e4m3 e5m2 f16 128 0");
  EXPECT_EQ(names("v_wmma_scale16_f32_32x16x128_f4"), "f32 e2m1 e2m1 f32 128 8");
  EXPECT_EQ(names("v_wmma_scale_f32_16x16x128_f8f6f4.e5m2.e3m2"), "f32 e5m2 e3m2 f32 128 4");
  EXPECT_EQ(names("v_wmma_i32_16x16x64_iu8.u8.s8.clamp"), "s32 u8 s8 s32 64 0");
  EXPECT_THROW(find_instruction("cdna5/v_mfma_f32_16x16x32_f16"), std::invalid_argument);
}

// The first scale factor may overflow or underflow where the product of both does not.
TEST(Cdna5, MultipliesByOneScaleFactorAfterTheOther) {
  const Instruction i = find_instruction("cdna5/v_wmma_scale_f32_16x16x128_f8f6f4.e5m2.e5m2");
  DotRunner runner(i.algorithm, i.formats);
  const auto d = [&](int a, int b, int sa, int sb) {
    DotValues v{std::vector<Integer>(128, 0), std::vector<Integer>(128, 0), 0,
                std::vector<Integer>(4, 127), std::vector<Integer>(4, 127)};
    v.a[0] = a;
    v.b[0] = b;
    v.scale_a[0] = sa;
    v.scale_b[0] = sb;
    return runner.run(v).convert_to<std::uint32_t>();
  };
  constexpr int kOne = 0x3c;
  EXPECT_EQ(d(kOne, kOne, 254, 0), 0x3f800000U);
  EXPECT_EQ(d(0x40, kOne, 254, 0), 0x7f800000U);  // 2 * 2^127 overflows
  EXPECT_EQ(d(0x40, kOne, 0, 254), 0x40000000U);
  EXPECT_EQ(d(1, 1, 0, 254), 0U);  // 2^-32 * 2^-127 underflows
  EXPECT_EQ(d(1, 1, 254, 0), 0x2f800000U);
}

// The emulator rounds bf16 results of SWMMAC, and cuts those of WMMA.
TEST(Cdna5, HasSparseNamesExceptOfBf16Results) {
  EXPECT_EQ(find_instruction("mi450/v_swmmac_f16_16x16x128_fp8_bf8").formats,
            find_instruction("cdna5/v_wmma_f16_16x16x64_fp8_bf8").formats);
  EXPECT_EQ(find_instruction("cdna5/v_swmmac_i32_16x16x128_iu8.u8.s8").formats.k, 64);
  EXPECT_THROW(find_instruction("cdna5/v_swmmac_bf16_16x16x64_bf16"), std::invalid_argument);
  EXPECT_THROW(find_instruction("cdna5/v_swmmac_bf16f32_16x16x64_bf16"), std::invalid_argument);
}

}  // namespace
}  // namespace mmaspec::cdna5_test
