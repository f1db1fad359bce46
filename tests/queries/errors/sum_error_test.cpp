// Error bounds for every K compared with results: no input of any chain or plan has a larger error,
// and some have nearly this error.

#include "queries/errors/sum_error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "concrete/dot/runner.h"
#include "queries/draw/samples.h"
#include "queries/property/property.h"
#include "queries/values/exact_result.h"

namespace mmaspec::sum_error_test {
namespace {

using testing::HasSubstr;

const std::string kF16 = "hopper/mma.m16n8k16.f32.f16.f16.f32";
const std::string kBf16 = "hopper/mma.m16n8k16.f32.bf16.bf16.f32";
const std::string kTf32 = "hopper/mma.m16n8k8.f32.tf32.tf32.f32";
const std::string kFp8 = "hopper/wgmma.m64n8k32.f32.e4m3.e4m3";

/// |d - exact| divided by the larger of the terms' magnitudes and the least normal number (or with
/// this many of these added); nullopt if the bound does not cover the operands.
std::optional<Rational> error_of(const DotFormats& f, const DotValues& v, const Integer& d,
                                 const SumError& bound) {
  const auto terms = exact_terms(f, v);
  const Decoded result = decode(*f.d, d);
  if (!terms || !result.is_finite()) return std::nullopt;
  Rational sum = 0;
  Rational size = 0;
  for (const Rational& t : *terms) {
    sum += t;
    size += abs(t);
  }
  const Rational least = rational_power_of_two(f.d->least_exponent());
  const long sums = bound.sums_at(f.k);
  return abs(Rational(result.value() - sum)) /
         (sums == 0 ? std::max(size, least) : Rational(size + sums * least));
}

bool may_be(const Format& f, const Integer& x, bool normal, std::optional<int> least) {
  const Rational size = abs(decode(f, x).value());
  if (size == 0) return true;
  return (!normal || size >= rational_power_of_two(f.least_exponent())) &&
         (!least || size >= rational_power_of_two(*least));
}

/// The largest error of random inputs, divided by the bound.
double worst_over_bound(const std::string& name, ErrorOf of, int count) {
  const Instruction i = find_instruction(name);
  const auto bound = sum_error_for_all_k(i, of);
  if (!bound) return -1;
  const DotFormats& f = i.formats;
  const Rational limit = bound->at(f.k);
  DotRunner runner(i.algorithm, f);
  Sampler sampler(f, InputClass::finite, 1);
  Random random(1);
  std::vector<DotValues> rows;
  const Counterexamples& property = counterexamples_of(find_property("sum-error-bound"));
  const bool normal = of == ErrorOf::normal_factors;
  for (int row = 0; row < count; ++row) {
    Candidate candidate{sampler.next()};
    DotValues& v = candidate.values;
    if (row % 2 == 0) property.bias_sample({i}, 0, candidate, random);
    if (row % 4 == 1) {
      // One sign, and numbers of a few binades.
      for (auto* all : {&v.a, &v.b}) {
        const Format& g = all == &v.a ? *f.a : *f.b;
        const int top = static_cast<int>(random() % 8) - 4 +
                        (bound->least_operand ? *bound->least_operand + 40 : 0);
        for (Integer& x : *all) {
          const auto units = static_cast<unsigned>(g.fraction_bits + g.ignored_low_bits);
          const Integer hidden = power_of_two(static_cast<unsigned>(g.fraction_bits));
          x = (Integer(std::min(top - static_cast<int>(random() % 3), g.largest_exponent()) +
                       g.bias)
               << units) +
              ((Integer(random()) % hidden) << static_cast<unsigned>(g.ignored_low_bits));
        }
      }
    }
    for (std::size_t k = 0; k < v.a.size(); ++k) {
      if (!may_be(*f.a, v.a[k], normal, bound->least_operand)) v.a[k] = 0;
      if (!may_be(*f.b, v.b[k], normal, bound->least_operand)) v.b[k] = 0;
    }
    if (bound->only_zero_c) v.c = 0;
    rows.push_back(v);
  }
  std::vector<const DotValues*> pointers;
  for (const DotValues& v : rows) pointers.push_back(&v);
  const std::vector<Integer> d = runner.run(pointers);
  Rational worst = 0;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const auto error = error_of(f, rows[row], d[row], *bound);
    if (error) worst = std::max(worst, *error);
  }
  return Rational(worst / limit).convert_to<double>();
}

TEST(SumError, HoldsForChainsAndPlans) {
  for (const std::string& plan :
       std::vector<std::string>{"chain(" + kF16 + ",k=64)",
                                "chain(" + kBf16 + ",k=64)",
                                "chain(" + kFp8 + ",k=128)",
                                "chain(ampere/mma.m16n8k8.f32.f16.f16.f32,k=64)",
                                "chain(hopper/mma.m16n8k32.f32.e4m3.e4m3.f32,k=64)",
                                "chain(cdna3/v_mfma_f32_32x32x8_f16,k=32)",
                                "chain(cdna1/v_mfma_f32_4x4x4f16,k=16)",
                                "promote(" + kFp8 + ",k=256,every=64)",
                                "promote(" + kBf16 + ",k=64,every=32)",
                                "split-k(" + kF16 + ",k=64,parts=4)",
                                "split-k(" + kF16 + ",k=64,parts=4,reduce=tree)",
                                "split-k(" + kBf16 + ",k=64,parts=2,c_joins=first)",
                                "split-k(" + kF16 + ",k=64,parts=4,reduce=atomic,order=17)",
                                "split-k(promote(" + kF16 + ",k=32,every=16),k=64)",
                                "chain(split-k(" + kF16 + ",k=32),k=64)",
                                "epilogue(" + kF16 + ",k=32)",
                                "epilogue(" + kF16 + ",k=32,out=bf16)",
                                "epilogue(" + kF16 + ",k=32,beta=0,out=f16)",
                                "split-k(" + kF16 + ",k=112,parts=3,part=48)",
                                "split-k(" + kF16 + ",k=112,lengths=16:48x2,reduce=halves)",
                                "split-k(" + kF16 + ",k=112,parts=7,reduce=tree,fan=3)",
                                "convert(chain(" + kTf32 + ",k=64),k=64)",
                                "convert(" + kBf16 + ",k=32,round=rz)",
                                "convert(" + kF16 + ",k=32,a=e4m3,b=e5m2)",
                                "permute(" + kF16 + ",k=64,ways=2,block=8)",
                                "permute(split-k(" + kF16 + ",k=64,parts=2),ways=2,block=16)",
                                "rest-first(" + kF16 + ",k=84,tile=32)",
                                "markidis(" + kF16 + ",k=32)",
                                "ootomo(" + kF16 + ",k=32)",
                                "bf16x3(" + kBf16 + ",k=32)",
                                "bf16x6(" + kBf16 + ",k=32)",
                                "bf16x9(" + kBf16 + ",k=32)",
                                "multiword(" + kBf16 + ",k=32,words=3)",
                                "tf32x3(" + kTf32 + ",k=16)"}) {
    for (const ErrorOf of : {ErrorOf::all, ErrorOf::normal_factors}) {
      const double ratio = worst_over_bound("plan:" + plan, of, 64);
      EXPECT_GE(ratio, 0) << plan;
      EXPECT_LE(ratio, 1) << plan;
    }
  }
}

// Sixteen products just too small to be kept next to c; each is cut.
TEST(SumError, IsNearlyReachedByAnInput) {
  const Instruction i = find_instruction(kF16);
  DotRunner runner(i.algorithm, i.formats);
  // c = 1; products of 2^-25 less an ulp: 2^-13 * (2^-12 - 2^-23).
  const DotValues v{
      std::vector<Integer>(16, 0x0800), std::vector<Integer>(16, 0x0bff), 0x3f800000, {}, {}};
  const auto bound = sum_error_for_all_k(i, ErrorOf::normal_factors);
  ASSERT_TRUE(bound);
  const auto error = error_of(i.formats, v, runner.run(v), *bound);
  EXPECT_GT(*error * 2, bound->at(16));
  EXPECT_LE(*error, bound->at(16));
}

TEST(SumError, GrowsWithKAsItsFormulaSays) {
  const auto of = [](const std::string& name) {
    return sum_error_for_all_k(find_instruction(name), ErrorOf::normal_factors).value();
  };
  const SumError chain = of(kF16);
  EXPECT_EQ(chain.formula(), "K/16*5*2**-23");
  EXPECT_EQ(chain.step_k, 16);
  EXPECT_EQ(chain.at(4096), 256 * chain.at(16));
  EXPECT_EQ(of("plan:chain(" + kF16 + ",k=64)").at(4096), chain.at(4096));
  const SumError promoted = of("plan:promote(" + kFp8 + ",k=4096,every=128)");
  EXPECT_LT(promoted.at(4096) * 30, of(kFp8).at(4096));
  EXPECT_LT(promoted.at(1 << 20), Rational(2, 100));
}

TEST(SumError, OfPlansThatExplainNames) {
  const auto of = [](const std::string& plan) {
    return sum_error_for_all_k(find_instruction("plan:" + plan)).value();
  };
  const auto grown = [](const Rational& r, int bits) {
    return Rational((1 + r) * (1 + rational_power_of_two(-bits)) - 1);
  };
  const Rational f16_48 = of("chain(" + kF16 + ",k=48)").at(48);
  // The longest part, two additions, and c.
  const Rational whole = of("split-k(" + kF16 + ",k=112,lengths=16:48x2)").at(112);
  EXPECT_GE(whole, grown(grown(grown(f16_48, 24), 24), 24));
  EXPECT_LE(whole, 2 * f16_48);
  EXPECT_EQ(of("permute(chain(" + kF16 + ",k=48),k=48,order=reversed,block=16)").at(48), f16_48);
  EXPECT_EQ(of("rest-first(" + kF16 + ",k=40,tile=32)").at(40), f16_48);
  // Each operand changes by at most half an ulp of TF32, whose least normal number is f32's.
  const SumError converted = of("convert(chain(" + kTf32 + ",k=48),k=48)");
  EXPECT_EQ(converted.least_operand, -126);
  EXPECT_EQ(converted.at(48), grown(grown(of("chain(" + kTf32 + ",k=48)").at(48), 11), 11));
  // All numbers of FP8 are numbers of f16.
  const SumError exact = of("convert(chain(" + kF16 + ",k=48),k=48,a=e4m3,b=e5m2)");
  EXPECT_TRUE(exact.is_unconditional());
  EXPECT_EQ(exact.at(48), f16_48);
  const SumError stored = of("epilogue(chain(" + kF16 + ",k=48),k=48,beta=0,out=bf16)");
  EXPECT_TRUE(stored.only_zero_c);
  EXPECT_EQ(stored.at(48), grown(f16_48, 8));
}

TEST(SumError, DeclinesOtherSteps) {
  for (const std::string& name : std::vector<std::string>{
           "design:fused-dot-add(k=4,fraction_bits=24,c_joins=late)",
           "design:sequential-fma(a=f16,c=f32,d=f32,k=4,underflow=flush)",
           "design:sequential-fma(a=f16,c=f32,d=f32,k=4,flush_inputs=yes)",
           "design:exact-dot-add(a=f16,c=f32,k=4,round=ru)", "plan:epilogue(" + kF16 + ",alpha=2)",
           "plan:epilogue(" + kF16 + ",out=bf16,saturate=yes)",
           "plan:convert(" + kF16 + ",saturate=yes)", "plan:convert(" + kBf16 + ",scale_a=2)",
           "plan:split-k(" + kF16 + ",k=32,partial=f16)",
           "plan:promote(" + kF16 + ",k=32,every=16,scales=yes)",
           "plan:multiword(" + kF16 + ",theta=127)", "plan:ozaki1(" + kF16 + ",of=f32)",
           "cdna2/v_mfma_f32_32x32x8f16"}) {
    EXPECT_FALSE(sum_error_for_all_k(find_instruction(name))) << name;
  }
}

}  // namespace
}  // namespace mmaspec::sum_error_test
