// Units that are not designs of the space: the answer is that there is none, or that results vary,
// and never a name.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "concrete/dot/runner.h"
#include "queries/studies/identify/conflict.h"
#include "queries/studies/identify/identify.h"
#include "spec/catalog/open_design.h"
#include "spec/formats/text.h"
#include "tests/identify/function_oracle.h"
#include "util/split_mix.h"

namespace mmaspec::outside_test {
namespace {

DotFormats formats_of(const std::string& text) {
  return find_instruction("design:exact-dot-add(" + text + ")").formats;
}

Identification identify(const Space& space, Oracle& oracle, std::size_t confirm) {
  IdentifyOptions options;
  options.confirm = confirm;
  options.strategies.jobs = 2;
  options.strategies.deadline = Deadline::in(300);
  options.pair_seconds = 2;
  return mmaspec::identify(space, oracle, {}, options, {"auto", Limits{300}});
}

double number(const Format& format, const Integer& pattern) {
  const Decoded d = decode(format, pattern);
  if (d.is_nan) return std::nan("");
  if (d.is_infinite) return d.negative ? -HUGE_VAL : HUGE_VAL;
  return std::ldexp(d.significand.convert_to<double>(), d.exponent) * (d.negative ? -1 : 1);
}

Integer pattern(float x) { return std::bit_cast<std::uint32_t>(x); }

float product(const DotValues& v, std::size_t k) {
  // Exact: 22 bits.
  return static_cast<float>(number(formats::f16, v.a[k]) * number(formats::f16, v.b[k]));
}

/// Checks that this is the answer, with answers of the unit that no design explains.
void expect_none(const Space& space, const Identification& found) {
  EXPECT_EQ(found.verdict, Identified::none_fits) << found.why;
  EXPECT_TRUE(found.names.empty());
  ASSERT_FALSE(found.conflict.empty());
  VersionSpace survivors(space);
  survivors.take(found.conflict, {}, 2);
  EXPECT_TRUE(survivors.empty());
}

TEST(Outside, ASumInDoubleIsNotNamed) {
  // Exact unless terms are 2^53 apart; rounded again to f32 at the end.
  const DotFormats formats = formats_of("a=f16,c=f32,k=4");
  FunctionOracle oracle([](const DotValues& v) {
    double sum = number(formats::f32, v.c);
    for (std::size_t k = 0; k < v.a.size(); ++k) sum += static_cast<double>(product(v, k));
    return pattern(static_cast<float>(sum));
  });
  const Space space(formats, {});
  expect_none(space, identify(space, oracle, 10'000));
}

TEST(Outside, AnUnusualTreeIsNotNamed) {
  // ((p0 + p1 + p2) + (p3 + c)), each sum rounded to f32.
  const DotFormats formats = formats_of("a=f16,c=f32,k=4");
  FunctionOracle oracle([](const DotValues& v) {
    const auto c = static_cast<float>(number(formats::f32, v.c));
    const float left = product(v, 0) + product(v, 1) + product(v, 2);
    return pattern(left + (product(v, 3) + c));
  });
  const Space space(formats, {});
  expect_none(space, identify(space, oracle, 2000));
}

TEST(Outside, FractionBitsThatDependOnTheSignAreNotNamed) {
  const DotFormats formats = formats_of("a=f16,c=f32,k=4");
  DotRunner positive(find_instruction("design:fused-dot-add(k=4,fraction_bits=25)").algorithm,
                     formats);
  DotRunner negative(find_instruction("design:fused-dot-add(k=4,fraction_bits=24)").algorithm,
                     formats);
  FunctionOracle oracle([&](const DotValues& v) {
    const Integer d = positive.run(v);
    return bit_length(d) > 31 ? negative.run(v) : d;
  });
  const Space space(formats, {});
  const Identification found = identify(space, oracle, 2000);
  expect_none(space, found);
  EXPECT_TRUE(found.conflict_is_irreducible);
  ASSERT_TRUE(found.design);  // the nearest
  EXPECT_FALSE(found.failing.empty());
}

TEST(Outside, ADesignWithRandomErrorsIsNotNamed) {
  const Instruction hidden = find_instruction("volta/mma.m8n8k4.f32.f16.f16.f32");
  const Space space(hidden.formats, {});
  for (const unsigned seed : {1U, 2U}) {
    DotRunner runner(hidden.algorithm, hidden.formats);
    SplitMix random(seed);
    std::size_t flips = 0;
    FunctionOracle oracle([&](const DotValues& v) {
      const Integer d = runner.run(v);
      if (!random.one_in(10'000)) return d;
      ++flips;
      return Integer(d ^ power_of_two(static_cast<unsigned>(random.below(32))));
    });
    const Identification found = identify(space, oracle, 10'000);
    ASSERT_GT(flips, 0U);
    // Each input is asked twice, so that noise is found.
    EXPECT_EQ(found.verdict, Identified::undecided);
    EXPECT_EQ(found.why, "answers change");
    EXPECT_FALSE(found.unsteady.empty());
  }
}

TEST(Outside, ADesignWithAFewWrongResultsIsNotNamed) {
  // An input always gives the same wrong result: one in 1,000, by a hash of the input.
  const Instruction hidden = find_instruction("volta/mma.m8n8k4.f32.f16.f16.f32");
  const Space space(hidden.formats, {});
  DotRunner runner(hidden.algorithm, hidden.formats);
  FunctionOracle oracle([&](const DotValues& v) {
    auto hash = static_cast<unsigned>(v.c);
    for (const Integer& a : v.a) hash = hash * 1'000'003 + static_cast<unsigned>(a);
    const Integer d = runner.run(v);
    return SplitMix(hash).one_in(1000) ? Integer(d ^ 1) : d;
  });
  const Identification found = identify(space, oracle, 10'000);
  expect_none(space, found);
  // The nearest design is the one that the unit almost equals.
  ASSERT_TRUE(found.design);
  EXPECT_LE(found.failing.size(), 30U);
}

}  // namespace
}  // namespace mmaspec::outside_test
