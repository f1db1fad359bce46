// CDNA5 according to AMD's emulator rocjitsu (ROCm/rocm-systems, emulation/rocjitsu, mma_exec.h:
// exec_wmma_f32_mixed(), exec_wmma_f16(), exec_wmma_bf16(), exec_wmma_f32_scaled_mixed(),
// exec_wmma_f64_16x16x4_f64()), implemented here in the host's arithmetic: std::fma in the order of
// k; a 16-bit result is that of f32, rounded to f16 or cut to bf16; with scale factors, blocks of
// 32 or 16 products from +0, two multiplications, and an addition. The emulator itself does not run
// here.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "concrete/dot/runner.h"
#include "spec/catalog/instruction.h"
#include "tests/support/case_selection.h"
#include "tests/support/host_formats.h"

namespace mmaspec::cdna5_test {
namespace {

float scale_of(int pattern) {
  return pattern == 255 ? std::numeric_limits<float>::quiet_NaN()
                        : static_cast<float>(std::ldexp(1.0, pattern - 127));
}

/// To nearest even, in units of 2^-24 or of the significand's last bit.
std::uint64_t f16_pattern(float x) {
  const std::uint64_t sign = std::signbit(x) ? 0x8000 : 0;
  const double size = std::abs(static_cast<double>(x));
  if (size >= 65520) return sign | 0x7c00;
  if (size < std::ldexp(1.0, -14)) {
    return sign | static_cast<std::uint64_t>(std::nearbyint(std::ldexp(size, 24)));
  }
  const int exponent = std::ilogb(size);
  const double significand = std::nearbyint(std::ldexp(size, 10 - exponent));
  // A carry goes to the next exponent.
  return sign + static_cast<std::uint64_t>(significand) +
         (static_cast<std::uint64_t>(exponent + 14) << 10);
}

template <typename Float>
Float emulated(const DotFormats& f, const std::vector<double>& a, const std::vector<double>& b,
               Float c, const std::vector<int>& sa, const std::vector<int>& sb) {
  Float d = c;
  if (f.scale == nullptr) {
    for (std::size_t k = 0; k < a.size(); ++k) {
      d = std::fma(static_cast<Float>(a[k]), static_cast<Float>(b[k]), d);
    }
    return d;
  }
  const auto block = static_cast<std::size_t>(f.scale_block);
  for (std::size_t i = 0; i < sa.size(); ++i) {
    Float sum = 0;
    for (std::size_t k = block * i; k < block * (i + 1); ++k) {
      sum = std::fma(static_cast<Float>(a[k]), static_cast<Float>(b[k]), sum);
    }
    sum *= scale_of(sa[i]);
    sum *= scale_of(sb[i]);
    d += sum;
  }
  return d;
}

void compare(const Instruction& i, int rows) {
  SCOPED_TRACE(i.name());
  const DotFormats& f = i.formats;
  DotRunner runner(i.algorithm, f);
  Draw draw(static_cast<unsigned>(f.k));
  const Layout& la = layout_of(*f.a);
  const Layout& lb = layout_of(*f.b);
  const Layout& lc = layout_of(*f.c);
  const Layout& ld = layout_of(*f.d);
  for (int row = 0; row < rows; ++row) {
    DotValues values;
    std::vector<double> a;
    std::vector<double> b;
    std::vector<int> sa;
    std::vector<int> sb;
    const int kind = row % 3;
    for (int k = 0; k < f.k; ++k) {
      const std::uint64_t x = draw.pattern(la, kind);
      const std::uint64_t y = draw.pattern(lb, kind == 2 ? 1 : kind);
      values.a.emplace_back(x);
      values.b.emplace_back(y);
      a.push_back(value_of(la, x));
      b.push_back(value_of(lb, y));
    }
    for (int n = 0; n < f.scales(); ++n) {
      // Also opposite ones, whose first product overflows or becomes subnormal.
      sa.push_back(row % 6 == 5 ? (row % 12 == 5 ? 1 + n : 250 + n % 4) : draw.scale(kind));
      sb.push_back(row % 6 == 5 ? 254 - sa.back() : draw.scale(kind));
      values.scale_a.emplace_back(sa.back());
      values.scale_b.emplace_back(sb.back());
    }
    const std::uint64_t c = draw.pattern(lc, kind);
    values.c = c;
    const auto d = runner.run(values).convert_to<std::uint64_t>();
    if (ld.bits == 64) {
      const double expected = emulated(f, a, b, std::bit_cast<double>(c), sa, sb);
      if (std::isnan(expected) && std::isnan(std::bit_cast<double>(d))) continue;
      ASSERT_EQ(d, std::bit_cast<std::uint64_t>(expected)) << "row " << row;
      continue;
    }
    const float expected = emulated(f, a, b, static_cast<float>(value_of(lc, c)), sa, sb);
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(value_of(ld, d))) << "row " << row;
      continue;
    }
    const auto bits = std::bit_cast<std::uint32_t>(expected);
    ASSERT_EQ(d, ld.name == "f32"    ? bits
                 : ld.name == "bf16" ? bits >> 16
                                     : f16_pattern(expected))
        << "row " << row;
  }
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
