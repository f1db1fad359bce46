// Exception flags, compared with those of this machine's fused multiply-add.

#include "spec/parts/ieee_flags.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cfenv>
#include <cmath>

#include "concrete/batch/evaluator.h"
#include "queries/draw/samples.h"

namespace mmaspec::ieee_flags_test {
namespace {

constexpr DotFormats kSingle{&formats::f32, &formats::f32, &formats::f32, &formats::f32, 1};

float number(std::uint64_t pattern) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(pattern));
}

bool is_signalling(std::uint64_t pattern) {
  return std::isnan(number(pattern)) && (pattern & 0x400000) == 0;
}

/// IEEE 754 leaves open whether infinity times zero plus a quiet NaN is invalid.
bool is_open(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  const float x = number(a);
  const float y = number(b);
  const bool is_invalid_product = (std::isinf(x) && y == 0) || (std::isinf(y) && x == 0);
  return is_invalid_product && std::isnan(number(c));
}

std::uint64_t machine_flags(std::uint64_t a, std::uint64_t b, std::uint64_t c, int rounding) {
  std::fesetround(rounding);
  std::feclearexcept(FE_ALL_EXCEPT);
  volatile float x = number(a);
  volatile float y = number(b);
  volatile float z = number(c);
  volatile float d = std::fma(x, y, z);
  (void)d;
  const int raised = std::fetestexcept(FE_ALL_EXCEPT);
  std::fesetround(FE_TONEAREST);
  return ((raised & FE_INVALID) != 0 ? 16U : 0U) | ((raised & FE_OVERFLOW) != 0 ? 4U : 0U) |
         ((raised & FE_UNDERFLOW) != 0 ? 2U : 0U) | ((raised & FE_INEXACT) != 0 ? 1U : 0U);
}

void compare_with_machine(Rounding rounding, int machine_rounding) {
  Graph graph;
  std::vector<NodeId> roots;
  {
    const Graph::Building building(graph);
    const DotOperands operands = dot_inputs(kSingle);
    const ResultFormat result{&formats::f32, rounding};
    roots.push_back(
        flags_pattern(ieee_flags(kSingle, operands, result, Tininess::after_rounding)).id());
  }
  const BatchEvaluator evaluator(graph, roots);
  BatchEvaluator::Scratch scratch;
  Sampler sampler(kSingle, InputClass::any, 3);
  Lanes inputs(3, 1024);
  Lanes flags(1, 1024);
  std::array<std::size_t, 5> raised{};
  for (int batch = 0; batch < 20; ++batch) {
    sampler.fill(inputs);
    // Products and sums near the least normal number, where tininess matters.
    for (std::size_t lane = 0; lane < inputs.lanes(); lane += 4) {
      inputs[0][lane] = (inputs[0][lane] & 0x807fffff) | 0x20000000;
      inputs[1][lane] = (inputs[1][lane] & 0x807fffff) | 0x20000000;
      inputs[2][lane] = (inputs[2][lane] & 0x80000007) | 0x007ffff8;
    }
    evaluator.evaluate(inputs, flags, scratch);
    for (std::size_t lane = 0; lane < inputs.lanes(); ++lane) {
      const std::uint64_t a = inputs[0][lane];
      const std::uint64_t b = inputs[1][lane];
      const std::uint64_t c = inputs[2][lane];
      if (is_open(a, b, c)) continue;
      ASSERT_EQ(flags[0][lane], machine_flags(a, b, c, machine_rounding))
          << std::hex << a << " " << b << " " << c;
      for (std::size_t i = 0; i < 5; ++i) raised[i] += flags[0][lane] >> i & 1;
    }
  }
  for (const std::size_t i : {0U, 1U, 2U, 4U}) EXPECT_GT(raised[i], 100U) << i;
}

TEST(IeeeFlags, AreThoseOfThisMachine) {
#if !defined(__x86_64__)
  GTEST_SKIP() << "tininess is detected after rounding on x86";
#endif
  if (machine_flags(0x7f800001, 0x3f800000, 0, FE_TONEAREST) != 16 || is_signalling(0x7fc00000)) {
    GTEST_SKIP() << "this machine's fma does not raise flags";
  }
  compare_with_machine(Rounding::nearest_even, FE_TONEAREST);
  compare_with_machine(Rounding::toward_zero, FE_TOWARDZERO);
  compare_with_machine(Rounding::down, FE_DOWNWARD);
  compare_with_machine(Rounding::up, FE_UPWARD);
}

std::uint64_t flags_of(std::uint64_t a, std::uint64_t b, std::uint64_t c, Tininess tininess) {
  Graph graph;
  NodeId root = 0;
  {
    const Graph::Building building(graph);
    root = flags_pattern(ieee_flags(kSingle, dot_inputs(kSingle), {&formats::f32}, tininess)).id();
  }
  const ExactEvaluator evaluator(graph, {root});
  ExactEvaluator::Values values = evaluator.scratch();
  evaluator.evaluate({Integer(a), Integer(b), Integer(c)}, values);
  return values[root].convert_to<std::uint64_t>();
}

TEST(IeeeFlags, TininessIsBeforeOrAfterRounding) {
  // 2^-126 - 2^-151 is below the least normal number. Rounded to 24 bits, it is 2^-126.
  const std::uint64_t a = 0x32800000;  // 2^-26
  const std::uint64_t b = 0x81000000;  // -2^-125
  const std::uint64_t c = 0x00800000;  // 2^-126
  EXPECT_EQ(flags_of(a, b, c, Tininess::before_rounding), 3U);
  EXPECT_EQ(flags_of(a, b, c, Tininess::after_rounding), 1U);
}

TEST(IeeeFlags, InfinityTimesZeroIsInvalidEvenWithAQuietNaN) {
  EXPECT_EQ(flags_of(0x7f800000, 0, 0x7fc00000, Tininess::after_rounding), 16U);
  EXPECT_EQ(flags_of(0x7fc00000, 0, 0x7f800000, Tininess::after_rounding), 0U);
}

}  // namespace
}  // namespace mmaspec::ieee_flags_test
