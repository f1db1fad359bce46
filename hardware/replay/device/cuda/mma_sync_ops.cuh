#pragma once

#include <cstdint>

#include "hardware/replay/device/cuda/kernels.cuh"

/// Every form of PTX `mma.sync` that is replayed, as one type each: `name` is its mnemonic in the
/// catalogue, and `run` executes the instruction (C is passed in `d`). An asm string must be a
/// literal, so macros are needed.
namespace mmaspec::replay::cuda {

// Operands by their register counts: A_B_D.
#define MMASPEC_ASM_4_2_4(ptx)                                           \
  asm volatile(ptx " {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};" \
               : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])          \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]))
#define MMASPEC_ASM_4_2_2(ptx)                               \
  asm volatile(ptx " {%0,%1},{%2,%3,%4,%5},{%6,%7},{%0,%1};" \
               : "+r"(d[0]), "+r"(d[1])                      \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]))
#define MMASPEC_ASM_2_1_4(ptx)                                  \
  asm volatile(ptx " {%0,%1,%2,%3},{%4,%5},{%6},{%0,%1,%2,%3};" \
               : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]) \
               : "r"(a[0]), "r"(a[1]), "r"(b[0]))
#define MMASPEC_ASM_2_1_2(ptx)                      \
  asm volatile(ptx " {%0,%1},{%2,%3},{%4},{%0,%1};" \
               : "+r"(d[0]), "+r"(d[1])             \
               : "r"(a[0]), "r"(a[1]), "r"(b[0]))
#define MMASPEC_ASM_1_1_2(ptx) \
  asm volatile(ptx " {%0,%1},{%2},{%3},{%0,%1};" : "+r"(d[0]), "+r"(d[1]) : "r"(a[0]), "r"(b[0]))

/// One mma.sync of 32-bit registers; `half`: two results share one.
#define MMASPEC_MMA_OF(type, na, nb, nd, half, mnemonic, ptx, what_it_needs)                       \
  struct type {                                                                                    \
    static constexpr const char* name = mnemonic;                                                  \
    static constexpr Needs needs = Needs::what_it_needs;                                           \
    static constexpr int a_registers = na, b_registers = nb, d_registers = nd;                     \
    static constexpr bool half_result = half, scaled = false;                                      \
    static __device__ void run(std::uint32_t* d, const std::uint32_t* a, const std::uint32_t* b) { \
      MMASPEC_ASM_##na##_##nb##_##nd("mma.sync.aligned." ptx);                                     \
    }                                                                                              \
  };
/// m16n8kK for floating-point numbers.
#define MMASPEC_MMA(type, na, nb, nd, mnemonic, ptx, what_it_needs) \
  MMASPEC_MMA_OF(type, na, nb, nd, nd == 2, mnemonic, ptx, what_it_needs)

MMASPEC_MMA(mma_m16n8k4_f32_tf32_tf32_f32, 2, 1, 4, "mma.m16n8k4.f32.tf32.tf32.f32",
            "m16n8k4.row.col.f32.tf32.tf32.f32", sm80)
MMASPEC_MMA(mma_m16n8k8_f32_tf32_tf32_f32, 4, 2, 4, "mma.m16n8k8.f32.tf32.tf32.f32",
            "m16n8k8.row.col.f32.tf32.tf32.f32", sm80)
MMASPEC_MMA(mma_m16n8k8_f32_f16_f16_f32, 2, 1, 4, "mma.m16n8k8.f32.f16.f16.f32",
            "m16n8k8.row.col.f32.f16.f16.f32", sm75)
MMASPEC_MMA(mma_m16n8k8_f16_f16_f16_f16, 2, 1, 2, "mma.m16n8k8.f16.f16.f16.f16",
            "m16n8k8.row.col.f16.f16.f16.f16", sm75)
MMASPEC_MMA(mma_m16n8k8_f32_bf16_bf16_f32, 2, 1, 4, "mma.m16n8k8.f32.bf16.bf16.f32",
            "m16n8k8.row.col.f32.bf16.bf16.f32", sm80)
