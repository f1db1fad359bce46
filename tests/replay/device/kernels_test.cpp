// Runs the CUDA kernels themselves on the CPU, with a host thread for each thread, and with an
// invented instruction instead of the machine's: D[i][j] = C[i][j] + sum over words w of (w + 1)
// (A[i][w] + 1) (B[j][w] + 3) + the words of scale factors. Each result must be that of its row's
// words, for any number of rows.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/replay/device/emulated_cuda.h"

namespace mmaspec::replay::cuda {
namespace {

std::uint64_t term(int word, std::uint64_t a, std::uint64_t b) {
  return static_cast<std::uint64_t>(word + 1) * (a + 1) * (b + 3);
}
std::uint64_t scale_term(std::uint32_t a, std::uint32_t b) {
  return 7 * std::uint64_t{a} + 11 * std::uint64_t{b};
}

/// Registers of a warp's lanes, which other lanes can read.
struct Warp {
  std::uint64_t a[32][8], b[32][4], c[32][8];
  std::uint32_t scale_a[32], scale_b[32];
};
Warp warps[warps_per_block];

Warp& own_warp() { return warps[threadIdx.x / 32]; }
int own_lane() { return static_cast<int>(threadIdx.x % 32); }

template <class T>
std::uint64_t bits(T value) {
  if constexpr (sizeof(T) == 8)
    return std::bit_cast<std::uint64_t>(value);
  else
    return value;
}

/// m16n8kK and m8n8k4 of f64: D's element from the fragments of all lanes.
template <int a_registers, int b_registers, bool half>
std::uint64_t element(const Warp& warp, Element at, bool scaled) {
  std::uint64_t sum = 0;
  for (int w = 0; w < 4 * b_registers; ++w) {
    std::uint64_t a = 0, b = 0;
    for (int lane = 0; lane < 32; ++lane) {
      for (int r = 0; r < a_registers; ++r) {
        const Place place = a_place(lane, r);
        if (place.row == at.row && place.word == w) a = warp.a[lane][r];
      }
      for (int r = 0; r < b_registers; ++r) {
        const Place place = b_place(lane, r);
        if (place.row == at.column && place.word == w) b = warp.b[lane][r];
      }
    }
    sum += term(w, a, b);
  }
  for (int lane = 0; lane < 32; ++lane) {
    for (int i = 0; i < 4; ++i) {
      const Element element = c_element(lane, i);
      if (element.row == at.row && element.column == at.column) {
        sum += half ? warp.c[lane][i / 2] >> 16 * (i % 2) & 0xffff : warp.c[lane][i];
      }
    }
  }
  // PTX ISA, "Block scaling": with thread-id 0, lane 4g has the factors of row g, lane 4g + 1 those
  // of row g + 8, and lane 4g those of column g.
  if (scaled)
    sum += scale_term(warp.scale_a[4 * (at.row % 8) + at.row / 8], warp.scale_b[4 * at.column]);
  return sum;
}

template <int na, int nb, int nd, bool is_scaled = false>
struct MadeUpMma {
  static constexpr Needs needs = Needs::narrow_cuda131;
  static constexpr int a_registers = na, b_registers = nb, d_registers = nd;
  static constexpr bool half_result = nd == 2 && na > 1;  // m8n8kK has no f16 results
  static constexpr bool scaled = is_scaled;

