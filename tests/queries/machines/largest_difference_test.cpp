// The largest difference on random data compared with the same rows one by one, in rational
// numbers.

#include "queries/studies/machines/largest_difference.h"

#include <gtest/gtest.h>

#include "concrete/dot/runner.h"
#include "queries/values/exact_result.h"

namespace mmaspec::largest_difference_test {
namespace {

TEST(LargestDifference, EqualsThatOfTheRowsOneByOne) {
  const std::string f16 = "hopper/mma.m16n8k16.f32.f16.f16.f32";
  const std::string fp8 = "hopper/wgmma.m64n8k32.f32.e4m3.e4m3";
  const Condition positive = [](const DotFormats&, const DotOperands&, Int d) {
    return !bit(d, 31);
  };
  struct Setting {
    std::string first;
    std::string second;
    Condition where;
  };
  for (const Setting& s :
       {Setting{f16, "volta/mma.m8n8k4.f32.f16.f16.f32", {}},
        {"plan:chain(" + f16 + ",k=96)", "plan:split-k(" + f16 + ",k=96,parts=2)", positive},
        {"plan:epilogue(" + f16 + ",out=bf16)", "plan:epilogue(" + f16 + ",out=e4m3)", {}},
        {"plan:promote(" + fp8 + ",k=64,every=32)", "plan:chain(" + fp8 + ",k=64)", {}},
        {"design:exact-dot-add(a=bf16,c=f32,d=f32,k=4)",
         "design:fused-dot-add(a=f16,c=f32,d=f32,k=4,fraction_bits=12)",
         {}}}) {
    const Pair pair = pair_up(find_instruction(s.first), find_instruction(s.second), {});
    constexpr std::size_t kRows = 700;
    const LargestDifference found = largest_difference(
        pair, s.where, TypicalData(pair.first.formats, Distribution::normal, 8), kRows, Deadline());
    const DotFormats& f = pair.first.formats;
    const DotFormats& g = pair.second.formats;
    TypicalData data(f, Distribution::normal, 8);
    DotRunner first(pair.first.algorithm, f);
    DotRunner second(pair.second.algorithm, g);
    ConditionProgram condition(s.where, f);
    LargestDifference expected;
    DotValues worst;
    for (std::size_t i = 0; i < kRows; ++i) {
      const DotValues values = data.next();
      const Integer d = first.run(values);
      if (!condition.holds(values, d)) continue;
      std::optional<DotValues> other;
      try {
        other = counterpart(pair, Match::values, values);
      } catch (const NoCounterpart&) {
        continue;
      }
      ++expected.rows;
      const Decoded x = decode(*f.d, d);
      const Decoded y = decode(*g.d, second.run(*other));
      if (!x.is_finite() || !y.is_finite()) {
        ++expected.not_finite;
        continue;
      }
      const Rational apart = abs(Rational(x.value() - y.value()));
      if (apart <= expected.largest) continue;
      expected.largest = apart;
      worst = values;
    }
    EXPECT_EQ(found.rows, expected.rows) << s.first;
    EXPECT_EQ(found.largest, expected.largest) << s.first;
    EXPECT_EQ(found.not_finite, expected.not_finite) << s.first;
    EXPECT_GT(found.rows, 0U) << s.first;
    EXPECT_GT(found.largest, 0) << s.first;
    EXPECT_TRUE(found.worst == worst) << s.first;
  }
}

}  // namespace
}  // namespace mmaspec::largest_difference_test
