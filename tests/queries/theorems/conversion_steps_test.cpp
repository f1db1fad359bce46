// Conclusions about conversions from their steps, compared with every operand of 16 bits.

#include <gtest/gtest.h>

#include "concrete/batch/evaluator.h"
#include "concrete/dot/model.h"
#include "queries/theorems/steps.h"
#include "queries/values/distance.h"
#include "queries/values/exact_result.h"
#include "queries/values/ordinals.h"
#include "spec/conversions/conversions.h"
#include "spec/formats/text.h"
#include "tests/support/numeric_reference.h"
#include "util/split_mix.h"

namespace mmaspec::conversion_steps_test {
namespace {

/// The operands in ascending order, without NaN, and their results.
struct Results {
  std::vector<Integer> c;
  std::vector<Integer> d;
};

Results all_results(const Instruction& i) {
  const Format& from = *i.formats.c;
  std::vector<Integer> operands;
  for (int pattern = 0; pattern < 1 << from.storage_bits; ++pattern) {
    if (!decode(from, pattern).is_nan) operands.emplace_back(pattern);
  }
  std::stable_sort(operands.begin(), operands.end(), [&](const Integer& x, const Integer& y) {
    return ordinal(from, x) < ordinal(from, y);
  });
  const DotModel model(i.algorithm, i.formats);
  const BatchEvaluator evaluator(model.graph(), {model.result()});
  Lanes in(1, operands.size());
  Lanes out(1, operands.size());
  for (std::size_t lane = 0; lane < operands.size(); ++lane) {
    in[0][lane] = operands[lane].convert_to<std::uint64_t>();
  }
  BatchEvaluator::Scratch scratch;
  evaluator.evaluate(in, out, scratch);
  return {operands, {out[0], out[0] + operands.size()}};
}

/// The number of neighbours whose results are numbers that fall.
int falls(const Instruction& i, const Results& results) {
  const Format& to = *i.formats.d;
  int count = 0;
  std::optional<Integer> last;
  for (const Integer& d : results.d) {
    if (decode(to, d).is_nan) continue;
    const Integer place = ordinal(to, d);
    if (last && place < *last) ++count;
    last = place;
  }
  return count;
}

TEST(ConversionSteps, AreContradictedByNoOperand) {
  SplitMix random(17);
  const auto any = [&](std::initializer_list<const char*> of) {
    return std::string(of.begin()[random.index(of.size())]);
  };
  int monotone = 0;
  int declined_and_falling = 0;
  int rounded_once = 0;
  int stochastic = 0;
  int symmetric = 0;
  int no_earlier = 0;
  for (int n = 0; n < 60; ++n) {
    std::string name = "design:conversion(c=" + any({"f16", "bf16"}) +
                       ",d=" + any({"e5m2", "e4m3", "f16", "bf16", "e2m1", "e3m2", "f32"}) +
                       ",overflow=" + any({"infinity", "saturate", "directed"});
    if (random.one_in(2)) name += ",infinity_is_largest=yes";
    if (random.one_in(3)) {
      name += ",random_bits=7,random=" +
              std::to_string(random.one_in(4) ? 64 : random.between(0, 127)) +
              ",tiny_is_zero=" + any({"yes", "no"});
    } else {
      name += ",round=" + any({"rne", "rz", "rd", "ru", "rna"});
    }
    if (random.one_in(3)) name += ",relu=yes";
    if (random.one_in(4)) name += ",flush_operand=yes";
    if (random.one_in(4)) name += ",flush_result=yes";
    if (random.one_in(3)) name += ",exponent=" + std::to_string(random.between(-20, 20));
    const Instruction i = find_with_conversions(name + ")");
    const Results results = all_results(i);
    if (is_monotone_conversion(i)) {
      ++monotone;
      EXPECT_EQ(falls(i, results), 0) << name;
    } else {
      declined_and_falling += falls(i, results) > 0 ? 1 : 0;
    }
    if (treats_signs_alike(i)) {
      ++symmetric;
      const DotModel model(i.algorithm, i.formats);
      for (std::size_t k = 0; k < results.c.size(); k += 9973) {
        const Integer other = model.run({{}, {}, negated(*i.formats.c, results.c[k]), {}, {}});
        const bool is_nan = decode(*i.formats.d, results.d[k]).is_nan;
        ASSERT_TRUE(is_nan || same_value(*i.formats.d, negated(*i.formats.d, other), results.d[k]))
            << name << " of " << to_hex(results.c[k]);
      }
    }
    if (overflows_no_earlier(i)) {
      ++no_earlier;
      const Format& d = *i.formats.d;
      for (std::size_t k = 0; k < results.c.size(); k += 211) {
        const Decoded c = decode(*i.formats.c, results.c[k]);
        if (!c.is_finite() || decode(d, results.d[k]).is_finite()) continue;
        ASSERT_FALSE(decode(d, nearest_even(d, c.value())).is_finite())
            << name << " of " << to_hex(results.c[k]);
      }
    }
    if (is_faithfully_rounded(i)) {
      stochastic += name.find("random_bits") != std::string::npos ? 1 : 0;
      for (std::size_t k = 0; k < results.c.size(); k += 211) {
        const Decoded c = decode(*i.formats.c, results.c[k]);
        if (!c.is_finite()) continue;
        const Neighbours near = neighbours(*i.formats.d, c.value());
        ASSERT_TRUE(same_value(*i.formats.d, results.d[k], near.below) ||
                    same_value(*i.formats.d, results.d[k], near.above))
            << name << " of " << to_hex(results.c[k]);
      }
    }
    const auto once = only_rounding(i);
    if (!once) continue;
    ++rounded_once;
    for (std::size_t k = 0; k < results.c.size(); k += 97) {
      const Decoded c = decode(*i.formats.c, results.c[k]);
      if (!c.is_finite()) continue;
      const Integer wanted = numeric::round_to(*once, c.value());
      const bool both_nan =
          decode(*once->format, wanted).is_nan && decode(*once->format, results.d[k]).is_nan;
      ASSERT_TRUE(both_nan ||
                  ordinal(*once->format, wanted) == ordinal(*once->format, results.d[k]))
          << name << " of " << to_hex(results.c[k]);
    }
  }
  EXPECT_GT(monotone, 15);
  EXPECT_GT(declined_and_falling, 0);
  EXPECT_GT(rounded_once, 3);
  EXPECT_GT(stochastic, 3);
  EXPECT_GT(symmetric, 10);
  EXPECT_GT(no_earlier, 3);
}

}  // namespace
}  // namespace mmaspec::conversion_steps_test
