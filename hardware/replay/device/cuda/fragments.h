#pragma once

#include <cstdint>

/// The matrix element that each register of a lane holds: PTX ISA, "Matrix fragments for mma.*", in
/// units of words. A register of A or B holds 32 bits of one row of A, or of one column of B, with
/// ascending k from the low bits; for f64 a word is 64 bits. In these units all types share one
/// layout. A host compiler can compile this file; tests/replay/device/fragments_test.cpp checks it
/// against the element formulas printed in the PTX ISA.
#ifdef __CUDACC__
#define MMASPEC_HOST_DEVICE __host__ __device__
#else
#define MMASPEC_HOST_DEVICE
#endif

namespace mmaspec::replay::cuda {

struct Place {
  int row;  ///< of A, C, D; for B its column
  int word;
};

struct Element {
  int row, column;
};

/// m16n8kK: A's register `r`. Four lanes share a row, registers alternate between rows g and g + 8.
MMASPEC_HOST_DEVICE constexpr Place a_place(int lane, int r) {
  return {lane / 4 + 8 * (r & 1), lane % 4 + 4 * (r >> 1)};
}

/// m16n8kK and m8n8k4 of f64: B's register `r`.
MMASPEC_HOST_DEVICE constexpr Place b_place(int lane, int r) {
  return {lane / 4, lane % 4 + 4 * r};
}

/// m16n8kK: element `i` of C or D. An f32 or f64 element has its own register; f16 elements 2r and
/// 2r + 1 share register r, the first in its low half. The 16 rows of each warp of wgmma's D with n
/// = 8 have the same layout. m8n8k4 of f64 has only the first two elements.
MMASPEC_HOST_DEVICE constexpr Element c_element(int lane, int i) {
  return {lane / 4 + 8 * (i >> 1), lane % 4 * 2 + (i & 1)};
}

/// m8n8k4 of f16: a warp computes four products, one for each quad pair (lanes 4q to 4q + 3, and
/// the lanes 16 above them). Returns A's row, and B's column, of a lane; the lane's two registers
/// hold all four k.
MMASPEC_HOST_DEVICE constexpr int quad_pair_row(int lane) { return lane % 4 + (lane < 16 ? 0 : 4); }

/// m8n8k4: element `i` of an f32 C or D.
MMASPEC_HOST_DEVICE constexpr Element quad_pair_f32(int lane, int i) {
  return {(lane & 1) + (lane < 16 ? 0 : 4) + (i & 2), (i & 4) + (lane & 2) + (i & 1)};
}

/// m8n8k4: element `i` of an f16 C or D, two to a register.
MMASPEC_HOST_DEVICE constexpr Element quad_pair_f16(int lane, int i) {
  return {quad_pair_row(lane), i};
}

/// wgmma and tcgen05, both operands K-major and not swizzled. A core matrix is 8 rows of 16 bytes.
/// With 32 bytes of K in a row, the core matrices of one group of 8 rows are adjacent: 128 bytes
/// apart along K, and 256 bytes between groups of rows. Returns the word offset of word `word` (of
/// 8) of row `row`.
constexpr int core_matrix_k_bytes = 128;
constexpr int core_matrix_row_bytes = 256;
MMASPEC_HOST_DEVICE constexpr int core_matrix_word(int row, int word) {
  return row / 8 * (core_matrix_row_bytes / 4) + word / 4 * (core_matrix_k_bytes / 4) +
         row % 8 * 4 + word % 4;
}

/// The fields of the shared memory descriptor that wgmma and tcgen05 share: address, leading
/// dimension byte offset (between core matrices along K), stride dimension byte offset (between
/// groups of 8 rows), all in units of 16 bytes.
MMASPEC_HOST_DEVICE constexpr std::uint64_t matrix_descriptor(std::uint32_t shared_address) {
  return static_cast<std::uint64_t>((shared_address & 0x3ffff) >> 4) |
         static_cast<std::uint64_t>(core_matrix_k_bytes >> 4) << 16 |
         static_cast<std::uint64_t>(core_matrix_row_bytes >> 4) << 32;
}

}  // namespace mmaspec::replay::cuda
