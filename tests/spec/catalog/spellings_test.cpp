// Other names of NVIDIA's instructions: complete PTX names, kinds, and the shapes of C++'s WMMA.

#include "spec/catalog/names/spellings.h"

#include <gtest/gtest.h>

#include "spec/catalog/instruction.h"

namespace mmaspec::spellings_test {
namespace {

std::string resolved(const std::string& name) { return find_instruction(name).name(); }

TEST(Spellings, QualifiersWithoutEffectOnNumbersAreOmitted) {
  EXPECT_EQ(resolved("sm_80/mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32"),
            "ampere/mma.m16n8k16.f32.bf16.bf16.f32");
  EXPECT_EQ(resolved("hopper/wgmma.m64n256k16.f32.f16.f16"), "hopper/wgmma.m64n8k16.f32.f16.f16");
  EXPECT_EQ(resolved("b200/tcgen05.mma.m128n256k32.kind::f8f6f4.f32.e4m3.e2m1"),
            "blackwell/tcgen05.mma.m64n8k32.f32.e4m3.e2m1");
  EXPECT_EQ(resolved("rtx5090/mma.m16n8k32.kind::f8f6f4.f16.e3m2.e2m1.f16@mma-sim"),
            "rtx-blackwell/mma.m16n8k32.f16.e3m2.e2m1.f16@mma-sim");
  for (const std::string kind : {"mxf4", "mxf4nvf4"}) {
    EXPECT_EQ(resolved("rtx-blackwell/mma.block_scale.m16n8k64.kind::" + kind +
                       ".block32.f32.e2m1.e2m1.f32.ue8m0"),
              "rtx-blackwell/mma.block_scale.m16n8k64.block32.f32.e2m1.e2m1.f32.ue8m0");
  }
}

TEST(Spellings, AKindMustFitTheInstruction) {
  EXPECT_THROW(resolved("rtx-blackwell/mma.m16n8k32.kind::mxf4.f32.e3m2.e2m1.f32"),
               std::invalid_argument);
  EXPECT_THROW(resolved("blackwell/tcgen05.mma.m64n8k16.kind::tf32.f32.f16.f16"),
               std::invalid_argument);
  EXPECT_THROW(resolved("ampere/mma.m16n8k16.kind::f16.f32.f16.f16.f32"), std::invalid_argument);
}

TEST(Spellings, WmmaIsTheInstructionThatACompilerEmits) {
  EXPECT_EQ(resolved("volta/wmma.m16n16k16.f32.f16.f16.f32"),
            "plan:chain(volta/mma.m8n8k4.f32.f16.f16.f32,k=16)");
  EXPECT_EQ(resolved("turing/m32n8k16.f16.f16.f16.f16@mma-sim"),
            "plan:chain(turing/mma.m16n8k8.f16.f16.f16.f16@mma-sim,k=16)");
  EXPECT_EQ(resolved("hopper/wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32"),
            "hopper/mma.m16n8k16.f32.f16.f16.f32");
  // Not m16n8k8, which adds eight products in one step.
  EXPECT_EQ(resolved("h100/wmma.m16n16k8.f32.tf32.tf32.f32"),
            "plan:chain(hopper/mma.m16n8k4.f32.tf32.tf32.f32,k=8)");
  EXPECT_EQ(resolved("a100/wmma.m8n8k4.f64.f64.f64.f64"), "ampere/mma.m8n8k4.f64.f64.f64.f64");
  EXPECT_THROW(resolved("volta/wmma.m16n16k16.f32.bf16.bf16.f32"), std::invalid_argument);
  EXPECT_THROW(resolved("cdna3/m16n16k16.f32.f16.f16.f32"), std::invalid_argument);
}

}  // namespace
}  // namespace mmaspec::spellings_test
