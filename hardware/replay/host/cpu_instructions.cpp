// The only file that uses CPU instructions: each function is compiled for the features that it
// needs, and called only if CPUID reports them.

#include "hardware/replay/host/cpu_instructions.h"

#if defined(__x86_64__)

#include <cpuid.h>
#include <immintrin.h>

#include <array>
#include <bit>
#include <cstring>

namespace mmaspec {
namespace {

/// Sets rounding to nearest even, subnormals kept, and no traps, whatever the program has set.
class DefaultControl {
 public:
  DefaultControl() : saved_(_mm_getcsr()) { _mm_setcsr(0x1f80); }
  ~DefaultControl() { _mm_setcsr(saved_); }
  DefaultControl(const DefaultControl&) = delete;
  DefaultControl& operator=(const DefaultControl&) = delete;

 private:
  unsigned saved_;
};

int word(std::uint64_t x) { return static_cast<int>(static_cast<std::uint32_t>(x)); }
__m128 as_ps(std::uint64_t x) { return _mm_castsi128_ps(_mm_cvtsi32_si128(word(x))); }
__m128d as_pd(std::uint64_t x) {
  return _mm_castsi128_pd(_mm_cvtsi64_si128(static_cast<long long>(x)));
}
std::uint64_t bits_of(__m128 x) {
  return static_cast<std::uint32_t>(_mm_cvtsi128_si32(_mm_castps_si128(x)));
}
std::uint64_t bits_of(__m128d x) {
  return static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm_castpd_si128(x)));
}

__attribute__((target("fma"))) std::uint64_t vfmadd231ps(const std::uint64_t* a,
                                                         const std::uint64_t* b, std::uint64_t c) {
  const DefaultControl control;
  return bits_of(_mm_fmadd_ps(as_ps(a[0]), as_ps(b[0]), as_ps(c)));
}

__attribute__((target("fma"))) std::uint64_t vfmadd231pd(const std::uint64_t* a,
                                                         const std::uint64_t* b, std::uint64_t c) {
  const DefaultControl control;
  return bits_of(_mm_fmadd_pd(as_pd(a[0]), as_pd(b[0]), as_pd(c)));
}

__attribute__((target("avx512f,avx512vl,avx512bf16"))) std::uint64_t vdpbf16ps(
    const std::uint64_t* a, const std::uint64_t* b, std::uint64_t c) {
  const auto pair = [](const std::uint64_t* x) { return word(x[0] | x[1] << 16); };
  const __m128i left = _mm_cvtsi32_si128(pair(a));
  const __m128i right = _mm_cvtsi32_si128(pair(b));
  return bits_of(
      _mm_dpbf16_ps(as_ps(c), std::bit_cast<__m128bh>(left), std::bit_cast<__m128bh>(right)));
}

/// Packs patterns of `bits` bits, the first one lowest.
__m128i packed(const std::uint64_t* x, int count, int bits) {
  std::uint64_t all = 0;
  for (int i = 0; i < count; ++i) all |= x[i] << (bits * i);
  return _mm_cvtsi32_si128(word(all));
}
__m128i as_epi32(std::uint64_t x) { return _mm_cvtsi32_si128(word(x)); }
std::uint64_t bits_of(__m128i x) { return static_cast<std::uint32_t>(_mm_cvtsi128_si32(x)); }

__attribute__((target("avx512f,avx512vl,avx512vnni"))) std::uint64_t vpdpbusd(
    const std::uint64_t* a, const std::uint64_t* b, std::uint64_t c) {
  return bits_of(_mm_dpbusd_epi32(as_epi32(c), packed(a, 4, 8), packed(b, 4, 8)));
}

__attribute__((target("avx512f,avx512vl,avx512vnni"))) std::uint64_t vpdpbusds(
    const std::uint64_t* a, const std::uint64_t* b, std::uint64_t c) {
  return bits_of(_mm_dpbusds_epi32(as_epi32(c), packed(a, 4, 8), packed(b, 4, 8)));
}

__attribute__((target("avx512f,avx512vl,avx512vnni"))) std::uint64_t vpdpwssd(
    const std::uint64_t* a, const std::uint64_t* b, std::uint64_t c) {
  return bits_of(_mm_dpwssd_epi32(as_epi32(c), packed(a, 2, 16), packed(b, 2, 16)));
}

__attribute__((target("avx512f,avx512vl,avx512vnni"))) std::uint64_t vpdpwssds(
    const std::uint64_t* a, const std::uint64_t* b, std::uint64_t c) {
  return bits_of(_mm_dpwssds_epi32(as_epi32(c), packed(a, 2, 16), packed(b, 2, 16)));
}

}  // namespace

const std::vector<CpuInstruction>& cpu_instructions() {
  static const std::vector<CpuInstruction> all = [] {
    __builtin_cpu_init();
    const bool fma = __builtin_cpu_supports("fma") != 0;
    const bool bf16 =
        __builtin_cpu_supports("avx512vl") != 0 && __builtin_cpu_supports("avx512bf16") != 0;
    const bool vnni =
        __builtin_cpu_supports("avx512vl") != 0 && __builtin_cpu_supports("avx512vnni") != 0;
    constexpr std::string_view kVnni = "AVX512_VNNI and AVX512VL";
    return std::vector<CpuInstruction>{
        {"vdpbf16ps", "AVX512_BF16 and AVX512VL", bf16, vdpbf16ps},
        {"vfmadd231ps", "FMA", fma, vfmadd231ps},
        {"vfmadd231pd", "FMA", fma, vfmadd231pd},
        {"vpdpbusd", kVnni, vnni, vpdpbusd},
        {"vpdpbusds", kVnni, vnni, vpdpbusds},
        {"vpdpwssd", kVnni, vnni, vpdpwssd},
        {"vpdpwssds", kVnni, vnni, vpdpwssds},
    };
  }();
  return all;
}

std::string cpu_name() {
  std::array<unsigned, 12> brand{};
  std::string name = "an x86 CPU";
  if (static_cast<unsigned>(__get_cpuid_max(0x80000000U, nullptr)) >= 0x80000004U) {
    for (unsigned i = 0; i < 3; ++i) {
      unsigned* at = brand.data() + std::size_t{4} * i;
      __get_cpuid(0x80000002U + i, at, at + 1, at + 2, at + 3);
    }
    std::array<char, sizeof(brand) + 1> text{};
    std::memcpy(text.data(), brand.data(), sizeof(brand));
    name = text.data();
    while (name.ends_with(' ')) name.pop_back();
  }
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0) return name;
  const unsigned family = ((a >> 8) & 15U) + ((a >> 20) & 255U);
  const unsigned model = ((a >> 4) & 15U) | ((a >> 12) & 240U);
  return name + " (family " + std::to_string(family) + ", model " + std::to_string(model) + ")";
}

}  // namespace mmaspec

#else

namespace mmaspec {

const std::vector<CpuInstruction>& cpu_instructions() {
  static const std::vector<CpuInstruction> none;
  return none;
}

std::string cpu_name() { return "a CPU that is not x86"; }

}  // namespace mmaspec

#endif
