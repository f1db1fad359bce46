#include "hardware/replay/device/cuda/wgmma_kernel.cuh"

/// The forms of wgmma and the table of their kernels.
namespace mmaspec::replay::cuda {

/// A and B from shared memory, C in `d`. The fences and the wait are in one asm statement so that
/// no accumulator register can be touched between them. `trailing` is ", 1, 1" (neither matrix is
/// negated) of floating-point numbers, and ", 0, 0" (nor transposed) where the types have it.
#define MMASPEC_WGMMA(type, registers, mnemonic, ptx, trailing)                          \
  struct type {                                                                          \
    static constexpr const char* name = mnemonic;                                        \
    static constexpr int d_registers = registers;                                        \
    static __device__ void run(std::uint32_t* d, std::uint64_t a, std::uint64_t b) {     \
      MMASPEC_WGMMA_ASM_##registers("wgmma.mma_async.sync.aligned.m64n8" ptx, trailing); \
    }                                                                                    \
  };
#define MMASPEC_WGMMA_ASM_4(ptx, trailing)                                            \
  asm volatile(                                                                       \
      "{\n.reg .pred accumulate;\nsetp.eq.u32 accumulate, 0, 0;\n"                    \
      "wgmma.fence.sync.aligned;\n" ptx " {%0,%1,%2,%3}, %4, %5, accumulate" trailing \
      ";\n"                                                                           \
      "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n}"         \
      : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])                                \
      : "l"(a), "l"(b)                                                                \
      : "memory")
#define MMASPEC_WGMMA_ASM_2(ptx, trailing)                                      \
  asm volatile(                                                                 \
      "{\n.reg .pred accumulate;\nsetp.eq.u32 accumulate, 0, 0;\n"              \
      "wgmma.fence.sync.aligned;\n" ptx " {%0,%1}, %2, %3, accumulate" trailing \
      ";\n"                                                                     \
      "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n}"   \
      : "+r"(d[0]), "+r"(d[1])                                                  \
      : "l"(a), "l"(b)                                                          \
      : "memory")

MMASPEC_WGMMA(wgmma_m64n8k8_f32_tf32_tf32, 4, "wgmma.m64n8k8.f32.tf32.tf32", "k8.f32.tf32.tf32",
              ", 1, 1")
MMASPEC_WGMMA(wgmma_m64n8k16_f32_f16_f16, 4, "wgmma.m64n8k16.f32.f16.f16", "k16.f32.f16.f16",
              ", 1, 1, 0, 0")
MMASPEC_WGMMA(wgmma_m64n8k16_f16_f16_f16, 2, "wgmma.m64n8k16.f16.f16.f16", "k16.f16.f16.f16",
              ", 1, 1, 0, 0")
MMASPEC_WGMMA(wgmma_m64n8k16_f32_bf16_bf16, 4, "wgmma.m64n8k16.f32.bf16.bf16", "k16.f32.bf16.bf16",
              ", 1, 1, 0, 0")
#define MMASPEC_WGMMA_FP8(a, b)                                                   \
  MMASPEC_WGMMA(wgmma_m64n8k32_f32_##a##_##b, 4, "wgmma.m64n8k32.f32." #a "." #b, \
                "k32.f32." #a "." #b, ", 1, 1")                                   \
  MMASPEC_WGMMA(wgmma_m64n8k32_f16_##a##_##b, 2, "wgmma.m64n8k32.f16." #a "." #b, \
                "k32.f16." #a "." #b, ", 1, 1")
#define MMASPEC_WGMMA_S8(a, b)                                                    \
  MMASPEC_WGMMA(wgmma_m64n8k32_s32_##a##_##b, 4, "wgmma.m64n8k32.s32." #a "." #b, \
                "k32.s32." #a "." #b, "")                                         \
  MMASPEC_WGMMA(wgmma_m64n8k32_satfinite_s32_##a##_##b, 4,                        \
                "wgmma.m64n8k32.satfinite.s32." #a "." #b, "k32.satfinite.s32." #a "." #b, "")
#define MMASPEC_FOR_INTEGERS(X) X(s8, s8) X(s8, u8) X(u8, s8) X(u8, u8)
MMASPEC_FOR_INTEGERS(MMASPEC_WGMMA_S8)
#define MMASPEC_FOR_FP8_PAIRS(X) X(e4m3, e4m3) X(e4m3, e5m2) X(e5m2, e4m3) X(e5m2, e5m2)
MMASPEC_FOR_FP8_PAIRS(MMASPEC_WGMMA_FP8)

namespace {

template <class Op>
void launch(const Instruction&, const Dots& dots, Result* results) {
  const int blocks = (dots.count + dots_per_instruction - 1) / dots_per_instruction;
  wgmma_kernel<Op><<<blocks, threads_per_block>>>(dots, results);
}

struct Entry {
  const char* name;
  Launch launch;
};

#define MMASPEC_ENTRY(type) \
  Entry { type::name, launch<type> }
#define MMASPEC_FP8_ENTRIES(a, b) \
  MMASPEC_ENTRY(wgmma_m64n8k32_f32_##a##_##b), MMASPEC_ENTRY(wgmma_m64n8k32_f16_##a##_##b),
#define MMASPEC_INTEGER_ENTRIES(a, b)          \
  MMASPEC_ENTRY(wgmma_m64n8k32_s32_##a##_##b), \
      MMASPEC_ENTRY(wgmma_m64n8k32_satfinite_s32_##a##_##b),

const Entry entries[] = {
    MMASPEC_ENTRY(wgmma_m64n8k8_f32_tf32_tf32), MMASPEC_ENTRY(wgmma_m64n8k16_f32_f16_f16),
    MMASPEC_ENTRY(wgmma_m64n8k16_f16_f16_f16), MMASPEC_ENTRY(wgmma_m64n8k16_f32_bf16_bf16),
    MMASPEC_FOR_FP8_PAIRS(MMASPEC_FP8_ENTRIES)     //
    MMASPEC_FOR_INTEGERS(MMASPEC_INTEGER_ENTRIES)  //
};

}  // namespace

Launch find_wgmma(const Instruction& instruction) {
  for (const Entry& entry : entries) {
    if (instruction.name == entry.name) return entry.launch;
  }
  return nullptr;
}

}  // namespace mmaspec::replay::cuda
