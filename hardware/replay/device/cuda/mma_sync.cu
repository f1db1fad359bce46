#include "hardware/replay/device/cuda/mma_sync_kernels.cuh"
#include "hardware/replay/device/cuda/mma_sync_ops.cuh"

/// The table of mma.sync's kernels.
namespace mmaspec::replay::cuda {
namespace {

int blocks(int count) {
  constexpr int dots_per_block = warps_per_block * dots_per_instruction;
  return (count + dots_per_block - 1) / dots_per_block;
}

template <class Op>
void launch_mma_sync(const Instruction&, const Dots& dots, Result* results) {
  mma_sync_kernel<Op><<<blocks(dots.count), threads_per_block>>>(dots, results);
}
template <class Op>
void launch_f64(const Instruction&, const Dots& dots, Result* results) {
  mma_f64_kernel<Op><<<blocks(dots.count), threads_per_block>>>(dots, results);
}
template <class Op>
void launch_m8n8k4(const Instruction&, const Dots& dots, Result* results) {
  mma_m8n8k4_kernel<Op><<<blocks(dots.count), threads_per_block>>>(dots, results);
}

struct Entry {
  const char* name;
  Launch launch;
};

template <class Op>
constexpr Entry entry() {
  return {Op::name, launch_mma_sync<Op>};
}

#define MMASPEC_FP8_ENTRIES(a, b)                                                       \
  entry<mma_m16n8k16_f32_##a##_##b##_f32>(), entry<mma_m16n8k16_f16_##a##_##b##_f16>(), \
      entry<mma_m16n8k32_f32_##a##_##b##_f32>(), entry<mma_m16n8k32_f16_##a##_##b##_f16>(),
#define MMASPEC_NARROW_ENTRIES(a, b) \
  entry<mma_m16n8k32_f32_##a##_##b##_f32>(), entry<mma_m16n8k32_f16_##a##_##b##_f16>(),
#define MMASPEC_INTEGER_ENTRIES(shape, a, b) \
  entry<mma_##shape##_s32_##a##_##b##_s32>(), entry<mma_##shape##_satfinite_s32_##a##_##b##_s32>(),
#define MMASPEC_INTEGER_8_ENTRIES(a, b)  \
  MMASPEC_INTEGER_ENTRIES(m8n8k16, a, b) \
  MMASPEC_INTEGER_ENTRIES(m16n8k16, a, b) MMASPEC_INTEGER_ENTRIES(m16n8k32, a, b)
#define MMASPEC_INTEGER_4_ENTRIES(a, b)  \
  MMASPEC_INTEGER_ENTRIES(m8n8k32, a, b) \
  MMASPEC_INTEGER_ENTRIES(m16n8k32, a, b) MMASPEC_INTEGER_ENTRIES(m16n8k64, a, b)
#define MMASPEC_MX_ENTRIES(a, b) entry<mma_block_scale_m16n8k32_##a##_##b>(),

const Entry entries[] = {
    {mma_m8n8k4_f32_f16_f16_f32::name, launch_m8n8k4<mma_m8n8k4_f32_f16_f16_f32>},
    {mma_m8n8k4_f32_f16_f16_f16::name, launch_m8n8k4<mma_m8n8k4_f32_f16_f16_f16>},
    {mma_m8n8k4_f16_f16_f16_f16::name, launch_m8n8k4<mma_m8n8k4_f16_f16_f16_f16>},
    {mma_m8n8k4_f64_f64_f64_f64::name, launch_f64<mma_m8n8k4_f64_f64_f64_f64>},
    {mma_m16n8k4_f64_f64_f64_f64::name, launch_f64<mma_m16n8k4_f64_f64_f64_f64>},
    {mma_m16n8k8_f64_f64_f64_f64::name, launch_f64<mma_m16n8k8_f64_f64_f64_f64>},
    {mma_m16n8k16_f64_f64_f64_f64::name, launch_f64<mma_m16n8k16_f64_f64_f64_f64>},
    entry<mma_m16n8k4_f32_tf32_tf32_f32>(),
    entry<mma_m16n8k8_f32_tf32_tf32_f32>(),
    entry<mma_m16n8k8_f32_f16_f16_f32>(),
    entry<mma_m16n8k8_f16_f16_f16_f16>(),
    entry<mma_m16n8k8_f32_bf16_bf16_f32>(),
    entry<mma_m16n8k16_f32_f16_f16_f32>(),
    entry<mma_m16n8k16_f16_f16_f16_f16>(),
    entry<mma_m16n8k16_f32_bf16_bf16_f32>(),
    MMASPEC_FOR_FP8_PAIRS(MMASPEC_FP8_ENTRIES)         //
    MMASPEC_FOR_NARROW_PAIRS(MMASPEC_NARROW_ENTRIES)   //
    MMASPEC_FOR_FP8_PAIRS(MMASPEC_MX_ENTRIES)          //
    MMASPEC_FOR_NARROW_PAIRS(MMASPEC_MX_ENTRIES)       //
    MMASPEC_FOR_INTEGERS_8(MMASPEC_INTEGER_8_ENTRIES)  //
    MMASPEC_FOR_INTEGERS_4(MMASPEC_INTEGER_4_ENTRIES)  //
    entry<mma_block_scale_m16n8k64_block32_ue8m0>(),
    entry<mma_block_scale_m16n8k64_block16_ue4m3>(),
    entry<mma_block_scale_m16n8k64_block16_ue8m0>(),
};

}  // namespace

Launch find_mma_sync(const Instruction& instruction) {
  for (const Entry& entry : entries) {
    if (instruction.name == entry.name) return entry.launch;
  }
  return nullptr;
}

}  // namespace mmaspec::replay::cuda
