// Dot-adds on lanes compared with the exact evaluator of the whole graph.

#include "concrete/dot/lane_runner.h"

#include <gtest/gtest.h>

#include "concrete/dot/runner.h"
#include "queries/draw/samples.h"
#include "spec/catalog/instruction.h"

namespace mmaspec::lane_runner_test {
namespace {

TEST(LaneRunner, AgreesWithTheExactEvaluatorOfTheWhole) {
  const std::string f16 = "hopper/mma.m16n8k16.f32.f16.f16.f32";
  for (const std::string& name : std::vector<std::string>{
           f16,
           "plan:chain(" + f16 + ",k=64)",
           "plan:promote(" + f16 + ",k=64,every=32)",
           "plan:promote(" + f16 + ",k=64,every=32,scales=yes)",
           "plan:split-k(promote(" + f16 + ",k=32,every=16,scales=yes),k=64)",
           "plan:split-k(promote(" + f16 +
               ",k=32,every=32,scales=yes),k=96,part=64,reduce=backward)",
           "plan:epilogue(split-k(promote(" + f16 + ",k=32,every=16,scales=yes),k=64),out=bf16)",
           "plan:split-k(" + f16 + ",k=64,parts=4)",
           "plan:split-k(" + f16 + ",k=64,parts=2,c_joins=first,reduce=backward)",
           "plan:split-k(" + f16 + ",k=64,parts=4,reduce=atomic,c_joins=none,order=3)",
           "plan:split-k(" + f16 + ",k=80,parts=3,part=32,reduce=tree)",
           "plan:split-k(" + f16 + ",k=48,parts=2,part=32,c_joins=first)",
           "plan:epilogue(split-k(" + f16 + ",k=32),k=64,out=bf16,beta=0.5)",
           "plan:epilogue(split-k(" + f16 + ",k=48,parts=2,part=32),k=96,out=f16)",
           "plan:ozaki2(hopper/mma.m16n8k32.s32.s8.s8.s32,k=64,moduli=9)",
           "plan:ozaki1(hopper/mma.m16n8k32.s32.s8.s8.s32,k=64,slices=3)",
           "plan:split-k(promote(" + f16 + ",k=32,every=16),k=64,reduce=tree)",
           "plan:epilogue(" + f16 + ",k=32,bias=after,out=f16)",
           "plan:markidis(" + f16 + ",k=32)",
           "plan:ootomo(" + f16 + ",k=48)",
           "plan:multiword(" + f16 + ",k=32,words=3,sums=weight,scale=5,lowest_first=no)",
           "plan:multiword(" + f16 + ",k=32,theta=16)",
           "plan:multiword(" + f16 + ",k=32,theta=0x1p-149)",
           "plan:bf16x6(hopper/mma.m16n8k8.f32.bf16.bf16.f32,k=24)",
           "plan:epilogue(bf16x9(hopper/mma.m16n8k8.f32.bf16.bf16.f32,k=16),out=bf16)",
           "plan:tf32x3(hopper/mma.m16n8k4.f32.tf32.tf32.f32,k=12)",
           "plan:split-k(" + f16 + ",k=70,parts=3)",
           "plan:epilogue(chain(" + f16 + ",k=19),k=57)",
           "plan:promote(" + f16 + ",k=33,every=32)",
           "plan:split-k(" + f16 + ",k=80,lengths=16:48:16,partial=f16,reduce=halves)",
           "plan:split-k(promote(" + f16 + ",k=24,every=16),k=48)",
           "plan:permute(split-k(" + f16 + ",k=64,parts=2),ways=2,block=8)",
           "plan:epilogue(permute(" + f16 + ",k=60,order=reversed,block=20),out=bf16)",
           "plan:split-k(rest-first(" + f16 + ",k=44,tile=32),k=88)",
           "plan:sum-tree(x86/vfmadd231ps,k=7,tree=((0..4/2)+((1)+5)+3+(6)))",
           "plan:epilogue(sum-tree(x86/vfmadd231ps,k=5,tree=((1+0)+(3+2)+4)),out=bf16)",
           "plan:convert(split-k(" + f16 + ",k=32),a=bf16,round=rna)",
           "plan:convert(hopper/mma.m16n8k8.f32.tf32.tf32.f32,k=20)",
           "plan:scale-rows(chain(hopper/wgmma.m64n8k32.f32.e4m3.e4m3,k=64),a=bf16)",
           "plan:epilogue(scale-rows(" + f16 + ",k=40,recipe=power,back=b-first),out=bf16)",
           "blackwell/tcgen05.mma.block_scale.m128n8k32.block32.f32.e4m3.e4m3.ue8m0"}) {
    Instruction i;
    try {
      i = find_instruction(name);
    } catch (const std::invalid_argument&) {
      ADD_FAILURE() << name;
      continue;
    }
    constexpr std::size_t kLanes = 40;
    Lanes in(static_cast<std::size_t>(2 * i.formats.k + 1 + 2 * i.formats.scales()), kLanes);
    Sampler(i.formats, InputClass::any, 7).fill(in);
    Lanes d(1, kLanes);
    LaneRunner runner(i.algorithm, i.formats);
    runner.run(in, d);
    const DotModel model(i.algorithm, i.formats);
    const auto k = static_cast<std::size_t>(i.formats.k);
    const auto scales = static_cast<std::size_t>(i.formats.scales());
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const auto rows = [&](std::size_t first, std::size_t count) {
        std::vector<Integer> all;
        for (std::size_t r = first; r < first + count; ++r) all.emplace_back(in[r][lane]);
        return all;
      };
      const DotValues v{rows(0, k), rows(k, k), in[2 * k][lane], rows(2 * k + 1, scales),
                        rows(2 * k + 1 + scales, scales)};
      ASSERT_EQ(model.run(v), d[0][lane]) << name;
    }
  }
}

TEST(LaneRunner, TakesLanesOfManyBlocks) {
  const Instruction i =
      find_instruction("plan:split-k(hopper/mma.m16n8k16.f32.f16.f16.f32,k=32,parts=2)");
  constexpr std::size_t kLanes = 2 * BatchEvaluator::kBlock + 3;
  Lanes in(static_cast<std::size_t>(2 * i.formats.k + 1), kLanes);
  Sampler(i.formats, InputClass::any, 7).fill(in);
  Lanes d(1, kLanes);
  LaneRunner runner(i.algorithm, i.formats);
  runner.run(in, d);
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    Lanes one(in.rows(), 1);
    for (std::size_t r = 0; r < in.rows(); ++r) one[r][0] = in[r][lane];
    Lanes result(1, 1);
    runner.run(one, result);
    ASSERT_EQ(result[0][0], d[0][lane]) << lane;
  }
}

TEST(LaneRunner, RefusesWrongNumbersOfLanes) {
  const Instruction i = find_instruction("hopper/mma.m16n8k16.f32.f16.f16.f32");
  LaneRunner runner(i.algorithm, i.formats);
  Lanes d(1, 3);
  EXPECT_THROW(runner.run(Lanes(32, 3), d), std::logic_error);
  EXPECT_THROW(runner.run(Lanes(33, 4), d), std::logic_error);
}

}  // namespace
}  // namespace mmaspec::lane_runner_test
