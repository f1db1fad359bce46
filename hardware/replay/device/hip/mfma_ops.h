#pragma once

#include <cstdint>

/// Every MFMA instruction that is replayed, as one type each. `operation` is the builtin's name
/// after __builtin_amdgcn_mfma_, and `run` is the instruction. A template cannot assemble a
/// builtin's name, so a macro is needed.
namespace mmaspec::replay::hip {

using Float2 = float __attribute__((ext_vector_type(2)));
using Float4 = float __attribute__((ext_vector_type(4)));
using Float16 = float __attribute__((ext_vector_type(16)));
using Float32 = float __attribute__((ext_vector_type(32)));
using Double4 = double __attribute__((ext_vector_type(4)));
using Half4 = __fp16 __attribute__((ext_vector_type(4)));
using Short2 = short __attribute__((ext_vector_type(2)));
using Short4 = short __attribute__((ext_vector_type(4)));

/// The architecture that the compiler targets, as its hex number; 0 on the host.
#if defined(__gfx908__)
constexpr int target = 0x908;
#elif defined(__gfx90a__)
constexpr int target = 0x90a;
#elif defined(__gfx940__) || defined(__gfx941__) || defined(__gfx942__)
constexpr int target = 0x942;
#else
constexpr int target = 0;
#endif

/// `Operand` is what a lane holds of a row of A or a column of B, and `Accumulator` what it holds
/// of C and D. `run` is a template so that it is compiled only if a kernel calls it.
#define MMASPEC_MFMA(name, operand, accumulator, least, greatest)            \
  struct mfma_##name {                                                       \
    static constexpr const char* operation = #name;                          \
    static constexpr bool available = target >= least && target <= greatest; \
    using Operand = operand;                                                 \
    using Accumulator = accumulator;                                         \
    template <int>                                                           \
    static __device__ Accumulator run(Operand a, Operand b, Accumulator c) { \
      return __builtin_amdgcn_mfma_##name(a, b, c, 0, 0, 0);                 \
    }                                                                        \
  };

#define MMASPEC_FOR_EVERY_MFMA(X)                      \
  X(f32_32x32x1f32, float, Float32, 0x908, 0x942)      \
  X(f32_16x16x1f32, float, Float16, 0x908, 0x942)      \
  X(f32_4x4x1f32, float, Float4, 0x908, 0x942)         \
  X(f32_32x32x2f32, float, Float16, 0x908, 0x942)      \
  X(f32_16x16x4f32, float, Float4, 0x908, 0x942)       \
  X(f32_32x32x4f16, Half4, Float32, 0x908, 0x942)      \
  X(f32_16x16x4f16, Half4, Float16, 0x908, 0x942)      \
  X(f32_4x4x4f16, Half4, Float4, 0x908, 0x942)         \
  X(f32_32x32x8f16, Half4, Float16, 0x908, 0x942)      \
  X(f32_16x16x16f16, Half4, Float4, 0x908, 0x942)      \
  X(f32_32x32x2bf16, Short2, Float32, 0x908, 0x90a)    \
  X(f32_16x16x2bf16, Short2, Float16, 0x908, 0x90a)    \
  X(f32_4x4x2bf16, Short2, Float4, 0x908, 0x90a)       \
  X(f32_32x32x4bf16, Short2, Float16, 0x908, 0x90a)    \
  X(f32_16x16x8bf16, Short2, Float4, 0x908, 0x90a)     \
  X(f32_32x32x4bf16_1k, Short4, Float32, 0x90a, 0x942) \
  X(f32_16x16x4bf16_1k, Short4, Float16, 0x90a, 0x942) \
  X(f32_4x4x4bf16_1k, Short4, Float4, 0x90a, 0x942)    \
  X(f32_32x32x8bf16_1k, Short4, Float16, 0x90a, 0x942) \
  X(f32_16x16x16bf16_1k, Short4, Float4, 0x90a, 0x942) \
  X(f64_16x16x4f64, double, Double4, 0x90a, 0x942)     \
  X(f64_4x4x4f64, double, double, 0x90a, 0x942)        \
  MMASPEC_FOR_EVERY_MFMA_OF_GFX942(X)

// clang 14 does not support these builtins or gfx942.
#if __has_builtin(__builtin_amdgcn_mfma_f32_16x16x32_fp8_fp8)
#define MMASPEC_FOR_EVERY_MFMA_OF_GFX942(X)            \
  X(f32_16x16x8_xf32, Float2, Float4, 0x942, 0x942)    \
  X(f32_32x32x4_xf32, Float2, Float16, 0x942, 0x942)   \
  X(f32_16x16x32_fp8_fp8, long, Float4, 0x942, 0x942)  \
  X(f32_16x16x32_fp8_bf8, long, Float4, 0x942, 0x942)  \
  X(f32_16x16x32_bf8_fp8, long, Float4, 0x942, 0x942)  \
  X(f32_16x16x32_bf8_bf8, long, Float4, 0x942, 0x942)  \
  X(f32_32x32x16_fp8_fp8, long, Float16, 0x942, 0x942) \
  X(f32_32x32x16_fp8_bf8, long, Float16, 0x942, 0x942) \
  X(f32_32x32x16_bf8_fp8, long, Float16, 0x942, 0x942) \
  X(f32_32x32x16_bf8_bf8, long, Float16, 0x942, 0x942)
#else
#define MMASPEC_FOR_EVERY_MFMA_OF_GFX942(X)
#endif

MMASPEC_FOR_EVERY_MFMA(MMASPEC_MFMA)

}  // namespace mmaspec::replay::hip
