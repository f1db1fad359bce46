// Equality for every K: proofs by induction and their limits, and witnesses.

#include "queries/prove/all_k.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "concrete/dot/runner.h"
#include "queries/draw/samples.h"

namespace mmaspec::all_k_test {
namespace {

using testing::HasSubstr;

AllK all_k(const std::string& first, const std::string& second, const DiffOptions& options = {}) {
  return diff_for_all_k(find_instruction(first), find_instruction(second), options,
                        Portfolio("auto", Limits{60}));
}

TEST(AllK, IsProvedByOneStep) {
  for (const auto& [first, second, step] : std::vector<std::tuple<std::string, std::string, int>>{
           {"ampere/mma.m16n8k8.f32.f16.f16.f32", "ampere/mma.m16n8k16.f32.f16.f16.f32", 16},
           {"blackwell/mma.m16n8k16.f32.f16.f16.f32", "blackwell/tcgen05.mma.m64n8k16.f32.f16.f16",
            16},
           {"plan:promote(hopper/mma.m16n8k16.f32.f16.f16.f32,k=32,every=32)",
            "plan:promote(hopper/mma.m16n8k16.f32.f16.f16.f32,k=128,every=32)", 128},
           // By solvers.
           {"design:exact-dot-add(a=e2m1,c=f16,k=1)",
            "design:fused-dot-add(a=e2m1,c=f16,k=1,fraction_bits=60,round=rne)", 1}}) {
    const AllK all = all_k(first, second);
    EXPECT_EQ(all.result.verdict, Verdict::unsatisfiable)
        << first << ", " << second << ": " << all.result.justification.how();
    EXPECT_EQ(all.step_k, step);
  }
}

TEST(AllK, HasAWitnessForTheLeastK) {
  const AllK all =
      all_k("hopper/mma.m16n8k16.f32.f16.f16.f32", "ampere/mma.m16n8k8.f32.f16.f16.f32");
  ASSERT_EQ(all.result.verdict, Verdict::satisfiable);
  EXPECT_EQ(all.step_k, 16);
  EXPECT_EQ(all.result.pair.first.formats.k, 16);
  EXPECT_NE(all.result.witnesses.at(0).row.d, all.result.witnesses.at(0).row.d_other);
}

// They agree for all finite inputs and differ if an accumulator is infinite.
TEST(AllK, IsNotProvedFromFiniteAccumulatorsAlone) {
  Instruction first = find_instruction("design:fused-dot-add(a=e2m1,c=f16,k=1,fraction_bits=30)");
  Instruction second = first;
  second.algorithm = Custom{"infinity is a number",
                            [given = first.algorithm](const DotFormats& f, const DotOperands& in) {
                              const Int d = given.build(f, in);
                              const Int inf = positive_infinity(*f.c);
                              return select(in.c == inf, Int(0), d);
                            }};
  const AllK all = diff_for_all_k(first, second, {}, Portfolio("auto", Limits{60}));
  EXPECT_EQ(all.result.verdict, Verdict::unknown);
  EXPECT_THAT(all.result.justification.how(), HasSubstr("they agree for K = 1"));
}

TEST(AllK, AgreesWithLongerChains) {
  const std::string first = "plan:chain(ampere/mma.m16n8k8.f32.f16.f16.f32,k=4096)";
  const std::string second = "plan:chain(ampere/mma.m16n8k16.f32.f16.f16.f32,k=4096)";
  const Instruction x = find_instruction(first);
  const Instruction y = find_instruction(second);
  DotRunner one(x.algorithm, x.formats);
  DotRunner other(y.algorithm, y.formats);
  Sampler sampler(x.formats, InputClass::finite, 3);
  for (int i = 0; i < 20; ++i) {
    const DotValues values = sampler.next();
    EXPECT_EQ(one.run(values), other.run(values));
  }
}

TEST(AllK, IsOnlyForChains) {
  const std::string hopper = "hopper/mma.m16n8k16.f32.f16.f16.f32";
  const auto refusal = [&](const std::string& other) -> std::string {
    try {
      all_k(hopper, other);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "was taken";
  };
  EXPECT_THAT(refusal("plan:split-k(" + hopper + ",k=32)"), HasSubstr("is not a chain"));
  EXPECT_THAT(refusal("hopper/mma.m16n8k16.f32.bf16.bf16.f32"), HasSubstr("formats"));
  EXPECT_THAT(refusal("plan:bf16x3(hopper/mma.m16n8k16.f32.bf16.bf16.f32)"), HasSubstr("chain"));
}

}  // namespace
}  // namespace mmaspec::all_k_test
