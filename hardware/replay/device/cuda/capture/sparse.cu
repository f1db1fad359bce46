// Tests whether a sparse matrix instruction equals the dense one on the selected elements, by
// executing both on the GPU with random inputs.
//
//   nvcc -std=c++17 -I . -gencode arch=compute_90a,code=sm_90a
//   hardware/replay/device/cuda/capture/sparse.cu -o sparse
//   ./sparse 10000000 > rows.jsonl
//
// mma.sp or wgmma.sp on stored elements of A, metadata and twice as many elements of B is compared
// with the dense instruction on the same elements of A and the elements of B that the metadata
// selects. Other elements of B are random too; in a quarter of the rows all of them are NaN,
// infinite or the largest number. All rows of A, columns of B and elements of C are the same, and
// each element of D is compared. Standard output: a header line; for each instruction a line with
// the number of rows and the number of those in which an element differs, then some rows:
// {"sparse":..., "a":..., "metadata":..., "b":..., "c":..., "d":..., "d_dense":...}. Which bits of
// the metadata a lane holds differs between instructions: the program tries the arrangements on
// some thousand rows ("differ_by_arrangement") and uses the one with the fewest differences.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "hardware/replay/device/cuda/fragments.h"
#include "hardware/replay/device/cuda/ptx.cuh"

