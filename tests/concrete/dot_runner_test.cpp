// Long dot-adds that are run in parts: the same results as in one graph, with graphs that do not
// grow with K.

#include <gtest/gtest.h>

#include "concrete/dot/runner.h"
#include "queries/draw/samples.h"
#include "queries/statement/pairing.h"
#include "spec/algorithms/chain_step.h"

namespace mmaspec::dot_runner_test {
namespace {

/// Designs and chains of instructions of K = 256 and more, of every algorithm.
std::vector<Instruction> long_ones() {
  std::vector<Instruction> all;
  for (const char* name :
       {"design:sequential-fma(a=f16,b=f16,c=f32,d=f16,k=256)",
        "design:sequential-fma(a=bf16,b=bf16,c=f32,d=f32,k=509)",
        "design:fused-dot-add(a=f16,b=f16,c=f16,d=f32,k=512,block=4,fraction_bits=24)",
        "design:fused-dot-add(a=e4m3,b=e5m2,c=f32,d=f32,k=384,block=96,fraction_bits=13,round=rz)",
        "design:fused-dot-add(a=e2m1,b=e2m1,c=f32,d=f32,k=256,block=64,scale=ue8m0,scale_block=32,"
        "fraction_bits=25)",
        "design:exact-dot-add(a=f16,b=f16,c=f32,d=f16,k=256,block=8)",
        "design:round-down-dot-add(a=bf16,b=bf16,c=f16,d=f32,k=256,block=8,product_bits=24,"
        "sum_bits=24,c_bits=24,zero_terms=left-out)",
        "design:group-pairwise-sum(a=f16,b=f16,c=f32,d=f32,k=256,group=4)"}) {
    all.push_back(find_instruction(name));
  }
  for (const char* name : {"hopper/mma.m16n8k16.f32.f16.f16.f32",
                           "hopper/mma.m16n8k32.f32.e4m3.e4m3.f32", "cdna2/v_mfma_f32_16x16x16f16",
                           "cdna3/v_mfma_f32_16x16x32_fp8_fp8", "cdna3/v_mfma_f32_16x16x16_f16"}) {
    all.push_back(chained(find_instruction(name), 512));
    all.push_back(of_length(find_instruction(name), 259));
  }
  return all;
}

TEST(DotRunner, PartsGiveTheResultsOfTheWholeGraph) {
  for (const Instruction& i : long_ones()) {
    SCOPED_TRACE(i.name());
    const DotModel whole(i.algorithm, i.formats);
    DotRunner parts(i.algorithm, i.formats);
    ExactEvaluator::Values scratch = whole.evaluator().scratch();
    Sampler sampler(i.formats, InputClass::any, 1);
    std::vector<DotValues> rows;
    std::vector<Integer> expected;
    for (int n = 0; n < 60; ++n) {
      rows.push_back(sampler.next());
      expected.push_back(whole.run(rows.back(), scratch));
      EXPECT_EQ(parts.run(rows.back()), expected.back());
    }
    std::vector<const DotValues*> pointers;
    for (const DotValues& row : rows) pointers.push_back(&row);
    EXPECT_EQ(parts.run(pointers), expected);
  }
}

TEST(DotRunner, RefusesOtherLengths) {
  const Instruction i = long_ones()[0];
  DotRunner runner(i.algorithm, i.formats);
  DotValues values{std::vector<Integer>(256), std::vector<Integer>(255), 0, {}, {}};
  EXPECT_THROW(runner.run(values), std::invalid_argument);
  EXPECT_THROW(runner.run(std::vector<const DotValues*>{&values}), std::invalid_argument);
}

TEST(ChainStep, CutsNoBlockOfScaleFactors) {
  const Instruction i = find_instruction(
      "design:fused-dot-add(a=e2m1,b=e2m1,c=f32,d=f32,k=64,block=16,scale=ue8m0,scale_block=32,"
      "fraction_bits=25)");
  EXPECT_EQ(chain_step(i.algorithm, i.formats), 64);
}

TEST(ChainStep, IsTheWholeDesignIfAllTermsAreAddedAtOnce) {
  for (const char* name : {"design:group-dot-fused-sum(a=e2m1,b=e2m1,c=f32,d=f32,k=64,group=16,"
                           "scale=ue8m0,scale_block=32,fraction_bits=20)",
                           "design:fused-dot-add(a=f16,b=f16,c=f32,d=f32,k=64,fraction_bits=24)"}) {
    const Instruction i = find_instruction(name);
    EXPECT_EQ(chain_step(i.algorithm, i.formats), 64);
  }
}

}  // namespace
}  // namespace mmaspec::dot_runner_test
