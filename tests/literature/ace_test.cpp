// x86 ACE according to Bochs (bochs-emu/Bochs, cpu/avx/amx_top.cc, op2bf16_subtile()), implemented
// here in the host's arithmetic. Bochs itself does not run here.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <random>

#include "concrete/dot/runner.h"
#include "spec/catalog/instruction.h"
#include "tests/support/case_selection.h"

namespace mmaspec::ace_test {
namespace {

/// The number rounded to f32; zero with its sign if the result, rounded with an unbounded exponent,
/// is less than the least normal number.
float flushed(double x) {
  const double scaled = std::ldexp(x, 64);
  if (std::abs(static_cast<float>(scaled)) < std::ldexp(1.0, 64 - 126)) {
    return std::copysign(0.0F, static_cast<float>(x));
  }
  return static_cast<float>(x);
}

float operand(std::uint32_t pattern) {
  const auto x = std::bit_cast<float>(pattern);
  return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0F, x) : x;
}

TEST(Ace, Top2bf16psIsWhatTheHostComputes) {
  const Instruction i = find_instruction("x86/top2bf16ps");
  DotRunner runner(i.algorithm, i.formats);
  std::mt19937 random(1);
  const int rows = is_full_run() ? 1'000'000 : 20'000;
  for (int row = 0; row < rows; ++row) {
    // Any exponents, exponents close together, and products near the least normal number.
    const auto bf16 = [&]() -> std::uint32_t {
      const auto bits = static_cast<std::uint32_t>(random());
      if (row % 3 == 0) return bits & 0xffff;
      const std::uint32_t exponent = (row % 3 == 1 ? 124U : 60U) + (bits >> 29);
      return (bits & 0x807f) | (exponent << 7);
    };
    const std::uint32_t a0 = bf16();
    const std::uint32_t a1 = bf16();
    const std::uint32_t b0 = bf16();
    const std::uint32_t b1 = bf16();
    const std::uint32_t c = row % 3 == 2
                                ? static_cast<std::uint32_t>(random()) & 0x81ffffff
                                : (bf16() << 16) | (static_cast<std::uint32_t>(random()) & 0xffff);
    const auto widened = [](std::uint32_t x) { return static_cast<double>(operand(x << 16)); };
    const float p0 = flushed(widened(a0) * widened(b0));
    const float p1 = flushed(widened(a1) * widened(b1));
    const float pair = flushed(static_cast<double>(p0) + p1);
    const float expected = flushed(static_cast<double>(operand(c)) + pair);
    const auto d = runner.run({{a0, a1}, {b0, b1}, c, {}, {}}).convert_to<std::uint32_t>();
    if (std::isnan(expected) && std::isnan(std::bit_cast<float>(d))) continue;
    ASSERT_EQ(d, std::bit_cast<std::uint32_t>(expected)) << "row " << row;
  }
}

}  // namespace
}  // namespace mmaspec::ace_test
