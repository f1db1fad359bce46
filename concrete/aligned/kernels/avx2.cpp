// The kernels of AVX2.

#include "concrete/aligned/kernels/kernel.h"

#ifdef __AVX2__

#include <immintrin.h>

namespace mmaspec::aligned {
namespace {

using i16 = std::int16_t;
using i32 = std::int32_t;

/// Vectors of this instruction set: the lanes of a panel are two vectors of floats or int32_t, four
/// of doubles, or one of int16_t.
struct V {
  using F = __m256;
  using I = __m256i;
  using D = __m256d;
  using H = __m256i;
  static constexpr std::size_t kFloats = 8;

  static F load(const float* x) { return _mm256_load_ps(x); }
  static F load_any(const float* x) { return _mm256_loadu_ps(x); }
  static void store_any(float* to, F x) { _mm256_storeu_ps(to, x); }
  static F all(float x) { return _mm256_set1_ps(x); }
  static F mul(F x, F y) { return _mm256_mul_ps(x, y); }
  static F add(F x, F y) { return _mm256_add_ps(x, y); }
  static F floor(F x) { return _mm256_floor_ps(x); }
  static I truncated(F x) { return _mm256_cvttps_epi32(x); }
  static F absolute(F x) { return _mm256_and_ps(x, _mm256_castsi256_ps(all(i32{0x7fffffff}))); }
  /// `yes` where |x| < y (false for NaN), otherwise `no`.
  static F if_smaller(F x, F y, F yes, F no) {
    return _mm256_blendv_ps(no, yes, _mm256_cmp_ps(absolute(x), y, _CMP_LT_OQ));
  }
  /// +0 for zeros of both signs.
  static F without_minus_zero(F x) {
    return _mm256_and_ps(x, _mm256_cmp_ps(x, _mm256_setzero_ps(), _CMP_NEQ_UQ));
  }
  /// A zero with x's sign.
  static F signed_zero(F x) { return _mm256_and_ps(x, _mm256_set1_ps(-0.0F)); }
  static I bits(F x) { return _mm256_castps_si256(x); }
  static F of_bits(I x) { return _mm256_castsi256_ps(x); }