namespace {

using namespace mmaspec::replay::cuda;

constexpr int kThreads = 128;
constexpr int kShown = 128;
constexpr int kShownDiffering = 32;
constexpr int kArrangements = 6;

void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "sparse: %s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

/// A format of operands or results: floating point, or an integer if `exponent` is 0. The `unused`
/// low bits are zero.
struct Kind {
  int exponent;
  int fraction;
  int unused;
  int bits;
};
constexpr Kind kF16{5, 10, 0, 16}, kBf16{8, 7, 0, 16}, kTf32{8, 10, 13, 32}, kF32{8, 23, 0, 32};
constexpr Kind kE4m3{4, 3, 0, 8}, kE5m2{5, 2, 0, 8}, kInt8{0, 8, 0, 8}, kInt32{0, 32, 0, 32};

struct Row {
  std::uint32_t a[8];   ///< 32 bytes of stored elements
  std::uint32_t b[16];  ///< 64 bytes
  std::uint64_t metadata;
  std::uint32_t c;
  std::uint32_t d;
  std::uint32_t d_dense;
};

/// SplitMix64 of a row's number and a counter.
__device__ std::uint64_t drawn(std::uint64_t row, std::uint32_t i) {
  std::uint64_t z = (row << 8 | i) * 0x9e3779b97f4a7c15U + 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

/// A pattern of a kind that the row determines: random bits, exponents close together, powers of
/// two, zeros next to large numbers, subnormals next to the largest; for integers random ones and
/// those near the ends.
__device__ std::uint32_t pattern(std::uint64_t row, std::uint32_t i, Kind kind) {
  const std::uint64_t z = drawn(row, i);
  const auto sort = static_cast<unsigned>(drawn(row, 255) % 5);
  if (kind.exponent == 0) {
    const std::uint32_t mask = kind.bits == 32 ? ~0U : (1U << kind.bits) - 1;
    const auto bits = static_cast<std::uint32_t>(z);
    if (sort < 2) return bits & mask;
    return ((bits >> 31 << (kind.bits - 1)) + (bits % 9) - 4U) & mask;
  }
  const std::uint32_t sign = static_cast<std::uint32_t>(z >> 63) << (kind.exponent + kind.fraction);
  const std::uint32_t fraction_mask = (1U << kind.fraction) - 1;
  const auto bits = static_cast<std::uint32_t>(z) & ((1U << (kind.exponent + kind.fraction)) - 1);
  const std::uint32_t bias = (1U << (kind.exponent - 1)) - 1;
  const auto near = bias + 2 - static_cast<std::uint32_t>((z >> 40) % (bias < 12 ? bias + 2 : 12));
  std::uint32_t x = 0;
  switch (sort) {
    case 0:
      x = sign | bits;
      break;
    case 1:
      x = sign | near << kind.fraction | (bits & fraction_mask);
      break;
    case 2:
      x = sign | near << kind.fraction;
      break;
    case 3:
      x = (z >> 50) % 3 == 0 ? sign : sign | near << kind.fraction | (bits & fraction_mask);
      break;
    default:
      x = (z >> 50) % 4 == 0
              ? sign | (bits & fraction_mask)
              : sign | (bits & ~fraction_mask) % (7U << (kind.exponent + kind.fraction - 3));
  }
  return x << kind.unused;
}

/// A value for an element of B that is not selected, which would show that the element is used:
/// NaN, infinity, the largest number.
__device__ std::uint32_t loud(std::uint64_t z, Kind kind) {
  if (kind.exponent == 0) return z & 1 ? 0x7f : 0x80;
  const std::uint32_t all = (1U << (kind.exponent + kind.fraction)) - 1;
  const std::uint32_t infinity = all & ~((1U << kind.fraction) - 1);
  const std::uint32_t sign = static_cast<std::uint32_t>(z >> 63) << (kind.exponent + kind.fraction);
  const std::uint32_t x = z % 3 == 0 ? all : z % 3 == 1 ? infinity : infinity - 1;
  return (sign | x) << kind.unused;
}

__device__ void store(std::uint32_t* line, int i, int bits, std::uint32_t x) {
  if (bits == 32) line[i] = x;
  if (bits == 16) reinterpret_cast<std::uint16_t*>(line)[i] = static_cast<std::uint16_t>(x);
  if (bits == 8) reinterpret_cast<std::uint8_t*>(line)[i] = static_cast<std::uint8_t>(x);
}

__device__ std::uint32_t load(const std::uint32_t* line, int i, int bits) {
  if (bits == 32) return line[i];
  if (bits == 16) return reinterpret_cast<const std::uint16_t*>(line)[i];
  return reinterpret_cast<const std::uint8_t*>(line)[i];
}

/// The register of metadata that a lane holds.
__device__ std::uint32_t metadata_register(std::uint64_t metadata, int lane, int arrangement) {
  const auto half = [&](int i) {
    return static_cast<std::uint32_t>(metadata >> (16 * i)) & 0xffffU;
  };
  const auto word = [&](int i) { return static_cast<std::uint32_t>(metadata >> (32 * i)); };
  switch (arrangement) {
    case 0:
      return half(lane % 2) * 0x10001U;
    case 1:
      return word(lane % 2);
    case 2:
      return word(lane % 4 / 2);
    case 3:
      return half(lane % 4) * 0x10001U;
    case 4:
      return half(0) * 0x10001U;
    default:
      return word(0);
  }
}

struct Shared {
  alignas(128) std::uint32_t a_tile[64 * 8];
  alignas(128) std::uint32_t b_tile[8 * 16];
  alignas(128) std::uint32_t chosen_tile[8 * 8];
  std::uint32_t a[8], b[16], chosen[8];
  std::uint8_t nibbles[16];
};

// A pair of instructions: formats of A, B and C, bytes of stored elements, registers of D. sparse()
// and dense() take C and return D in d.
#define MMASPEC_OPERANDS(sparse_name, dense_name, a_kind, b_kind, c_kind, bytes, wgmma) \
  static constexpr const char* kSparse = sparse_name;                                   \
  static constexpr const char* kDense = dense_name;                                     \
  static constexpr Kind kA = a_kind, kB = b_kind, kC = c_kind;                          \
  static constexpr int kBytes = bytes;                                                  \
  static constexpr bool kWgmma = wgmma;                                                 \
  static constexpr int kRegisters = kC.bits == 16 ? 2 : 4;

#define MMASPEC_MMA(Name, sparse_shape, dense_shape, types, a_kind, b_kind, c_kind, bytes, form) \
  struct Name {                                                                                  \
    MMASPEC_OPERANDS("mma.sp::ordered_metadata." sparse_shape types, "mma." dense_shape types,   \
                     a_kind, b_kind, c_kind, bytes, false)                                       \
    static __device__ void sparse(std::uint32_t* d, const Shared& s, int lane,                   \
                                  std::uint32_t metadata) {                                      \
      const int t = lane % 4;                                                                    \
      MMASPEC_SPARSE_##form("mma.sp::ordered_metadata.sync.aligned." sparse_shape                \
                            ".row.col" types);                                                   \
    }                                                                                            \
    static __device__ void dense(std::uint32_t* d, const Shared& s, int lane) {                  \
      const int t = lane % 4;                                                                    \
      MMASPEC_DENSE_##form("mma.sync.aligned." dense_shape ".row.col" types);                    \
    }                                                                                            \
  };
#define MMASPEC_SPARSE_32(ptx)                                                                \
  asm volatile(ptx " {%0,%1,%2,%3}, {%4,%4,%5,%5}, {%6,%7,%8,%9}, {%0,%1,%2,%3}, %10, 0x0;"   \
               : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])                               \
               : "r"(s.a[t]), "r"(s.a[t + 4]), "r"(s.b[t]), "r"(s.b[t + 4]), "r"(s.b[t + 8]), \
                 "r"(s.b[t + 12]), "r"(metadata))
