#include <algorithm>

#include "hardware/replay/device/cuda/tcgen05_kernel.cuh"

/// The kinds of tcgen05.mma and the table of their kernels.
namespace mmaspec::replay::cuda {

#define MMASPEC_TCGEN05_MMA(ptx)                                                    \
  asm volatile(                                                                     \
      "{\n.reg .pred accumulate;\nsetp.eq.u32 accumulate, 0, 0;\n"                  \
      "tcgen05.mma.cta_group::1." ptx " [%0], %1, %2, %3, accumulate;\n}" ::"r"(d), \
      "l"(a), "l"(b), "r"(descriptor)                                               \
      : "memory")
#define MMASPEC_TCGEN05_MMA_SCALED(ptx)                                                         \
  asm volatile(                                                                                 \
      "{\n.reg .pred accumulate;\nsetp.eq.u32 accumulate, 0, 0;\n"                              \
      "tcgen05.mma.cta_group::1." ptx " [%0], %1, %2, %3, [%4], [%5], accumulate;\n}" ::"r"(d), \
      "l"(a), "l"(b), "r"(descriptor), "r"(scale_a), "r"(scale_b)                               \
      : "memory")

#define MMASPEC_KIND(type, is_scaled, statement)                                  \
  struct type {                                                                   \
    static constexpr bool scaled = is_scaled;                                     \
    static __device__ void run(std::uint32_t d, std::uint64_t a, std::uint64_t b, \
                               std::uint32_t descriptor, std::uint32_t scale_a,   \
                               std::uint32_t scale_b) {                           \
      statement;                                                                  \
      static_cast<void>(scale_a), static_cast<void>(scale_b);                     \
    }                                                                             \
  };
MMASPEC_KIND(kind_f16, false, MMASPEC_TCGEN05_MMA("kind::f16"))
MMASPEC_KIND(kind_tf32, false, MMASPEC_TCGEN05_MMA("kind::tf32"))
MMASPEC_KIND(kind_f8f6f4, false, MMASPEC_TCGEN05_MMA("kind::f8f6f4"))
MMASPEC_KIND(kind_mxf8f6f4_1x, true,
             MMASPEC_TCGEN05_MMA_SCALED("kind::mxf8f6f4.block_scale.scale_vec::1X"))
MMASPEC_KIND(kind_mxf4_2x, true, MMASPEC_TCGEN05_MMA_SCALED("kind::mxf4.block_scale.scale_vec::2X"))
MMASPEC_KIND(kind_mxf4nvf4_4x, true,
             MMASPEC_TCGEN05_MMA_SCALED("kind::mxf4nvf4.block_scale.scale_vec::4X"))

namespace {

template <class Op>
void launch(const Instruction& instruction, const Dots& dots, Result* results) {
  int device = 0, multiprocessors = 1;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  constexpr int blocks_per_multiprocessor = 8;  // out of the 16 for which tensor memory has columns
  const int blocks = std::min(blocks_per_multiprocessor * multiprocessors, dots.count);
  tcgen05_kernel<Op><<<blocks, threads_per_block>>>(dots, results,
                                                    instruction_descriptor(instruction),
                                                    tile(instruction), instruction.half_result);
}

}  // namespace

Launch find_tcgen05(const Instruction& instruction) {
  switch (instruction.kind) {
    case Kind::f16:
      return launch<kind_f16>;
    case Kind::tf32:
      return launch<kind_tf32>;
    case Kind::f8f6f4:
      return launch<kind_f8f6f4>;
    case Kind::mxf8f6f4:
      return launch<kind_mxf8f6f4_1x>;
    case Kind::mxf4:
      return launch<kind_mxf4_2x>;
    case Kind::mxf4nvf4:
      return launch<kind_mxf4nvf4_4x>;
    case Kind::none:
      break;
  }
  return nullptr;
}

}  // namespace mmaspec::replay::cuda