  static F floats(I x) { return _mm256_cvtepi32_ps(x); }
  /// Words; for 64-bit words the low halves.
  static I words(const std::uint8_t* x) {
    return _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(x)));
  }
  static I words(const std::uint16_t* x) {
    return _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(x)));
  }
  static I words(const std::uint32_t* x) {
    return _mm256_loadu_si256(reinterpret_cast<const I*>(x));
  }
  static I words(const std::uint64_t* x) {
    const auto* floats = reinterpret_cast<const float*>(x);
    const __m256 halves =
        _mm256_shuffle_ps(_mm256_loadu_ps(floats), _mm256_loadu_ps(floats + 8), 0x88);
    return _mm256_permute4x64_epi64(_mm256_castps_si256(halves), 0xd8);
  }
  static I and_bits(I x, I y) { return _mm256_and_si256(x, y); }
  static I or_bits(I x, I y) { return _mm256_or_si256(x, y); }
  static I shift_right(I x, std::uint32_t by) {
    return _mm256_srl_epi32(x, _mm_cvtsi32_si128(static_cast<int>(by)));
  }
  static I shift_left(I x, std::uint32_t by) {
    return _mm256_sll_epi32(x, _mm_cvtsi32_si128(static_cast<int>(by)));
  }
  static void store_halves(i16* to, I x) {
    const __m128i packed =
        _mm_packs_epi32(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), packed);
  }
  static I all(i32 x) { return _mm256_set1_epi32(x); }
  static I add(I x, I y) { return _mm256_add_epi32(x, y); }
  static I sub(I x, I y) { return _mm256_sub_epi32(x, y); }
  static I max(I x, I y) { return _mm256_max_epi32(x, y); }
  static I min(I x, I y) { return _mm256_min_epi32(x, y); }
  template <int kBy>
  static I shift_left(I x) {
    return _mm256_slli_epi32(x, kBy);
  }
  template <int kBy>
  static I shift_right(I x) {
    return _mm256_srli_epi32(x, kBy);
  }
  /// `yes` where x = y, otherwise `no`.
  static I if_equal(I x, I y, I yes, I no) {
    return _mm256_blendv_epi8(no, yes, _mm256_cmpeq_epi32(x, y));
  }
  /// `yes` where x > y, otherwise `no`.
  static F if_greater(I x, I y, F yes, F no) {
    return _mm256_blendv_ps(no, yes, _mm256_castsi256_ps(_mm256_cmpgt_epi32(x, y)));
  }
  static I if_greater(I x, I y, I yes, I no) {
    return _mm256_blendv_epi8(no, yes, _mm256_cmpgt_epi32(x, y));
  }
  static bool any_greater(I x0, I x1, I y) {
    const I some = _mm256_or_si256(_mm256_cmpgt_epi32(x0, y), _mm256_cmpgt_epi32(x1, y));
    return _mm256_movemask_epi8(some) != 0;
  }

  static H load(const i16* x) { return _mm256_load_si256(reinterpret_cast<const __m256i*>(x)); }
  /// An int16_t stored in both halves of a word, broadcast to all lanes.
  static H all_halves(const i32* x) { return _mm256_set1_epi32(*x); }
  static H all_halves(i32 x) { return _mm256_set1_epi16(static_cast<i16>(x)); }
  static H add_halves(H x, H y) { return _mm256_adds_epi16(x, y); }
  static H max_halves(H x, H y) { return _mm256_max_epi16(x, y); }
  static I low(H x) { return _mm256_cvtepi16_epi32(_mm256_castsi256_si128(x)); }
  static I high(H x) { return _mm256_cvtepi16_epi32(_mm256_extracti128_si256(x, 1)); }

  static D load(const double* x) { return _mm256_load_pd(x); }
  static void store_any(double* to, D x) { _mm256_storeu_pd(to, x); }
  static D all(double x) { return _mm256_set1_pd(x); }
  static D mul(D x, D y) { return _mm256_mul_pd(x, y); }
  static D add(D x, D y) { return _mm256_add_pd(x, y); }
  static D max(D x, D y) { return _mm256_max_pd(x, y); }
  static D absolute(D x) { return _mm256_andnot_pd(_mm256_set1_pd(-0.0), x); }
  template <int kMode>
  static D round(D x) {
    return _mm256_round_pd(x, kMode | _MM_FROUND_NO_EXC);
  }
  /// The power of two with the number's exponent field; 0 for zeros.
  static D power_of(D x) {
    return _mm256_and_pd(x, _mm256_castsi256_pd(_mm256_set1_epi64x(0x7ff0000000000000)));
  }
  /// The difference, and the sum, of patterns.
  static D sub_bits(D x, D y) {
    return _mm256_castsi256_pd(_mm256_sub_epi64(_mm256_castpd_si256(x), _mm256_castpd_si256(y)));
  }
  static D all_bits(std::int64_t x) { return _mm256_castsi256_pd(_mm256_set1_epi64x(x)); }
  /// `yes` where |x| >= y, otherwise `no`.
  static D if_reaches(D x, D y, D yes, D no) {
    return _mm256_blendv_pd(no, yes, _mm256_cmp_pd(absolute(x), y, _CMP_GE_OQ));
  }
  /// x where it is infinite or NaN, otherwise +0.
  static D special_or_zero(D x) {
    const D infinite = all_bits(std::int64_t{0x7ff} << 52);
    return _mm256_andnot_pd(_mm256_cmp_pd(absolute(x), infinite, _CMP_LT_OQ), x);
  }
  static D or_bits(D x, D y) { return _mm256_or_pd(x, y); }
  static D with_sign_of(D magnitude, D x) {
    return _mm256_or_pd(magnitude, _mm256_and_pd(x, _mm256_set1_pd(-0.0)));
  }
  static D low_doubles(I x) { return _mm256_cvtepi32_pd(_mm256_castsi256_si128(x)); }
  static D high_doubles(I x) { return _mm256_cvtepi32_pd(_mm256_extracti128_si256(x, 1)); }
  static D low_doubles(F x) { return _mm256_cvtps_pd(_mm256_castps256_ps128(x)); }
  static D high_doubles(F x) { return _mm256_cvtps_pd(_mm256_extractf128_ps(x, 1)); }
  /// Doubles with these exponent fields: powers of two.
  static D low_fields(I x) { return shifted<52>(_mm256_castsi256_si128(x)); }
  static D high_fields(I x) { return shifted<52>(_mm256_extracti128_si256(x, 1)); }
  /// Zeros with the sign bits 0 and 1.
  static D low_signs(I x) { return shifted<63>(_mm256_castsi256_si128(x)); }
  static D high_signs(I x) { return shifted<63>(_mm256_extracti128_si256(x, 1)); }
  /// Converted with the current rounding mode.
  static F floats(D low, D high) {
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm256_cvtpd_ps(low)), _mm256_cvtpd_ps(high),
                                1);
  }

  static void store_any(i16* to, H x) { _mm256_storeu_si256(reinterpret_cast<H*>(to), x); }
  static H sub_halves(H x, H y) { return _mm256_sub_epi16(x, y); }
  static H shift_left_halves(H x, std::uint32_t by) {
    return _mm256_sll_epi16(x, _mm_cvtsi32_si128(static_cast<int>(by)));
  }
  static H shift_right_halves(H x, std::uint32_t by) {
    return _mm256_srl_epi16(x, _mm_cvtsi32_si128(static_cast<int>(by)));
  }
  /// `yes` where x > y, otherwise 0.
  static H if_greater_halves(H x, H y, H yes) {
    return _mm256_and_si256(yes, _mm256_cmpgt_epi16(x, y));
  }
  /// `yes` where x = y, otherwise `no`.
  static H if_equal_halves(H x, H y, H yes, H no) {
    return _mm256_blendv_epi8(no, yes, _mm256_cmpeq_epi16(x, y));
  }
  /// `yes` where x = 0, otherwise `no`.
  static H if_zero_halves(H x, H yes, H no) {
    return _mm256_blendv_epi8(no, yes, _mm256_cmpeq_epi16(x, _mm256_setzero_si256()));
  }
  /// For halves from 0 to 0x7fff: whether some are at least y, which may be larger.
  static bool any_reaches_halves(H x, std::uint32_t y) {
    if (y > 0x7fff) return false;
    const H before = all_halves(static_cast<i32>(y) - 1);
    return _mm256_movemask_epi8(_mm256_cmpgt_epi16(x, before)) != 0;
  }
  /// Each half as the high half of a float.
  static F low_as_high_halves(H x) { return high_half(_mm256_castsi256_si128(x)); }
  static F high_as_high_halves(H x) { return high_half(_mm256_extracti128_si256(x, 1)); }
  static F low_of_f16(H x) { return _mm256_cvtph_ps(_mm256_castsi256_si128(x)); }
  static F high_of_f16(H x) { return _mm256_cvtph_ps(_mm256_extracti128_si256(x, 1)); }
  /// The low halves of a panel's words.
  static H halves(const std::uint8_t* x) {
    return _mm256_cvtepu8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(x)));
  }
  static H halves(const std::uint16_t* x) {
    return _mm256_loadu_si256(reinterpret_cast<const H*>(x));
  }
  static H halves(const std::uint32_t* x) { return packed(words(x), words(x + 8)); }
  static H halves(const std::uint64_t* x) {
    // The low halves of two words at a time; the last permutation restores the order.
    const auto* floats = reinterpret_cast<const float*>(x);
    const auto load_pair = [&](std::size_t i) {
      return _mm256_castps_si256(
          _mm256_shuffle_ps(_mm256_loadu_ps(floats + i), _mm256_loadu_ps(floats + i + 8), 0x88));
    };
    const I mask = all(i32{0xffff});
    const I both = _mm256_packus_epi32(_mm256_and_si256(load_pair(0), mask),
                                       _mm256_and_si256(load_pair(16), mask));
    const I order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    return _mm256_permutevar8x32_epi32(both, order);
  }

 private:
  static F high_half(__m128i x) { return of_bits(_mm256_slli_epi32(_mm256_cvtepu16_epi32(x), 16)); }
  static H packed(I x, I y) {
    const I mask = all(i32{0xffff});
    return _mm256_permute4x64_epi64(
        _mm256_packus_epi32(_mm256_and_si256(x, mask), _mm256_and_si256(y, mask)), 0xd8);
  }
  template <int kBy>
  static D shifted(__m128i x) {
    return _mm256_castsi256_pd(_mm256_slli_epi64(_mm256_cvtepi32_epi64(x), kBy));
  }
};

}  // namespace
}  // namespace mmaspec::aligned

#include "concrete/aligned/kernels/kernel.inc"

namespace mmaspec::aligned {

const Kernels* avx2_kernels() {
  static constexpr Kernels kKernels = {kLanes, kOwnLanes, run, decode, multiply, are_between};
  return &kKernels;
}

}  // namespace mmaspec::aligned

#else

namespace mmaspec::aligned {

const Kernels* avx2_kernels() { return nullptr; }

}  // namespace mmaspec::aligned

#endif
