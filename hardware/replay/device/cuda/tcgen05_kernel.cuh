#pragma once

#include "hardware/replay/device/cuda/fragments.h"
#include "hardware/replay/device/cuda/kernels.cuh"
#include "hardware/replay/device/cuda/ptx.cuh"
#include "hardware/replay/device/cuda/tcgen05_descriptors.h"

/// tcgen05.mma (sm_100a, sm_103a): one dot product for each instruction. Every row of A is a, every
/// column of B is b, every element of C is c, and every scale factor position holds the dot
/// product's factors; all elements of D must agree. The result then does not depend on where tensor
/// memory stores a row, a column or scale factors. That matters more here than speed: a block
/// should take about a microsecond for a dot product (not measured), and a GPU executes over a
/// thousand blocks at once.
namespace mmaspec::replay::cuda {

/// Tensor memory columns of a block: C and D, then the scale factors of A, then those of B.
constexpr int d_columns = 16;
constexpr int scale_columns = 8;
constexpr int columns = d_columns + 2 * scale_columns;

template <class Op>
__global__ void __launch_bounds__(threads_per_block)
    tcgen05_kernel(Dots dots, Result* results, std::uint32_t descriptor, Tile size, bool half) {
  if constexpr (!target_has_tcgen05) {
    write_missing(results, dots.count);
  } else {
    constexpr int words_per_row = 8;  // 32 bytes of K for every kind
    alignas(128) __shared__ std::uint32_t a[128 * words_per_row];
    alignas(128) __shared__ std::uint32_t b[16 * words_per_row];
    alignas(8) __shared__ std::uint64_t barrier;
    __shared__ std::uint32_t tensor_memory;
    __shared__ std::uint32_t reference;

    const int thread = static_cast<int>(threadIdx.x), warp = thread / 32;
    if (warp == 0) allocate_tensor_memory<columns>(shared_address(&tensor_memory));
    if (thread == 0) init_barrier(shared_address(&barrier));
    sync_threads_and_tcgen05();
    const std::uint32_t d = tensor_memory;
    const std::uint32_t own_lanes = d + (static_cast<std::uint32_t>(warp) * 32 << 16);
    std::uint32_t phase = 0;

    for (int dot = static_cast<int>(blockIdx.x); dot < dots.count;
         dot += static_cast<int>(gridDim.x)) {
      const std::uint32_t* const a_row = dots.a(dot);
      const std::uint32_t* const b_row = dots.b(dot);
      for (int i = thread; i < 128 * words_per_row; i += threads_per_block) {
        const int row = i / words_per_row, word = i % words_per_row;
        a[core_matrix_word(row, word)] = a_row[word];
        if (row < 16) b[core_matrix_word(row, word)] = b_row[word];
      }
      std::uint32_t v[16];
#pragma unroll
      for (std::uint32_t& column : v) column = *dots.c(dot);  // f16: in both halves of the column
      store_columns(own_lanes, v);
#pragma unroll
      for (int i = 0; i < 16; ++i) {
        v[i] = !Op::scaled ? 0 : i < scale_columns ? dots.scale_a(dot) : dots.scale_b(dot);
      }
      store_columns(own_lanes + d_columns, v);
      wait_for_stores();
      fence_proxy_async();
      sync_threads_and_tcgen05();

      if (thread == 0) {
        Op::run(d, matrix_descriptor(shared_address(a)) | tcgen05_version,
                matrix_descriptor(shared_address(b)) | tcgen05_version, descriptor, d + d_columns,
                d + d_columns + scale_columns);
        commit(shared_address(&barrier));
      }
      wait_for_commit(shared_address(&barrier), phase);
      phase ^= 1;

      load_columns(own_lanes, v);
      const std::uint32_t mask = half ? 0xffff : 0xffffffff;
      if (thread == 0) reference = v[0] & mask;
      __syncthreads();
      // m = 64 uses the first 16 lanes of every 32.
      bool even = true;
      if (size.m == 128 || thread % 32 < 16) {
#pragma unroll
        for (int i = 0; i < 16; ++i) even &= i >= size.n || (v[i] & mask) == reference;
      }
      even = __syncthreads_and(even);
      if (thread == 0) write_result(results, dot, dots.count, reference, even);
      sync_threads_and_tcgen05();
    }
    if (warp == 0) free_tensor_memory<columns>(d);
  }
}

}  // namespace mmaspec::replay::cuda
