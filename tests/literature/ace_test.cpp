// x86 ACE according to Bochs (bochs-emu/Bochs, cpu/avx/amx_top.cc, op2bf16_subtile() and
// TOP4MXBSSPS), implemented here in the host's arithmetic. Bochs itself does not run here.
#include <gtest/gtest.h>

#include <algorithm>
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

// Multiples of 2^-6 and powers of two: their exact sum fits in a double.
TEST(Ace, Top4mxbsspsIsWhatTheHostComputes) {
  const Instruction i = find_instruction("x86/top4mxbssps");
  DotRunner runner(i.algorithm, i.formats);
  std::mt19937 random(2);
  const int rows = is_full_run() ? 1'000'000 : 20'000;
  int tiny = 0;
  for (int row = 0; row < rows; ++row) {
    DotValues values{{}, {}, 0, {}, {}};
    double sum = 0;
    for (int k = 0; k < 4; ++k) {
      const auto a = static_cast<std::int8_t>(random() % 8 == 0 ? 0x80 : random());
      const auto b = static_cast<std::int8_t>(random() % 8 == 0 ? 0 : random());
      sum += std::ldexp(a, -6) * std::ldexp(b, -6);
      values.a.emplace_back(static_cast<std::uint8_t>(a));
      values.b.emplace_back(static_cast<std::uint8_t>(b));
    }
    // Any scale factors, and those with which the sum is near the least or the largest number.
    const auto factor = static_cast<int>(random() % 256);
    int other = static_cast<int>(random() % 256);
    if (row % 4 < 2) other = std::clamp((row % 4 == 0 ? 120 : 375) - factor + row % 16, 0, 255);
    values.scale_a.emplace_back(factor);
    values.scale_b.emplace_back(other);
    const float scaled = flushed(std::ldexp(sum, factor + other - 254));
    auto c = static_cast<std::uint32_t>(random());
    if (row % 3 == 0) c = std::bit_cast<std::uint32_t>(-scaled) ^ (random() % 4);
    values.c = c;
    float expected = flushed(static_cast<double>(operand(c)) + static_cast<double>(scaled));
    if (factor == 255 || other == 255) expected = std::nanf("");
    tiny += std::fpclassify(scaled) == FP_ZERO && sum != 0 ? 1 : 0;
    const auto d = runner.run(values).convert_to<std::uint32_t>();
    if (std::isnan(expected) && std::isnan(std::bit_cast<float>(d))) continue;
    ASSERT_EQ(d, std::bit_cast<std::uint32_t>(expected)) << "row " << row;
  }
  EXPECT_GT(tiny, rows / 20);
}

}  // namespace
}  // namespace mmaspec::ace_test