MMASPEC_MMA(mma_m16n8k16_f32_f16_f16_f32, 4, 2, 4, "mma.m16n8k16.f32.f16.f16.f32",
            "m16n8k16.row.col.f32.f16.f16.f32", sm80)
MMASPEC_MMA(mma_m16n8k16_f16_f16_f16_f16, 4, 2, 2, "mma.m16n8k16.f16.f16.f16.f16",
            "m16n8k16.row.col.f16.f16.f16.f16", sm80)
MMASPEC_MMA(mma_m16n8k16_f32_bf16_bf16_f32, 4, 2, 4, "mma.m16n8k16.f32.bf16.bf16.f32",
            "m16n8k16.row.col.f32.bf16.bf16.f32", sm80)

#define MMASPEC_MMA_FP8(a, b)                                                                  \
  MMASPEC_MMA(mma_m16n8k16_f32_##a##_##b##_f32, 2, 1, 4, "mma.m16n8k16.f32." #a "." #b ".f32", \
              "m16n8k16.row.col.f32." #a "." #b ".f32", fp8_cuda128)                           \
  MMASPEC_MMA(mma_m16n8k16_f16_##a##_##b##_f16, 2, 1, 2, "mma.m16n8k16.f16." #a "." #b ".f16", \
              "m16n8k16.row.col.f16." #a "." #b ".f16", fp8_cuda128)                           \
  MMASPEC_MMA(mma_m16n8k32_f32_##a##_##b##_f32, 4, 2, 4, "mma.m16n8k32.f32." #a "." #b ".f32", \
              "m16n8k32.row.col.f32." #a "." #b ".f32", fp8)                                   \
  MMASPEC_MMA(mma_m16n8k32_f16_##a##_##b##_f16, 4, 2, 2, "mma.m16n8k32.f16." #a "." #b ".f16", \
              "m16n8k32.row.col.f16." #a "." #b ".f16", fp8_cuda128)

#define MMASPEC_MMA_NARROW(a, b)                                                               \
  MMASPEC_MMA(mma_m16n8k32_f32_##a##_##b##_f32, 4, 2, 4, "mma.m16n8k32.f32." #a "." #b ".f32", \
              "m16n8k32.row.col.kind::f8f6f4.f32." #a "." #b ".f32", narrow)                   \
  MMASPEC_MMA(mma_m16n8k32_f16_##a##_##b##_f16, 4, 2, 2, "mma.m16n8k32.f16." #a "." #b ".f16", \
              "m16n8k32.row.col.kind::f8f6f4.f16." #a "." #b ".f16", narrow)

/// Block-scaled. The four lanes that share row g of A, row g + 8 and column g of B all hold the
/// scale factors of dot product g, so that every choice of the selectors (byte 0, thread 0) finds
/// them.
#define MMASPEC_MMA_SCALED(type, mnemonic, ptx, what_it_needs)                                   \
  struct type {                                                                                  \
    static constexpr const char* name = mnemonic;                                                \
    static constexpr Needs needs = Needs::what_it_needs;                                         \
    static constexpr int a_registers = 4, b_registers = 2, d_registers = 4;                      \
    static constexpr bool half_result = false, scaled = true;                                    \
    static __device__ void run(std::uint32_t* d, const std::uint32_t* a, const std::uint32_t* b, \
                               std::uint32_t scale_a, std::uint32_t scale_b) {                   \
      asm volatile("mma.sync.aligned." ptx                                                       \
                   " {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3},{%10},{0,0},{%11},{0,0};" \
                   : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])                              \
                   : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]),           \
                     "r"(scale_a), "r"(scale_b));                                                \
    }                                                                                            \
  };

#define MMASPEC_MMA_MX(a, b)                                                                    \
  MMASPEC_MMA_SCALED(mma_block_scale_m16n8k32_##a##_##b,                                        \
                     "mma.block_scale.m16n8k32.block32.f32." #a "." #b ".f32.ue8m0",            \
                     "m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32." #a "." #b \
                     ".f32.ue8m0",                                                              \
                     narrow)

MMASPEC_MMA_SCALED(mma_block_scale_m16n8k64_block32_ue8m0,
                   "mma.block_scale.m16n8k64.block32.f32.e2m1.e2m1.f32.ue8m0",
                   "m16n8k64.row.col.kind::mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0",
                   narrow)
MMASPEC_MMA_SCALED(
    mma_block_scale_m16n8k64_block16_ue4m3,
    "mma.block_scale.m16n8k64.block16.f32.e2m1.e2m1.f32.ue4m3",
    "m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3", narrow)
MMASPEC_MMA_SCALED(
    mma_block_scale_m16n8k64_block16_ue8m0,
    "mma.block_scale.m16n8k64.block16.f32.e2m1.e2m1.f32.ue8m0",
    "m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue8m0",
    narrow_cuda131)

#define MMASPEC_MMA_INTEGER(na, nb, nd, shape, a, b, what_it_needs)                               \
  MMASPEC_MMA_OF(mma_##shape##_s32_##a##_##b##_s32, na, nb, nd, false,                            \
                 "mma." #shape ".s32." #a "." #b ".s32", #shape ".row.col.s32." #a "." #b ".s32", \
                 what_it_needs)                                                                   \
  MMASPEC_MMA_OF(mma_##shape##_satfinite_s32_##a##_##b##_s32, na, nb, nd, false,                  \
                 "mma." #shape ".satfinite.s32." #a "." #b ".s32",                                \
                 #shape ".row.col.satfinite.s32." #a "." #b ".s32", what_it_needs)
#define MMASPEC_MMA_INTEGERS_8(a, b)                 \
  MMASPEC_MMA_INTEGER(1, 1, 2, m8n8k16, a, b, sm75)  \
  MMASPEC_MMA_INTEGER(2, 1, 4, m16n8k16, a, b, sm80) \
  MMASPEC_MMA_INTEGER(4, 2, 4, m16n8k32, a, b, sm80)
#define MMASPEC_MMA_INTEGERS_4(a, b)                 \
  MMASPEC_MMA_INTEGER(1, 1, 2, m8n8k32, a, b, sm75)  \
  MMASPEC_MMA_INTEGER(2, 1, 4, m16n8k32, a, b, sm80) \
  MMASPEC_MMA_INTEGER(4, 2, 4, m16n8k64, a, b, sm80)
#define MMASPEC_FOR_INTEGERS_8(X) X(s8, s8) X(s8, u8) X(u8, s8) X(u8, u8)
#define MMASPEC_FOR_INTEGERS_4(X) X(s4, s4) X(s4, u4) X(u4, s4) X(u4, u4)

// FP8 pairs are plain mma.sync from sm_89 on; a pair with an FP6 or FP4 type needs kind::f8f6f4.
#define MMASPEC_FOR_FP8_PAIRS(X) X(e4m3, e4m3) X(e4m3, e5m2) X(e5m2, e4m3) X(e5m2, e5m2)
// clang-format off
#define MMASPEC_FOR_NARROW_PAIRS(X) \
  X(e4m3, e3m2) X(e4m3, e2m3) X(e4m3, e2m1) \
  X(e5m2, e3m2) X(e5m2, e2m3) X(e5m2, e2m1) \
  X(e3m2, e4m3) X(e3m2, e5m2) X(e3m2, e3m2) X(e3m2, e2m3) X(e3m2, e2m1) \
  X(e2m3, e4m3) X(e2m3, e5m2) X(e2m3, e3m2) X(e2m3, e2m3) X(e2m3, e2m1) \
  X(e2m1, e4m3) X(e2m1, e5m2) X(e2m1, e3m2) X(e2m1, e2m3) X(e2m1, e2m1)
// clang-format on

MMASPEC_FOR_FP8_PAIRS(MMASPEC_MMA_FP8)
MMASPEC_FOR_NARROW_PAIRS(MMASPEC_MMA_NARROW)
MMASPEC_FOR_FP8_PAIRS(MMASPEC_MMA_MX)
MMASPEC_FOR_NARROW_PAIRS(MMASPEC_MMA_MX)
MMASPEC_FOR_INTEGERS_8(MMASPEC_MMA_INTEGERS_8)
MMASPEC_FOR_INTEGERS_4(MMASPEC_MMA_INTEGERS_4)

/// f64: registers of 64 bits.
#define MMASPEC_MMA_F64(type, na, nb, nd, mnemonic, what_it_needs, ...)        \
  struct type {                                                                \
    static constexpr const char* name = mnemonic;                              \
    static constexpr Needs needs = Needs::what_it_needs;                       \
    static constexpr int a_registers = na, b_registers = nb, d_registers = nd; \
    static __device__ void run(double* d, const double* a, const double* b) {  \
      asm volatile(__VA_ARGS__);                                               \
    }                                                                          \
  };

MMASPEC_MMA_F64(mma_m8n8k4_f64_f64_f64_f64, 1, 1, 2, "mma.m8n8k4.f64.f64.f64.f64", sm80,
                "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1},{%2},{%3},{%0,%1};"
                : "+d"(d[0]), "+d"(d[1])
                : "d"(a[0]), "d"(b[0]))
MMASPEC_MMA_F64(mma_m16n8k4_f64_f64_f64_f64, 2, 1, 4, "mma.m16n8k4.f64.f64.f64.f64", sm90,
                "mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 "
                "{%0,%1,%2,%3},{%4,%5},{%6},{%0,%1,%2,%3};"
                : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3])
                : "d"(a[0]), "d"(a[1]), "d"(b[0]))
MMASPEC_MMA_F64(mma_m16n8k8_f64_f64_f64_f64, 4, 2, 4, "mma.m16n8k8.f64.f64.f64.f64", sm90,
                "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 "
                "{%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
                : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3])
                : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]))
