#pragma once

#include "hardware/replay/device/cuda/fragments.h"
#include "hardware/replay/device/cuda/kernels.cuh"
#include "hardware/replay/device/cuda/ptx.cuh"

/// wgmma (sm_90a), always n = 8: one warpgroup for eight dot products. Row i of A is dot product i
/// % 8, so each of the four warps computes every dot product twice; all eight results must agree.
namespace mmaspec::replay::cuda {

template <class Op>
__global__ void __launch_bounds__(threads_per_block) wgmma_kernel(Dots dots, Result* results) {
  if constexpr (!target_has_wgmma) {
    write_missing(results, dots.count);
  } else {
    constexpr int words_per_row = 8;  // 32 bytes of K for every type
    constexpr int rows = 64;
    alignas(128) __shared__ std::uint32_t a[rows * words_per_row];
    alignas(128) __shared__ std::uint32_t b[dots_per_instruction * words_per_row];
    __shared__ std::uint32_t answers[warps_per_block][dots_per_instruction];
    __shared__ bool even[warps_per_block][dots_per_instruction];

    const int thread = static_cast<int>(threadIdx.x), warp = thread / 32, lane = thread % 32;
    const int first = static_cast<int>(blockIdx.x) * dots_per_instruction;
    for (int i = thread; i < rows * words_per_row; i += threads_per_block) {
      const int row = i / words_per_row, word = i % words_per_row;
      a[core_matrix_word(row, word)] = dots.a(first + row % 8)[word];
      if (row < dots_per_instruction) b[core_matrix_word(row, word)] = dots.b(first + row)[word];
    }
    // The tensor core reads shared memory through another proxy than these stores.
    fence_proxy_async();
    __syncthreads();

    // This lane's rows of C and D are 16 * warp + lane / 4 and the row 8 below: one dot product.
    constexpr bool half = Op::d_registers == 2;
    std::uint32_t d[Op::d_registers];
#pragma unroll
    for (int r = 0; r < Op::d_registers; ++r) d[r] = *dots.c(first + lane / 4);
    Op::run(d, matrix_descriptor(shared_address(a)), matrix_descriptor(shared_address(b)));

#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const Element element = c_element(lane, i);
      if (element.column != element.row) continue;
      const std::uint32_t low = half ? d[0] >> 16 * i & 0xffff : d[i];
      const std::uint32_t high = half ? d[1] >> 16 * i & 0xffff : d[Op::d_registers - 2 + i];
      answers[warp][element.row] = low;
      even[warp][element.row] = low == high;
    }
    __syncthreads();
    if (thread < dots_per_instruction) {
      bool all_even = true;
      for (int w = 0; w < warps_per_block; ++w) {
        all_even &= even[w][thread] && answers[w][thread] == answers[0][thread];
      }
      write_result(results, first + thread, dots.count, answers[0][thread], all_even);
    }
  }
}

}  // namespace mmaspec::replay::cuda
