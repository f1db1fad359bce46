#pragma once

#include <string>
#include <vector>

namespace mmaspec {

/// Names of designs: one of each algorithm, with few and with many bits, with and without scale
/// factors.
inline std::vector<std::string> one_of_each_algorithm() {
  return {
      "ada/mma.m16n8k8.f16.f16.f16.f16",
      "cdna3/v_mfma_f32_16x16x16_f16",
      "rtx-blackwell/mma.block_scale.m16n8k64.block16.f32.e2m1.e2m1.f32.ue4m3",
      "cdna2/v_mfma_f32_4x4x4f16",
      "arm/fmla.f64",
      "hopper/mma.m16n8k16.f16.e4m3.e5m2.f16",
      "arm/bfmmla",
      "riscv/vfwbdot.f32.bf16.bf16.n4",
      "rdna3/v_dot2_f32_f16",
      "rdna4/v_dot2_f16_f16",
      "design:exact-dot-add(a=bf16,b=bf16,c=f32,d=f32,k=2)",
  };
}

}  // namespace mmaspec
