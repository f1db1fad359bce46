// The kernels of AVX-512 (F, BW, DQ, VL).

#include "concrete/aligned/kernels/kernel.h"

#ifdef __AVX512BW__

#include <immintrin.h>

namespace mmaspec::aligned {
namespace {

using i16 = std::int16_t;
using i32 = std::int32_t;

/// Vectors of this instruction set, in analogy to those of AVX2 (avx2.cpp).
struct V {
  using F = __m512;
  using I = __m512i;
  using D = __m512d;
  using H = __m512i;
  static constexpr std::size_t kFloats = 16;

  static F load(const float* x) { return _mm512_load_ps(x); }
  static F load_any(const float* x) { return _mm512_loadu_ps(x); }
  static void store_any(float* to, F x) { _mm512_storeu_ps(to, x); }
  static F all(float x) { return _mm512_set1_ps(x); }
  static F mul(F x, F y) { return _mm512_mul_ps(x, y); }
  static F add(F x, F y) { return _mm512_add_ps(x, y); }
  static F floor(F x) { return _mm512_roundscale_ps(x, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC); }
  static I truncated(F x) { return _mm512_cvttps_epi32(x); }
  static F absolute(F x) { return _mm512_and_ps(x, _mm512_castsi512_ps(all(i32{0x7fffffff}))); }
  static F if_smaller(F x, F y, F yes, F no) {
    return _mm512_mask_blend_ps(_mm512_cmp_ps_mask(absolute(x), y, _CMP_LT_OQ), no, yes);
  }
  static F without_minus_zero(F x) {
    return _mm512_maskz_mov_ps(_mm512_cmp_ps_mask(x, _mm512_setzero_ps(), _CMP_NEQ_UQ), x);
  }
  static F signed_zero(F x) { return _mm512_and_ps(x, _mm512_set1_ps(-0.0F)); }
  static I bits(F x) { return _mm512_castps_si512(x); }
  static F of_bits(I x) { return _mm512_castsi512_ps(x); }