#define MMASPEC_DENSE_32(ptx)                                               \
  asm volatile(ptx " {%0,%1,%2,%3}, {%4,%4,%5,%5}, {%6,%7}, {%0,%1,%2,%3};" \
               : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])             \
               : "r"(s.a[t]), "r"(s.a[t + 4]), "r"(s.chosen[t]), "r"(s.chosen[t + 4]))
#define MMASPEC_SPARSE_16(ptx)                                                 \
  asm volatile(ptx " {%0,%1,%2,%3}, {%4,%4}, {%5,%6}, {%0,%1,%2,%3}, %7, 0x0;" \
               : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])                \
               : "r"(s.a[t]), "r"(s.b[t]), "r"(s.b[t + 4]), "r"(metadata))
#define MMASPEC_DENSE_16(ptx)                                      \
  asm volatile(ptx " {%0,%1,%2,%3}, {%4,%4}, {%5}, {%0,%1,%2,%3};" \
               : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])    \
               : "r"(s.a[t]), "r"(s.chosen[t]))
#define MMASPEC_SPARSE_32H(ptx)                                                               \
  asm volatile(ptx " {%0,%1}, {%2,%2,%3,%3}, {%4,%5,%6,%7}, {%0,%1}, %8, 0x0;"                \
               : "+r"(d[0]), "+r"(d[1])                                                       \
               : "r"(s.a[t]), "r"(s.a[t + 4]), "r"(s.b[t]), "r"(s.b[t + 4]), "r"(s.b[t + 8]), \
                 "r"(s.b[t + 12]), "r"(metadata))
#define MMASPEC_DENSE_32H(ptx)                                  \
  asm volatile(ptx " {%0,%1}, {%2,%2,%3,%3}, {%4,%5}, {%0,%1};" \
               : "+r"(d[0]), "+r"(d[1])                         \
               : "r"(s.a[t]), "r"(s.a[t + 4]), "r"(s.chosen[t]), "r"(s.chosen[t + 4]))

