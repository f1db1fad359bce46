#pragma once

#include <cstdint>

/// Which element of a matrix a lane's register holds: PTX ISA, "Matrix fragments for mma.*", in
/// units of words (a register of A or B holds 32 bits of one row of A, or of one column of B, k
/// ascending from the low bits; for f64 a word is 64 bits). In these units all the types share one
/// layout. Plain C++ for a host compiler, checked there by tests/replay/device/fragments_test.cpp
/// against the element formulas as PTX ISA prints them.
#ifdef __CUDACC__
#define MMASPEC_HOST_DEVICE __host__ __device__
#else
#define MMASPEC_HOST_DEVICE
#endif

namespace mmaspec::replay::cuda {

struct Place {
  int row;  ///< of A, C, D; of B its column
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

/// m16n8kK: element `i` of C or D. An f32 or f64 element has a register to itself; elements 2r and
/// 2r + 1 of f16 share register r, the first in its low half. The same for each warp's 16 rows of
/// wgmma's D with n = 8. m8n8k4 of f64 has the first two.
MMASPEC_HOST_DEVICE constexpr Element c_element(int lane, int i) {
  return {lane / 4 + 8 * (i >> 1), lane % 4 * 2 + (i & 1)};
}

/// m8n8k4 of f16: a warp runs four products, one for each quad pair (lanes 4q to 4q + 3 and 16
/// above them). A's row, and B's column, of a lane; its two registers hold all four k.
MMASPEC_HOST_DEVICE constexpr int quad_pair_row(int lane) { return lane % 4 + (lane < 16 ? 0 : 4); }

/// m8n8k4: element `i` of an f32 C or D.
MMASPEC_HOST_DEVICE constexpr Element quad_pair_f32(int lane, int i) {
  return {(lane & 1) + (lane < 16 ? 0 : 4) + (i & 2), (i & 4) + (lane & 2) + (i & 1)};
}

/// m8n8k4: element `i` of an f16 C or D, two to a register.
MMASPEC_HOST_DEVICE constexpr Element quad_pair_f16(int lane, int i) {
  return {quad_pair_row(lane), i};
}

/// wgmma and tcgen05, both operands K-major and not swizzled: a core matrix is 8 rows of 16 bytes.
/// With 32 bytes of K to a row, the core matrices of one group of 8 rows are neighbours: 128 bytes
/// between them along K, 256 bytes between groups of rows. This is the word offset of word `word`
/// (of 8) of row `row`.
constexpr int core_matrix_k_bytes = 128;
constexpr int core_matrix_row_bytes = 256;
MMASPEC_HOST_DEVICE constexpr int core_matrix_word(int row, int word) {
  return row / 8 * (core_matrix_row_bytes / 4) + word / 4 * (core_matrix_k_bytes / 4) +
         row % 8 * 4 + word % 4;
}

/// The shared memory descriptor's fields that wgmma and tcgen05 have in common: address, leading
/// dimension byte offset (between core matrices along K), stride dimension byte offset (between
/// groups of 8 rows), all in units of 16 bytes.
MMASPEC_HOST_DEVICE constexpr std::uint64_t matrix_descriptor(std::uint32_t shared_address) {
  return static_cast<std::uint64_t>((shared_address & 0x3ffff) >> 4) |
         static_cast<std::uint64_t>(core_matrix_k_bytes >> 4) << 16 |
         static_cast<std::uint64_t>(core_matrix_row_bytes >> 4) << 32;
}

}  // namespace mmaspec::replay::cuda