MMASPEC_MMA_F64(mma_m16n8k16_f64_f64_f64_f64, 8, 4, 4, "mma.m16n8k16.f64.f64.f64.f64", sm90,
                "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 "
                "{%0,%1,%2,%3},{%4,%5,%6,%7,%8,%9,%10,%11},{%12,%13,%14,%15},{%0,%1,%2,%3};"
                : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3])
                : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]),
                  "d"(a[7]), "d"(b[0]), "d"(b[1]), "d"(b[2]), "d"(b[3]))

/// m8n8k4 of Volta: the only shape whose C may be narrower than D, so C is a separate argument.
struct mma_m8n8k4_f32_f16_f16_f32 {
  static constexpr const char* name = "mma.m8n8k4.f32.f16.f16.f32";
  static constexpr bool half_c = false, half_d = false;
  static __device__ void run(std::uint32_t* d, const std::uint32_t* a, const std::uint32_t* b,
                             const std::uint32_t* c) {
    asm volatile(
        "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%0,%1,%2,%3,%4,%5,%6,%7},{%8,%9},"
        "{%10,%11},{%12,%13,%14,%15,%16,%17,%18,%19};"
        : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3]), "=r"(d[4]), "=r"(d[5]), "=r"(d[6]),
          "=r"(d[7])
        : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]),
          "r"(c[4]), "r"(c[5]), "r"(c[6]), "r"(c[7]));
  }
};
struct mma_m8n8k4_f32_f16_f16_f16 {
  static constexpr const char* name = "mma.m8n8k4.f32.f16.f16.f16";
  static constexpr bool half_c = true, half_d = false;
  static __device__ void run(std::uint32_t* d, const std::uint32_t* a, const std::uint32_t* b,
                             const std::uint32_t* c) {
    asm volatile(
        "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f16 {%0,%1,%2,%3,%4,%5,%6,%7},{%8,%9},"
        "{%10,%11},{%12,%13,%14,%15};"
        : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3]), "=r"(d[4]), "=r"(d[5]), "=r"(d[6]),
          "=r"(d[7])
        : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]));
  }
};
struct mma_m8n8k4_f16_f16_f16_f16 {
  static constexpr const char* name = "mma.m8n8k4.f16.f16.f16.f16";
  static constexpr bool half_c = true, half_d = true;
  static __device__ void run(std::uint32_t* d, const std::uint32_t* a, const std::uint32_t* b,
                             const std::uint32_t* c) {
    asm volatile(
        "mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16 {%0,%1,%2,%3},{%4,%5},{%6,%7},"
        "{%8,%9,%10,%11};"
        : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]));
  }
};

}  // namespace mmaspec::replay::cuda