MMASPEC_MMA(MmaF16, "m16n8k32", "m16n8k16", ".f32.f16.f16.f32", kF16, kF16, kF32, 32, 32)
MMASPEC_MMA(MmaF16Half, "m16n8k32", "m16n8k16", ".f16.f16.f16.f16", kF16, kF16, kF16, 32, 32H)
MMASPEC_MMA(MmaF16Short, "m16n8k16", "m16n8k8", ".f32.f16.f16.f32", kF16, kF16, kF32, 16, 16)
MMASPEC_MMA(MmaBf16, "m16n8k32", "m16n8k16", ".f32.bf16.bf16.f32", kBf16, kBf16, kF32, 32, 32)
MMASPEC_MMA(MmaBf16Short, "m16n8k16", "m16n8k8", ".f32.bf16.bf16.f32", kBf16, kBf16, kF32, 16, 16)
MMASPEC_MMA(MmaTf32, "m16n8k16", "m16n8k8", ".f32.tf32.tf32.f32", kTf32, kTf32, kF32, 32, 32)
MMASPEC_MMA(MmaTf32Short, "m16n8k8", "m16n8k4", ".f32.tf32.tf32.f32", kTf32, kTf32, kF32, 16, 16)
MMASPEC_MMA(MmaE4m3, "m16n8k64", "m16n8k32", ".f32.e4m3.e4m3.f32", kE4m3, kE4m3, kF32, 32, 32)
MMASPEC_MMA(MmaE5m2, "m16n8k64", "m16n8k32", ".f32.e5m2.e5m2.f32", kE5m2, kE5m2, kF32, 32, 32)
MMASPEC_MMA(MmaE4m3E5m2, "m16n8k64", "m16n8k32", ".f32.e4m3.e5m2.f32", kE4m3, kE5m2, kF32, 32, 32)
MMASPEC_MMA(MmaS8, "m16n8k64", "m16n8k32", ".s32.s8.s8.s32", kInt8, kInt8, kInt32, 32, 32)
MMASPEC_MMA(MmaS8Saturating, "m16n8k64", "m16n8k32", ".satfinite.s32.s8.s8.s32", kInt8, kInt8,
            kInt32, 32, 32)
MMASPEC_MMA(MmaS8Short, "m16n8k32", "m16n8k16", ".s32.s8.s8.s32", kInt8, kInt8, kInt32, 16, 16)
#undef MMASPEC_MMA

#define MMASPEC_WGMMA_BEGIN \
  "{\n.reg .pred accumulate;\nsetp.eq.u32 accumulate, 0, 0;\nwgmma.fence.sync.aligned;\n"
#define MMASPEC_WGMMA_END ";\nwgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n}"
#define MMASPEC_WGMMA(Name, sparse_shape, dense_shape, types, trailing, a_kind, b_kind, c_kind,   \
                      list, sp, a_at, b_at, m_at)                                                 \
  struct Name {                                                                                   \
    MMASPEC_OPERANDS("wgmma.sp." sparse_shape types, "wgmma." dense_shape types, a_kind, b_kind,  \
                     c_kind, 32, true)                                                            \
    static __device__ void sparse(std::uint32_t* d, const Shared& s, int,                         \
                                  std::uint32_t metadata) {                                       \
      asm volatile(MMASPEC_WGMMA_BEGIN "wgmma.mma_async.sp.sync.aligned." sparse_shape types      \
                                       " " list ", " a_at ", " b_at ", " m_at                     \
                                       ", 0, accumulate" trailing MMASPEC_WGMMA_END               \
                   : sp(d)                                                                        \
                   : "l"(matrix_descriptor(shared_address(s.a_tile))),                            \
                     "l"(matrix_descriptor(shared_address(s.b_tile))), "r"(metadata)              \
                   : "memory");                                                                   \
    }                                                                                             \
    static __device__ void dense(std::uint32_t* d, const Shared& s, int) {                        \
      asm volatile(MMASPEC_WGMMA_BEGIN "wgmma.mma_async.sync.aligned." dense_shape types " " list \
                                       ", " a_at ", " b_at                                        \
                                       ", accumulate" trailing MMASPEC_WGMMA_END                  \
                   : sp(d)                                                                        \
                   : "l"(matrix_descriptor(shared_address(s.a_tile))),                            \
                     "l"(matrix_descriptor(shared_address(s.chosen_tile)))                        \
                   : "memory");                                                                   \
    }                                                                                             \
  };
#define MMASPEC_FOUR(d) "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
#define MMASPEC_TWO(d) "+r"(d[0]), "+r"(d[1])
#define MMASPEC_WGMMA_4(Name, sparse_shape, dense_shape, types, trailing, a_kind, b_kind, c_kind) \
  MMASPEC_WGMMA(Name, "m64n8" sparse_shape, "m64n8" dense_shape, types, trailing, a_kind, b_kind, \
                c_kind, "{%0,%1,%2,%3}", MMASPEC_FOUR, "%4", "%5", "%6")