  static F floats(I x) { return _mm512_cvtepi32_ps(x); }
  static I words(const std::uint8_t* x) {
    return _mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(x)));
  }
  static I words(const std::uint16_t* x) {
    return _mm512_cvtepu16_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(x)));
  }
  static I words(const std::uint32_t* x) { return _mm512_loadu_si512(x); }
  static I words(const std::uint64_t* x) {
    const I even = _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
    return _mm512_permutex2var_epi32(_mm512_loadu_si512(x), even, _mm512_loadu_si512(x + 8));
  }
  static I and_bits(I x, I y) { return _mm512_and_si512(x, y); }
  static I or_bits(I x, I y) { return _mm512_or_si512(x, y); }
  static I shift_right(I x, std::uint32_t by) {
    return _mm512_srl_epi32(x, _mm_cvtsi32_si128(static_cast<int>(by)));
  }
  static I shift_left(I x, std::uint32_t by) {
    return _mm512_sll_epi32(x, _mm_cvtsi32_si128(static_cast<int>(by)));
  }
  static void store_halves(i16* to, I x) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm512_cvtepi32_epi16(x));
  }
  static I all(i32 x) { return _mm512_set1_epi32(x); }
  static I add(I x, I y) { return _mm512_add_epi32(x, y); }
  static I sub(I x, I y) { return _mm512_sub_epi32(x, y); }
  static I max(I x, I y) { return _mm512_max_epi32(x, y); }
  static I min(I x, I y) { return _mm512_min_epi32(x, y); }
  template <int kBy>
  static I shift_left(I x) {
    return _mm512_slli_epi32(x, kBy);
  }
  template <int kBy>
  static I shift_right(I x) {
    return _mm512_srli_epi32(x, kBy);
  }
  static I if_equal(I x, I y, I yes, I no) {
    return _mm512_mask_blend_epi32(_mm512_cmpeq_epi32_mask(x, y), no, yes);
  }
  static F if_greater(I x, I y, F yes, F no) {
    return _mm512_mask_blend_ps(_mm512_cmpgt_epi32_mask(x, y), no, yes);
  }
  static I if_greater(I x, I y, I yes, I no) {
    return _mm512_mask_blend_epi32(_mm512_cmpgt_epi32_mask(x, y), no, yes);
  }
  static bool any_greater(I x0, I x1, I y) {
    return (_mm512_cmpgt_epi32_mask(x0, y) | _mm512_cmpgt_epi32_mask(x1, y)) != 0;
  }

  static H load(const i16* x) { return _mm512_load_si512(x); }
  static H all_halves(const i32* x) { return _mm512_set1_epi32(*x); }
  static H all_halves(i32 x) { return _mm512_set1_epi16(static_cast<i16>(x)); }
  static H add_halves(H x, H y) { return _mm512_adds_epi16(x, y); }
  static H max_halves(H x, H y) { return _mm512_max_epi16(x, y); }
  static I low(H x) { return _mm512_cvtepi16_epi32(_mm512_castsi512_si256(x)); }
  static I high(H x) { return _mm512_cvtepi16_epi32(_mm512_extracti64x4_epi64(x, 1)); }

  static D load(const double* x) { return _mm512_load_pd(x); }
  static void store_any(double* to, D x) { _mm512_storeu_pd(to, x); }
  static D all(double x) { return _mm512_set1_pd(x); }
  static D mul(D x, D y) { return _mm512_mul_pd(x, y); }
  static D add(D x, D y) { return _mm512_add_pd(x, y); }
  static D max(D x, D y) { return _mm512_max_pd(x, y); }
  static D absolute(D x) { return _mm512_andnot_pd(_mm512_set1_pd(-0.0), x); }
  template <int kMode>
  static D round(D x) {
    return _mm512_roundscale_pd(x, kMode | _MM_FROUND_NO_EXC);
  }
  static D power_of(D x) { return _mm512_and_pd(x, all_bits(0x7ff0000000000000)); }
  static D sub_bits(D x, D y) {
    return _mm512_castsi512_pd(_mm512_sub_epi64(_mm512_castpd_si512(x), _mm512_castpd_si512(y)));
  }
  static D all_bits(std::int64_t x) { return _mm512_castsi512_pd(_mm512_set1_epi64(x)); }
  static D if_reaches(D x, D y, D yes, D no) {
    return _mm512_mask_blend_pd(_mm512_cmp_pd_mask(absolute(x), y, _CMP_GE_OQ), no, yes);
  }
  static D special_or_zero(D x) {
    const D infinite = all_bits(std::int64_t{0x7ff} << 52);
    return _mm512_maskz_mov_pd(_mm512_cmp_pd_mask(absolute(x), infinite, _CMP_NLT_UQ), x);
  }
  static D or_bits(D x, D y) { return _mm512_or_pd(x, y); }
  static D with_sign_of(D magnitude, D x) {
    return _mm512_or_pd(magnitude, _mm512_and_pd(x, _mm512_set1_pd(-0.0)));
  }
  static D low_doubles(I x) { return _mm512_cvtepi32_pd(_mm512_castsi512_si256(x)); }
  static D high_doubles(I x) { return _mm512_cvtepi32_pd(_mm512_extracti64x4_epi64(x, 1)); }
  static D low_doubles(F x) { return _mm512_cvtps_pd(_mm512_castps512_ps256(x)); }
  static D high_doubles(F x) { return _mm512_cvtps_pd(_mm512_extractf32x8_ps(x, 1)); }
  static D low_fields(I x) { return shifted<52>(_mm512_castsi512_si256(x)); }
  static D high_fields(I x) { return shifted<52>(_mm512_extracti64x4_epi64(x, 1)); }
  /// Zeros with the sign bits 0 and 1.
  static D low_signs(I x) { return shifted<63>(_mm512_castsi512_si256(x)); }
  static D high_signs(I x) { return shifted<63>(_mm512_extracti64x4_epi64(x, 1)); }
  static F floats(D low, D high) {
    return _mm512_insertf32x8(_mm512_castps256_ps512(_mm512_cvtpd_ps(low)), _mm512_cvtpd_ps(high),
                              1);
  }

  static void store_any(i16* to, H x) { _mm512_storeu_si512(to, x); }
  static H sub_halves(H x, H y) { return _mm512_sub_epi16(x, y); }
  static H shift_left_halves(H x, std::uint32_t by) {
    return _mm512_sll_epi16(x, _mm_cvtsi32_si128(static_cast<int>(by)));
  }
  static H shift_right_halves(H x, std::uint32_t by) {
    return _mm512_srl_epi16(x, _mm_cvtsi32_si128(static_cast<int>(by)));
  }
  static H if_greater_halves(H x, H y, H yes) {
    return _mm512_maskz_mov_epi16(_mm512_cmpgt_epi16_mask(x, y), yes);
  }
  static H if_equal_halves(H x, H y, H yes, H no) {
    return _mm512_mask_blend_epi16(_mm512_cmpeq_epi16_mask(x, y), no, yes);
  }
  static H if_zero_halves(H x, H yes, H no) {
    return _mm512_mask_blend_epi16(_mm512_testn_epi16_mask(x, x), no, yes);
  }
  static bool any_reaches_halves(H x, std::uint32_t y) {
    return y <= 0x7fff && _mm512_cmpgt_epi16_mask(x, all_halves(static_cast<i32>(y) - 1)) != 0;
  }
  static F low_as_high_halves(H x) { return high_half(_mm512_castsi512_si256(x)); }
  static F high_as_high_halves(H x) { return high_half(_mm512_extracti64x4_epi64(x, 1)); }
  static F low_of_f16(H x) { return _mm512_cvtph_ps(_mm512_castsi512_si256(x)); }
  static F high_of_f16(H x) { return _mm512_cvtph_ps(_mm512_extracti64x4_epi64(x, 1)); }
  static H halves(const std::uint8_t* x) {
    return _mm512_cvtepu8_epi16(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(x)));
  }
  static H halves(const std::uint16_t* x) { return _mm512_loadu_si512(x); }
  static H halves(const std::uint32_t* x) {
    return _mm512_inserti64x4(_mm512_castsi256_si512(_mm512_cvtepi32_epi16(words(x))),
                              _mm512_cvtepi32_epi16(words(x + 16)), 1);
  }
  static H halves(const std::uint64_t* x) {
    const auto low = [&](std::size_t i) { return _mm512_cvtepi32_epi16(words(x + i)); };
    return _mm512_inserti64x4(_mm512_castsi256_si512(low(0)), low(16), 1);
  }

 private:
  static F high_half(__m256i x) { return of_bits(_mm512_slli_epi32(_mm512_cvtepu16_epi32(x), 16)); }
  template <int kBy>
  static D shifted(__m256i x) {
    return _mm512_castsi512_pd(_mm512_slli_epi64(_mm512_cvtepi32_epi64(x), kBy));
  }
};

}  // namespace
}  // namespace mmaspec::aligned

#include "concrete/aligned/kernels/kernel.inc"

namespace mmaspec::aligned {

const Kernels* avx512_kernels() {
  static constexpr Kernels kKernels = {kLanes, kOwnLanes, run, decode, multiply, are_between};
  return &kKernels;
}

}  // namespace mmaspec::aligned

#else

namespace mmaspec::aligned {

const Kernels* avx512_kernels() { return nullptr; }

}  // namespace mmaspec::aligned

#endif