  template <class T>
  static void run(T* d, const T* a, const T* b, std::uint32_t scale_a = 0,
                  std::uint32_t scale_b = 0) {
    constexpr bool half = half_result && sizeof(T) == 4;
    Warp& warp = own_warp();
    const int lane = own_lane();
    for (int r = 0; r < na; ++r) warp.a[lane][r] = bits(a[r]);
    for (int r = 0; r < nb; ++r) warp.b[lane][r] = bits(b[r]);
    for (int r = 0; r < nd; ++r) warp.c[lane][r] = bits(d[r]);
    warp.scale_a[lane] = scale_a;
    warp.scale_b[lane] = scale_b;
    __syncwarp();
    for (int r = 0; r < nd; ++r) {
      if constexpr (half) {
        d[r] = 0;
        for (int e = 0; e < 2; ++e) {
          d[r] |= static_cast<T>(
                      element<na, nb, true>(warp, c_element(lane, 2 * r + e), is_scaled) & 0xffff)
                  << 16 * e;
        }
      } else {
        const std::uint64_t sum = element<na, nb, false>(warp, c_element(lane, r), is_scaled);
        if constexpr (sizeof(T) == 8)
          d[r] = std::bit_cast<double>(sum);
        else
          d[r] = static_cast<T>(sum);
      }
    }
    __syncwarp();
  }
};

template <bool c_is_half, bool d_is_half>
struct MadeUpM8n8k4 {
  static constexpr bool half_c = c_is_half, half_d = d_is_half;
  static void run(std::uint32_t* d, const std::uint32_t* a, const std::uint32_t* b,
                  const std::uint32_t* c) {
    Warp& warp = own_warp();
    const int lane = own_lane();
    for (int r = 0; r < 2; ++r) warp.a[lane][r] = a[r], warp.b[lane][r] = b[r];
    for (int r = 0; r < (half_c ? 4 : 8); ++r) warp.c[lane][r] = c[r];
    __syncwarp();
    for (int i = 0; i < 8; ++i) {
      const Element at = half_d ? quad_pair_f16(lane, i) : quad_pair_f32(lane, i);
      std::uint64_t sum = 0;
      for (int other = 0; other < 32; ++other) {
        if (other % 16 / 4 != lane % 16 / 4) continue;  // another quad pair's product
        for (int match = 0; match < 32; ++match) {
          if (match % 16 / 4 != lane % 16 / 4) continue;
          if (quad_pair_row(other) != at.row || quad_pair_row(match) != at.column) continue;
          for (int w = 0; w < 2; ++w) sum += term(w, warp.a[other][w], warp.b[match][w]);
        }
        for (int e = 0; e < 8; ++e) {
          const Element element = half_c ? quad_pair_f16(other, e) : quad_pair_f32(other, e);
          if (element.row != at.row || element.column != at.column) continue;
          sum += half_c ? warp.c[other][e / 2] >> 16 * (e % 2) & 0xffff : warp.c[other][e];
        }
      }
      if (half_d) {
        if (i % 2 == 0) d[i / 2] = 0;
        d[i / 2] |= static_cast<std::uint32_t>(sum & 0xffff) << 16 * (i % 2);
      } else {
        d[i] = static_cast<std::uint32_t>(sum);
      }
    }
    __syncwarp();
  }
};

/// Word `word` of row `row` of a K-major matrix without swizzle, according to its descriptor.
std::uint32_t matrix_word(std::uint64_t descriptor, int row, int word) {
  const auto* const base = static_cast<const std::uint32_t*>(
      emulated::shared_memory(static_cast<std::uint32_t>(descriptor & 0x3fff) << 4));
  const auto leading = static_cast<int>(descriptor >> 16 & 0x3fff) * 16;
  const auto stride = static_cast<int>(descriptor >> 32 & 0x3fff) * 16;
  return base[(row / 8 * stride + row % 8 * 16 + word / 4 * leading + word % 4 * 4) / 4];
}
std::uint64_t dot(std::uint64_t a, int row, std::uint64_t b, int column) {
  std::uint64_t sum = 0;
  for (int w = 0; w < 8; ++w) sum += term(w, matrix_word(a, row, w), matrix_word(b, column, w));
  return sum;
}

template <int nd>
struct MadeUpWgmma {
  static constexpr int d_registers = nd;
  static void run(std::uint32_t* d, std::uint64_t a, std::uint64_t b) {
    const int warp = static_cast<int>(threadIdx.x / 32);
    for (int i = 0; i < 4; ++i) {
      const Element at = c_element(own_lane(), i);
      const std::uint64_t sum = dot(a, 16 * warp + at.row, b, at.column);
      if (nd == 4) {
        d[i] += static_cast<std::uint32_t>(sum);
      } else {
        const int shift = 16 * (i % 2);
        const auto low = static_cast<std::uint32_t>((d[i / 2] >> shift) + sum) & 0xffff;
        d[i / 2] = (d[i / 2] & ~(0xffffu << shift)) | low << shift;
      }
    }
  }
};

template <bool is_scaled>
struct MadeUpKind {
  static constexpr bool scaled = is_scaled;
  static void run(std::uint32_t d, std::uint64_t a, std::uint64_t b, std::uint32_t descriptor,
                  std::uint32_t scale_a, std::uint32_t scale_b) {
    EXPECT_EQ(a >> 46, 1u);
    const auto m = static_cast<int>(descriptor >> 24 & 31) * 16;
    const auto n = static_cast<int>(descriptor >> 17 & 63) * 8;
    const bool half = !is_scaled && (descriptor >> 4 & 3) == 0;
    for (int row = 0; row < m; ++row) {
      for (int column = 0; column < n; ++column) {
        const int lane = m == 64 ? row / 16 * 32 + row % 16 : row;
        std::uint32_t& cell = emulated::tensor_memory[lane][static_cast<int>(d) + column];
        std::uint64_t sum = dot(a, row, b, column) + (half ? cell & 0xffff : cell);
        if (is_scaled) {
          sum += scale_term(
              emulated::tensor_memory[row % 32][static_cast<int>(scale_a) + row / 32],
              emulated::tensor_memory[column % 32][static_cast<int>(scale_b) + column / 32]);
        }
        cell = static_cast<std::uint32_t>(half ? sum & 0xffff : sum);
      }
    }
  }
};

/// Runs `kernel(dots, results)` over random rows of `layout` and compares.
template <class Kernel>
void check(const OperandLayout& layout, int dots_per_block, Kernel kernel) {
  const int width = layout.a.bits == 64 ? 2 : 1;  // 32-bit words per word of the fragments
  unsigned state = 5;
  for (const int count : {1, 7, 8, 9, dots_per_block, 2 * dots_per_block + 3}) {
    std::vector<std::uint32_t> words(static_cast<std::size_t>(count * layout.words()));
    for (std::uint32_t& word : words) word = (state = state * 1664525 + 1013904223);
    for (int i = 0; i < count && layout.c_bits == 16; ++i) {  // as in pack_row
      std::uint32_t& c = words[static_cast<std::size_t>(i * layout.words() + layout.c_at())];
      c = (c & 0xffff) * 0x10001;
    }
    std::vector<Result> results(static_cast<std::size_t>(count + 1));
    const Dots dots{words.data(),  layout.words(), count,
                    layout.b_at(), layout.c_at(),  layout.scale_at()};
    const int blocks = (count + dots_per_block - 1) / dots_per_block;
    emulated::run_grid(blocks, threads_per_block, [&] { kernel(dots, results.data()); });
    for (int i = 0; i < count; ++i) {
      const auto read = [&](int at) {
        const std::uint32_t* const row = words.data() + i * layout.words() + at;
        return width == 1 ? row[0] : row[0] | static_cast<std::uint64_t>(row[1]) << 32;
      };
      std::uint64_t sum = read(layout.c_at());
      if (layout.c_bits == 16) sum &= 0xffff;
      for (int w = 0; w < layout.a_words() / width; ++w) {
        sum += term(w, read(w * width), read(layout.b_at() + w * width));
      }
      if (layout.scales) {
        sum += scale_term(static_cast<std::uint32_t>(read(layout.scale_at())),
                          static_cast<std::uint32_t>(read(layout.scale_at() + 1)));
      }
      if (layout.d_bits < 64) sum &= (std::uint64_t{1} << layout.d_bits) - 1;
      EXPECT_EQ(results[static_cast<std::size_t>(i)].bits, sum) << i << " of " << count;
      EXPECT_EQ(results[static_cast<std::size_t>(i)].state, Result::good) << i << " of " << count;
    }
    EXPECT_EQ(results.back().state, Result::unwritten) << "written past the end";
  }
}

const Instruction& instruction(const std::string& mnemonic) {
  const int found = find_instruction("any/" + mnemonic);
  EXPECT_GE(found, 0) << mnemonic;
  return instructions()[static_cast<std::size_t>(found)];
}

constexpr int dots_per_mma_block = warps_per_block * dots_per_instruction;

template <class Op>
void check_mma_sync(const char* mnemonic) {
  SCOPED_TRACE(mnemonic);
  check(instruction(mnemonic).layout, dots_per_mma_block,
        [](const Dots& dots, Result* results) { mma_sync_kernel<Op>(dots, results); });
}
template <class Op>
void check_f64(const char* mnemonic) {
  SCOPED_TRACE(mnemonic);
  check(instruction(mnemonic).layout, dots_per_mma_block,
        [](const Dots& dots, Result* results) { mma_f64_kernel<Op>(dots, results); });
}
template <class Op>
void check_m8n8k4(const char* mnemonic) {
  SCOPED_TRACE(mnemonic);
  check(instruction(mnemonic).layout, dots_per_mma_block,
        [](const Dots& dots, Result* results) { mma_m8n8k4_kernel<Op>(dots, results); });
}

TEST(Kernels, MmaSync) {
  check_mma_sync<MadeUpMma<2, 1, 4>>("mma.m16n8k4.f32.tf32.tf32.f32");
  check_mma_sync<MadeUpMma<2, 1, 2>>("mma.m16n8k8.f16.f16.f16.f16");
  check_mma_sync<MadeUpMma<4, 2, 4>>("mma.m16n8k16.f32.bf16.bf16.f32");
  check_mma_sync<MadeUpMma<4, 2, 2>>("mma.m16n8k32.f16.e4m3.e5m2.f16");
  check_mma_sync<MadeUpMma<4, 2, 4, true>>(
      "mma.block_scale.m16n8k64.block16.f32.e2m1.e2m1.f32.ue4m3");
}

TEST(Kernels, MmaSyncOfIntegers) {
  check_mma_sync<MadeUpMma<1, 1, 2>>("mma.m8n8k16.s32.s8.u8.s32");
  check_mma_sync<MadeUpMma<2, 1, 4>>("mma.m16n8k16.satfinite.s32.s8.s8.s32");
  check_mma_sync<MadeUpMma<4, 2, 4>>("mma.m16n8k32.s32.u8.s8.s32");
  check_mma_sync<MadeUpMma<1, 1, 2>>("mma.m8n8k32.satfinite.s32.s4.u4.s32");
  check_mma_sync<MadeUpMma<2, 1, 4>>("mma.m16n8k32.s32.u4.u4.s32");
  check_mma_sync<MadeUpMma<4, 2, 4>>("mma.m16n8k64.satfinite.s32.s4.s4.s32");
}

TEST(Kernels, MmaSyncOfF64) {
  check_f64<MadeUpMma<1, 1, 2>>("mma.m8n8k4.f64.f64.f64.f64");
  check_f64<MadeUpMma<2, 1, 4>>("mma.m16n8k4.f64.f64.f64.f64");
  check_f64<MadeUpMma<4, 2, 4>>("mma.m16n8k8.f64.f64.f64.f64");
  check_f64<MadeUpMma<8, 4, 4>>("mma.m16n8k16.f64.f64.f64.f64");
}

TEST(Kernels, M8N8K4) {
  check_m8n8k4<MadeUpM8n8k4<false, false>>("mma.m8n8k4.f32.f16.f16.f32");
  check_m8n8k4<MadeUpM8n8k4<true, false>>("mma.m8n8k4.f32.f16.f16.f16");
  check_m8n8k4<MadeUpM8n8k4<true, true>>("mma.m8n8k4.f16.f16.f16.f16");
}

TEST(Kernels, Wgmma) {
  check(instruction("wgmma.m64n8k16.f32.f16.f16").layout, dots_per_instruction,
        [](const Dots& dots, Result* results) { wgmma_kernel<MadeUpWgmma<4>>(dots, results); });
  check(instruction("wgmma.m64n8k32.satfinite.s32.u8.s8").layout, dots_per_instruction,
        [](const Dots& dots, Result* results) { wgmma_kernel<MadeUpWgmma<4>>(dots, results); });
  check(instruction("wgmma.m64n8k32.f16.e4m3.e4m3").layout, dots_per_instruction,
        [](const Dots& dots, Result* results) { wgmma_kernel<MadeUpWgmma<2>>(dots, results); });
}

TEST(Kernels, Tcgen05) {
  for (const char* const mnemonic :
       {"tcgen05.mma.m64n8k8.f32.tf32.tf32", "tcgen05.mma.m64n8k16.f16.f16.f16",
        "tcgen05.mma.m128n16k32.f16.e5m2.e2m1"}) {
    SCOPED_TRACE(mnemonic);
    const Instruction& known = instruction(mnemonic);
    check(known.layout, 4, [&](const Dots& dots, Result* results) {
      tcgen05_kernel<MadeUpKind<false>>(dots, results, instruction_descriptor(known), tile(known),
                                        known.half_result);
    });
  }
  for (const char* const mnemonic :
       {"tcgen05.mma.block_scale.m128n8k32.block32.f32.e4m3.e2m3.ue8m0",
        "tcgen05.mma.block_scale.m128n8k64.block16.f32.e2m1.e2m1.ue4m3"}) {
    SCOPED_TRACE(mnemonic);
    const Instruction& known = instruction(mnemonic);
    check(known.layout, 4, [&](const Dots& dots, Result* results) {
      tcgen05_kernel<MadeUpKind<true>>(dots, results, instruction_descriptor(known), tile(known),
                                       known.half_result);
    });
  }
}

}  // namespace
}  // namespace mmaspec::replay::cuda