#define MMASPEC_WGMMA_2(Name, sparse_shape, dense_shape, types, trailing, a_kind, b_kind, c_kind) \
  MMASPEC_WGMMA(Name, "m64n8" sparse_shape, "m64n8" dense_shape, types, trailing, a_kind, b_kind, \
                c_kind, "{%0,%1}", MMASPEC_TWO, "%2", "%3", "%4")
MMASPEC_WGMMA_4(WgmmaF16, "k32", "k16", ".f32.f16.f16", ", 1, 1, 0, 0", kF16, kF16, kF32)
MMASPEC_WGMMA_2(WgmmaF16Half, "k32", "k16", ".f16.f16.f16", ", 1, 1, 0, 0", kF16, kF16, kF16)
MMASPEC_WGMMA_4(WgmmaBf16, "k32", "k16", ".f32.bf16.bf16", ", 1, 1, 0, 0", kBf16, kBf16, kF32)
MMASPEC_WGMMA_4(WgmmaTf32, "k16", "k8", ".f32.tf32.tf32", ", 1, 1", kTf32, kTf32, kF32)
MMASPEC_WGMMA_4(WgmmaE4m3, "k64", "k32", ".f32.e4m3.e4m3", ", 1, 1", kE4m3, kE4m3, kF32)
MMASPEC_WGMMA_4(WgmmaE5m2, "k64", "k32", ".f32.e5m2.e5m2", ", 1, 1", kE5m2, kE5m2, kF32)
MMASPEC_WGMMA_4(WgmmaE4m3E5m2, "k64", "k32", ".f32.e4m3.e5m2", ", 1, 1", kE4m3, kE5m2, kF32)
MMASPEC_WGMMA_4(WgmmaE5m2E4m3, "k64", "k32", ".f32.e5m2.e4m3", ", 1, 1", kE5m2, kE4m3, kF32)
MMASPEC_WGMMA_2(WgmmaE4m3Half, "k64", "k32", ".f16.e4m3.e4m3", ", 1, 1", kE4m3, kE4m3, kF16)
MMASPEC_WGMMA_4(WgmmaS8, "k64", "k32", ".s32.s8.s8", "", kInt8, kInt8, kInt32)
MMASPEC_WGMMA_4(WgmmaS8Saturating, "k64", "k32", ".satfinite.s32.s8.s8", "", kInt8, kInt8, kInt32)
#undef MMASPEC_WGMMA

