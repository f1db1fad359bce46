#pragma once

#include <cstdint>

#include "hardware/replay/device/common/replay.h"
#include "hardware/replay/device/cuda/instructions.h"

/// Definitions that the kernels share: the layout of packed dot products on the device, and which
/// machine instructions the compiled code may use.
namespace mmaspec::replay::cuda {

/// Packed dot products in device memory. Reading rows past the end gives the last row, so that a
/// warp is always full.
struct Dots {
  const std::uint32_t* words;
  int stride, count;
  int b_at, c_at, scale_at;

  __device__ const std::uint32_t* row(int dot) const {
    return words + static_cast<std::size_t>(dot < count ? dot : count - 1) * stride;
  }
  __device__ const std::uint32_t* a(int dot) const { return row(dot); }
  __device__ const std::uint32_t* b(int dot) const { return row(dot) + b_at; }
  __device__ const std::uint32_t* c(int dot) const { return row(dot) + c_at; }
  __device__ std::uint32_t scale_a(int dot) const { return row(dot)[scale_at]; }
  __device__ std::uint32_t scale_b(int dot) const { return row(dot)[scale_at + 1]; }
};

/// Launches one instruction for all dot products, on the current device's default stream.
using Launch = void (*)(const Instruction&, const Dots&, Result*);

/// nullptr if the build lacks a kernel for the instruction.
Launch find_mma_sync(const Instruction& instruction);
Launch find_wgmma(const Instruction& instruction);
Launch find_tcgen05(const Instruction& instruction);

/// CUDA 12.8 is 1208.
constexpr int toolkit = __CUDACC_VER_MAJOR__ * 100 + __CUDACC_VER_MINOR__;

#ifdef __CUDA_ARCH__
constexpr int target_arch = __CUDA_ARCH__ / 10;
#else
constexpr int target_arch = 0;
#endif

/// Separate macros announce the features of one architecture ("a") or of a family ("f").
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
constexpr bool target_has_wgmma = true;
#else
constexpr bool target_has_wgmma = false;
#endif
#if defined(__CUDA_ARCH_FEAT_SM100_ALL) || defined(__CUDA_ARCH_FEAT_SM103_ALL)
constexpr bool target_has_tcgen05 = toolkit >= 1208;
#else
constexpr bool target_has_tcgen05 = false;
#endif
#if defined(__CUDA_ARCH_FEAT_SM120_ALL) || defined(__CUDA_ARCH_FEAT_SM121_ALL)
constexpr bool target_has_narrow_mma = toolkit >= 1208;
#else
constexpr bool target_has_narrow_mma = false;
#endif

/// What an instruction of mma.sync requires of target and toolkit.
enum class Needs { sm70, sm75, sm80, sm90, fp8, fp8_cuda128, narrow, narrow_cuda131 };

__host__ __device__ constexpr bool target_has(Needs needs) {
  switch (needs) {
    case Needs::sm70:
      return target_arch >= 70;
    case Needs::sm75:
      return target_arch >= 75;
    case Needs::sm80:
      return target_arch >= 80;
    case Needs::sm90:
      return target_arch >= 90;
    case Needs::fp8:
      return target_arch >= 89 && toolkit >= 1204;
    case Needs::fp8_cuda128:
      return target_arch >= 89 && toolkit >= 1208;
    case Needs::narrow:
      return target_has_narrow_mma;
    case Needs::narrow_cuda131:
      return target_has_narrow_mma && toolkit >= 1301;
  }
  return false;
}

constexpr int warps_per_block = 4;
constexpr int threads_per_block = 32 * warps_per_block;

/// Every instruction of mma.sync and wgmma here computes eight dot products: number i is row i of
/// A, column i of B, and element (i, i) of C and D; row i + 8, and so on, repeat row i.
constexpr int dots_per_instruction = 8;

__device__ inline void write_result(Result* results, int dot, int count, std::uint64_t bits,
                                    bool even) {
  if (dot < count) results[dot] = Result{bits, even ? Result::good : Result::uneven, 0};
}

/// For code compiled for a target without the instruction: the host then reports it.
__device__ inline void write_missing(Result* results, int count) {
  const int first = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  for (int dot = first; dot < count; dot += static_cast<int>(gridDim.x * blockDim.x)) {
    results[dot] = Result{0, Result::missing, 0};
  }
}

}  // namespace mmaspec::replay::cuda
