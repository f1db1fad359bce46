// The machine's sums and conversions compared with the specification's.

#include "queries/studies/explain/arithmetic.h"

#include <gtest/gtest.h>

#include <random>

#include "concrete/evaluator.h"
#include "queries/compare/doubles.h"
#include "spec/formats/text.h"
#include "spec/plans/scheme.h"

namespace mmaspec::arithmetic_test {
namespace {

using explain::rounded_pattern;
using explain::SumArithmetic;

/// Patterns of all kinds: subnormal numbers, infinities, and numbers with similar exponents.
std::uint64_t drawn(const Format& f, std::mt19937_64& random) {
  const auto bits = static_cast<unsigned>(f.storage_bits);
  const std::uint64_t any = bits == 64 ? random() : random() & ((std::uint64_t{1} << bits) - 1);
  if (random() % 3 == 0) return any;
  const auto fraction = static_cast<unsigned>(f.fraction_bits);
  const std::uint64_t sign = any >> (bits - 1) << (bits - 1);
  const std::uint64_t field = static_cast<std::uint64_t>(f.bias) - 4 + random() % 8;
  const std::uint64_t low = any & ((std::uint64_t{1} << fraction) - 1);
  return sign | (random() % 3 == 0 ? 0 : field << fraction) | low;
}

TEST(ExplainArithmetic, AddsAsPlansDo) {
  for (const Format* f : {&formats::f16, &formats::bf16, &formats::f32, &formats::f64}) {
    Graph graph;
    const Graph::Building building(graph);
    const auto bits = static_cast<unsigned>(f->storage_bits);
    const NodeId sum = plus(*f, input("x", bits), input("y", bits)).id();
    const ExactEvaluator evaluator(graph, {sum});
    ExactEvaluator::Values values = evaluator.scratch();
    const SumArithmetic arithmetic(*f);
    std::mt19937_64 random(1);
    for (int i = 0; i < 20'000; ++i) {
      const std::uint64_t x = drawn(*f, random);
      const std::uint64_t y = drawn(*f, random);
      evaluator.evaluate({Integer(x), Integer(y)}, values);
      const auto expected = values[sum].convert_to<std::uint64_t>();
      const std::uint64_t got = arithmetic.add(x, y);
      if (explain::is_nan(*f, expected)) {
        EXPECT_TRUE(explain::is_nan(*f, got));
      } else {
        ASSERT_EQ(got, expected) << f->name << " " << x << " " << y;
      }
    }
  }
}

TEST(ExplainArithmetic, RoundsAsPlansDo) {
  const Format& f32 = formats::f32;
  const Doubles value(f32);
  for (const Format* f : {&formats::f16, &formats::bf16, &formats::e4m3, &formats::e5m2}) {
    std::mt19937_64 random(2);
    for (int i = 0; i < 20'000; ++i) {
      std::uint64_t x = drawn(f32, random);
      if (i % 2 == 0) x &= ~std::uint64_t{0xfff};  // many ties
      if (i % 3 == 0) x = (x & 0x807fffff) | (108 + random() % 40) << 23;
      if (explain::is_nan(f32, x)) continue;
      const auto expected = round_pattern(f32, x, *f).convert_to<std::uint64_t>();
      const std::uint64_t got = rounded_pattern(*f, value(x));
      if (explain::is_nan(*f, expected)) {
        EXPECT_TRUE(explain::is_nan(*f, got)) << f->name << " " << x;
      } else {
        ASSERT_EQ(got, expected) << f->name << " " << x;
      }
    }
  }
}

}  // namespace
}  // namespace mmaspec::arithmetic_test