/// A block of four warps for each row. `differ` counts rows in which an element of D differs from
/// the dense instruction's.
template <typename Op>
__global__ void __launch_bounds__(kThreads) run(std::uint64_t rows, int arrangement, Row* shown,
                                                Row* differing, unsigned long long* differ) {
  __shared__ Shared s;
  const int thread = static_cast<int>(threadIdx.x), lane = thread % 32;
  constexpr int kBits = Op::kA.bits;
  constexpr int kStored = Op::kBytes * 8 / kBits, kWhole = 2 * kStored;
  constexpr bool kOneOfTwo = kBits == 32;
  constexpr int kGroup = kOneOfTwo ? 2 : 4;
  constexpr int kGroups = kWhole / kGroup;
  for (std::uint64_t row = blockIdx.x; row < rows; row += gridDim.x) {
    if (thread < kWhole)
      store(s.b, thread, kBits, pattern(row, static_cast<std::uint32_t>(thread), Op::kB));
    if (thread >= 64 && thread - 64 < kStored) {
      store(s.a, thread - 64, kBits, pattern(row, static_cast<std::uint32_t>(thread), Op::kA));
    }
    if (thread >= 96 && thread < 112) s.nibbles[thread - 96] = 0;
    __syncthreads();
    if (thread < kGroups) {
      const std::uint64_t z = drawn(row, static_cast<std::uint32_t>(128 + thread));
      constexpr unsigned kPairs[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
      const unsigned first = kOneOfTwo ? static_cast<unsigned>(z % 2) : kPairs[z % 6][0];
      const unsigned second = kOneOfTwo ? first : kPairs[z % 6][1];
      // 1 of 2: the positions of two halves of a group of four, 0b0100 for the first element and
      // 0b1110 for the second.
      s.nibbles[thread] =
          static_cast<std::uint8_t>(kOneOfTwo ? (first == 0 ? 0x4U : 0xeU) : first | second << 2);
      const int stored = kOneOfTwo ? 1 : 2;
      store(s.chosen, stored * thread, kBits,
            load(s.b, kGroup * thread + static_cast<int>(first), kBits));
      if (!kOneOfTwo)
        store(s.chosen, 2 * thread + 1, kBits,
              load(s.b, kGroup * thread + static_cast<int>(second), kBits));
      if (drawn(row, 254) % 4 == 0) {
        for (unsigned place = 0; place < kGroup; ++place) {
          if (place == first || place == second) continue;
          store(
              s.b, kGroup * thread + static_cast<int>(place), kBits,
              loud(drawn(row, static_cast<std::uint32_t>(160 + kGroup * thread) + place), Op::kB));
        }
      }
    }
    __syncthreads();
    std::uint64_t metadata = 0;
    for (int group = 0; group < kGroups; ++group)
      metadata |= std::uint64_t{s.nibbles[group]} << (4 * group);
    if constexpr (Op::kWgmma) {
      for (int i = thread; i < 64 * 8; i += kThreads)
        s.a_tile[core_matrix_word(i / 8, i % 8)] = s.a[i % 8];
      s.b_tile[core_matrix_word(thread / 16, thread % 16)] = s.b[thread % 16];
      if (thread < 64)
        s.chosen_tile[core_matrix_word(thread / 8, thread % 8)] = s.chosen[thread % 8];
      fence_proxy_async();
      __syncthreads();
    }
    const std::uint32_t c = pattern(row, 250, Op::kC);
    std::uint32_t d[4], d_dense[4];
    for (int i = 0; i < 4; ++i) d[i] = d_dense[i] = Op::kC.bits == 16 ? c * 0x10001U : c;
    Op::sparse(d, s, lane, metadata_register(metadata, lane, arrangement));
    Op::dense(d_dense, s, lane);
    bool unequal = false;
    for (int i = 0; i < Op::kRegisters; ++i) unequal |= d[i] != d_dense[0];
    const bool any = __syncthreads_or(unequal);
    if (thread != 0) continue;
    const std::uint32_t mask = Op::kC.bits == 16 ? 0xffffU : ~0U;
    Row r{};
    for (int i = 0; i < Op::kBytes / 4; ++i) r.a[i] = s.a[i];
    for (int i = 0; i < Op::kBytes / 2; ++i) r.b[i] = s.b[i];
    r.metadata = metadata;
    r.c = c;
    r.d = d[0] & mask;
    r.d_dense = d_dense[0] & mask;
    if (row < kShown) shown[row] = r;
    if (any) {
      const unsigned long long n = atomicAdd(differ, 1ULL);
      if (n < kShownDiffering) differing[n] = r;
    }
  }
}

void print(const char* key, const std::uint32_t* words, int bits, int count) {
  std::printf(",\"%s\":\"", key);
  for (int i = 0; i < count; ++i) {
    const std::uint32_t word = words[i * bits / 32];
    const std::uint32_t x = bits == 32 ? word : word >> (i * bits % 32) & ((1U << bits) - 1);
    std::printf(i == 0 ? "%0*x" : " %0*x", bits / 4, x);
  }
  std::printf("\"");
}

template <typename Op>
void print_row(const Row& r) {
  constexpr int kStored = Op::kBytes * 8 / Op::kA.bits;
  std::printf("{\"sparse\":\"%s\"", Op::kSparse);
  print("a", r.a, Op::kA.bits, kStored);
  const int metadata_digits = Op::kA.bits == 32 ? kStored : kStored / 2;
  std::printf(",\"metadata\":\"%0*llx\"", metadata_digits,
              static_cast<unsigned long long>(r.metadata));
  print("b", r.b, Op::kA.bits, 2 * kStored);
  print("c", &r.c, Op::kC.bits, 1);
  print("d", &r.d, Op::kC.bits, 1);
  print("d_dense", &r.d_dense, Op::kC.bits, 1);
  std::printf("}\n");
}

template <typename Op>
void compare(std::uint64_t rows) {
  Row* shown = nullptr;
  Row* differing = nullptr;
  unsigned long long* differ = nullptr;
  check(cudaMalloc(&shown, kShown * sizeof(Row)), "memory");
  check(cudaMalloc(&differing, kShownDiffering * sizeof(Row)), "memory");
  check(cudaMalloc(&differ, sizeof(*differ)), "memory");
  const auto count = [&](std::uint64_t how_many, int arrangement) {
    unsigned long long result = 0;
    check(cudaMemset(differ, 0, sizeof(*differ)), "memory");
    run<Op><<<1056, kThreads>>>(how_many, arrangement, shown, differing, differ);
    check(cudaGetLastError(), Op::kSparse);
    check(cudaMemcpy(&result, differ, sizeof(result), cudaMemcpyDeviceToHost), Op::kSparse);
    return result;
  };
  std::vector<unsigned long long> tried;
  for (int arrangement = 0; arrangement < kArrangements; ++arrangement)
    tried.push_back(count(16384, arrangement));
  const auto best = static_cast<int>(std::min_element(tried.begin(), tried.end()) - tried.begin());
  const unsigned long long differences = count(rows, best);
  std::vector<Row> host(kShown);
  std::vector<Row> host_differing(kShownDiffering);
  check(cudaMemcpy(host.data(), shown, kShown * sizeof(Row), cudaMemcpyDeviceToHost), Op::kSparse);
  check(cudaMemcpy(host_differing.data(), differing, kShownDiffering * sizeof(Row),
                   cudaMemcpyDeviceToHost),
        Op::kSparse);
  std::printf(
      "{\"sparse\":\"%s\",\"dense\":\"%s\",\"rows\":%llu,\"differ\":%llu,\"arrangement\":%d,"
      "\"differ_by_arrangement\":[",
      Op::kSparse, Op::kDense, static_cast<unsigned long long>(rows), differences, best);
  for (std::size_t i = 0; i < tried.size(); ++i) std::printf(i == 0 ? "%llu" : ",%llu", tried[i]);
  std::printf("]}\n");
  for (std::uint64_t i = 0; i < kShown && i < rows; ++i) print_row<Op>(host[i]);
  for (unsigned long long i = 0; i < kShownDiffering && i < differences; ++i)
    print_row<Op>(host_differing[i]);
  std::fflush(stdout);
  cudaFree(shown);
  cudaFree(differing);
  cudaFree(differ);
}

template <typename... Op>
void compare_all(std::uint64_t rows) {
  (compare<Op>(rows), ...);
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t rows = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1000000;
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, 0), "no device");
  int driver = 0;
  int runtime = 0;
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&runtime);
  std::printf(
      "{\"device\":\"%s\",\"cuda_driver\":%d,\"cuda_runtime\":%d,\"program\":\"hardware/replay/"
      "device/cuda/"
      "capture/sparse.cu\"}\n",
      properties.name, driver, runtime);
  compare_all<MmaF16, MmaF16Half, MmaF16Short, MmaBf16, MmaBf16Short, MmaTf32, MmaTf32Short,
              MmaE4m3, MmaE5m2, MmaE4m3E5m2, MmaS8, MmaS8Saturating, MmaS8Short>(rows);
  compare_all<WgmmaF16, WgmmaF16Half, WgmmaBf16, WgmmaTf32, WgmmaE4m3, WgmmaE5m2, WgmmaE4m3E5m2,
              WgmmaE5m2E4m3, WgmmaE4m3Half, WgmmaS8, WgmmaS8Saturating>(rows);
  return 0;
}
