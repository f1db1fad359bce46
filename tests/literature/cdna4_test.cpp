// CDNA4 according to AMD's emulator rocjitsu (ROCm/rocm-systems, emulation/rocjitsu, mma_exec.h:
// exec_f32_mixed(), exec_f64(), exec_f32_scaled_impl()), implemented here in the host's arithmetic:
// std::fma in the order of k; with scale factors, blocks of 32 products from +0, std::ldexp(), and
// an addition. The emulator itself does not run here.
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

namespace mmaspec::cdna4_test {
namespace {

void compare(const Instruction& i, int rows) {
  compare_with_host_chain(i, rows, [](auto sum, int sa, int sb) {
    using Float = decltype(sum);
    return sa == 255 || sb == 255 ? std::numeric_limits<Float>::quiet_NaN()
                                  : std::ldexp(sum, sa + sb - 254);
  });
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
