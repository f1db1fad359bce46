// CDNA4 according to AMD's emulator rocjitsu (ROCm/rocm-systems, emulation/rocjitsu, mma_exec.h:
// exec_f32_mixed(), exec_f64(), exec_f32_scaled_impl()), implemented here in the host's arithmetic:
// std::fma in the order of k; with scale factors, blocks of 32 products from +0, std::ldexp(), and
// an addition. The emulator itself does not run here.
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

namespace mmaspec::cdna4_test {
namespace {

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
  for (std::size_t block = 0; block < sa.size(); ++block) {
    Float sum = 0;
    for (std::size_t k = 32 * block; k < 32 * block + 32; ++k) {
      sum = std::fma(static_cast<Float>(a[k]), static_cast<Float>(b[k]), sum);
    }
    d += sa[block] == 255 || sb[block] == 255 ? std::numeric_limits<Float>::quiet_NaN()
                                              : std::ldexp(sum, sa[block] + sb[block] - 254);
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
      sa.push_back(draw.scale(kind));
      sb.push_back(draw.scale(kind));
      values.scale_a.emplace_back(sa.back());
      values.scale_b.emplace_back(sb.back());
    }
    const std::uint64_t c = draw.pattern(lc, kind);
    values.c = c;
    const auto d = runner.run(values).convert_to<std::uint64_t>();
    if (lc.bits == 64) {
      const double expected = emulated(f, a, b, std::bit_cast<double>(c), sa, sb);
      if (std::isnan(expected) && std::isnan(std::bit_cast<double>(d))) continue;
      ASSERT_EQ(d, std::bit_cast<std::uint64_t>(expected)) << "row " << row;
    } else {
      const auto bits = static_cast<std::uint32_t>(c);
      const float expected = emulated(f, a, b, std::bit_cast<float>(bits), sa, sb);
      if (std::isnan(expected) && std::isnan(std::bit_cast<float>(static_cast<std::uint32_t>(d)))) {
        continue;
      }
      ASSERT_EQ(d, std::bit_cast<std::uint32_t>(expected)) << "row " << row;
    }
  }
}

TEST(Cdna4, IsWhatTheHostComputes) {
  int compared = 0;
  for (const Instruction& i : catalogue()) {
    if (i.architecture != "cdna4" || i.formats.a->is_integer()) continue;
    compare(i, is_full_run() ? 100'000 : 300);
    ++compared;
  }
  EXPECT_EQ(compared, 37);
}

// The instruction accepts any two of five formats; the catalogue has some pairs of them.
TEST(Cdna4, TakesAnyPairOfNarrowFormats) {
  for (const std::string stem :
       {"v_mfma_f32_16x16x128_f8f6f4", "v_mfma_scale_f32_32x32x64_f8f6f4"}) {
    for (const char* a : {"e4m3", "e5m2", "e2m3", "e3m2", "e2m1"}) {
      for (const char* b : {"e4m3", "e5m2", "e2m3", "e3m2", "e2m1"}) {
        const std::string name = stem + "." + a + "." + b;
        const Instruction i = find_instruction("mi355x/" + name);
        EXPECT_EQ(i.name(), "cdna4/" + name);
        EXPECT_EQ(i.formats.a->name, a);
        EXPECT_EQ(i.formats.b->name, b);
        compare(i, is_full_run() ? 10'000 : 60);
      }
    }
    EXPECT_THROW(find_instruction("cdna4/" + stem), std::invalid_argument);
    EXPECT_THROW(find_instruction("cdna4/" + stem + ".e4m3.f16"), std::invalid_argument);
    EXPECT_THROW(find_instruction("cdna3/" + stem + ".e4m3.e4m3"), std::invalid_argument);
  }
}

// AMD's fp8 and bf8 are the OCP's formats on CDNA4, and other formats on CDNA3.
TEST(Cdna4, HasTheFp8OfTheOcp) {
  EXPECT_EQ(find_instruction("cdna4/v_mfma_f32_16x16x32_fp8_bf8").formats.a->name, "e4m3");
  EXPECT_EQ(find_instruction("cdna4/v_mfma_f32_16x16x32_fp8_bf8").formats.b->name, "e5m2");
  EXPECT_EQ(find_instruction("cdna3/v_mfma_f32_16x16x32_fp8_bf8").formats.a->name, "e4m3fnuz");
  EXPECT_THROW(find_instruction("cdna4/v_mfma_f32_16x16x8_xf32"), std::invalid_argument);
}

}  // namespace
}  // namespace mmaspec::cdna4_test
