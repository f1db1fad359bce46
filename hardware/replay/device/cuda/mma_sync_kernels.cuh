#pragma once

#include "hardware/replay/device/cuda/fragments.h"
#include "hardware/replay/device/cuda/kernels.cuh"

/// mma.sync: one warp for eight dot products, with fragments loaded directly from the packed rows.
/// The kernels are templates over the instruction (mma_sync_ops.cuh), so that
/// tests/replay/device/kernels_test.cpp can execute them on the CPU with a substitute.
namespace mmaspec::replay::cuda {

__device__ inline int lane_of_thread() { return static_cast<int>(threadIdx.x % 32); }

/// The first dot product of this thread's warp.
__device__ inline int first_dot() {
  return static_cast<int>(blockIdx.x * warps_per_block + threadIdx.x / 32) * dots_per_instruction;
}

/// m16n8kK, and m8n8kK of integers, which lacks rows 8 to 15.
template <class Op>
__global__ void __launch_bounds__(threads_per_block) mma_sync_kernel(Dots dots, Result* results) {
  if constexpr (!target_has(Op::needs)) {
    write_missing(results, dots.count);
  } else {
    const int lane = lane_of_thread(), first = first_dot();
    if (first >= dots.count) return;  // whole warps exit
    std::uint32_t a[Op::a_registers], b[Op::b_registers], d[Op::d_registers];
#pragma unroll
    for (int r = 0; r < Op::a_registers; ++r) {
      const Place place = a_place(lane, r);
      a[r] = dots.a(first + place.row % 8)[place.word];
    }
#pragma unroll
    for (int r = 0; r < Op::b_registers; ++r) {
      const Place place = b_place(lane, r);
      b[r] = dots.b(first + place.row)[place.word];
    }
    constexpr bool half = Op::half_result;
    const int dot = first + lane / 4;  // this lane's rows of C and D belong to one dot product
#pragma unroll
    for (int r = 0; r < Op::d_registers; ++r) d[r] = *dots.c(dot);  // f16: stored twice in its word
    if constexpr (Op::scaled) {
      Op::run(d, a, b, dots.scale_a(dot), dots.scale_b(dot));
    } else {
      Op::run(d, a, b);
    }
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const Element element = c_element(lane, i);
      if (element.column != element.row) continue;
      const std::uint32_t low = half ? d[0] >> 16 * i & 0xffff : d[i];
      const std::uint32_t high = half ? d[1] >> 16 * i & 0xffff : d[Op::d_registers - 2 + i];
      write_result(results, first + element.row, dots.count, low, low == high);
    }
  }
}

/// m8n8k4 and m16n8kK of f64.
template <class Op>
__global__ void __launch_bounds__(threads_per_block) mma_f64_kernel(Dots dots, Result* results) {
  if constexpr (!target_has(Op::needs)) {
    write_missing(results, dots.count);
  } else {
    const auto load = [](const std::uint32_t* words) {
      return __hiloint2double(static_cast<int>(words[1]), static_cast<int>(words[0]));
    };
    const int lane = lane_of_thread(), first = first_dot();
    if (first >= dots.count) return;
    double a[Op::a_registers], b[Op::b_registers], d[Op::d_registers];
    constexpr bool eight_rows = Op::d_registers == 2;
#pragma unroll
    for (int r = 0; r < Op::a_registers; ++r) {
      const Place place = a_place(lane, r);
      a[r] = load(dots.a(first + place.row % 8) + 2 * place.word);
    }
#pragma unroll
    for (int r = 0; r < Op::b_registers; ++r) {
      const Place place = b_place(lane, r);
      b[r] = load(dots.b(first + place.row) + 2 * place.word);
    }
#pragma unroll
    for (int r = 0; r < Op::d_registers; ++r) d[r] = load(dots.c(first + lane / 4));
    Op::run(d, a, b);
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const Element element = c_element(lane, i);
      if (element.column != element.row) continue;
      const auto low = static_cast<std::uint64_t>(__double_as_longlong(d[i]));
      const auto high = static_cast<std::uint64_t>(
          __double_as_longlong(d[eight_rows ? i : Op::d_registers - 2 + i]));
      write_result(results, first + element.row, dots.count, low, low == high);
    }
  }
}

/// m8n8k4 of f16: the four quad pairs of a warp compute the same eight dot products.
template <class Op>
__global__ void __launch_bounds__(threads_per_block) mma_m8n8k4_kernel(Dots dots, Result* results) {
  if constexpr (!target_has(Needs::sm70)) {
    write_missing(results, dots.count);
  } else {
    const int lane = lane_of_thread(), first = first_dot();
    if (first >= dots.count) return;
    const int row = quad_pair_row(lane);
    std::uint32_t a[2], b[2], c[8], d[8];
#pragma unroll
    for (int r = 0; r < 2; ++r) {
      a[r] = dots.a(first + row)[r];
      b[r] = dots.b(first + row)[r];
    }
#pragma unroll
    for (int r = 0; r < 8; ++r) {
      c[r] = *dots.c(first + (Op::half_c ? row : quad_pair_f32(lane, r).row));
    }
    Op::run(d, a, b, c);
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      const Element element = Op::half_d ? quad_pair_f16(lane, i) : quad_pair_f32(lane, i);
      const std::uint32_t bits = Op::half_d ? d[i / 2] >> 16 * (i & 1) & 0xffff : d[i];
      bool even = true;  // the other quad pairs hold the same element in the same register
      for (const int other : {4, 8, 12}) even &= __shfl_xor_sync(~0u, bits, other) == bits;
      if (element.column == element.row && lane % 16 < 4) {
        write_result(results, first + element.row, dots.count, bits, even);
      }
    }
  }
}

}  // namespace mmaspec::replay::cuda
