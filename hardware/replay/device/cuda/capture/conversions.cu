// Records results of the GPU's conversion instructions (PTX cvt) as rows of JSON Lines.
//
//   nvcc -std=c++17 -gencode arch=compute_90a,code=sm_90a conversions.cu -o conversions &&
//   ./conversions > rows.jsonl
//
// The first line is a header: device, driver and runtime version. Each other line holds up to 4,096
// conversions of one instruction: {"conversion":"cvt.rn.f16.f32","from":"f32","to":"f16","x":"HEX
// ...","d":"HEX ..."}. 8-bit and 16-bit sources are complete; 32-bit sources are every exponent
// with significands at and next to the ties of the narrower formats. Before them,
// {"compared":..., "patterns":4294967296, "numbers_that_differ":..., "nans_that_differ":...} gives
// for each conversion from f32 the number of patterns, of all, that it rounds differently from IEEE
// 754 in integer arithmetic (rounded() below).
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "conversions: %s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

// One struct for each instruction: convert() takes and returns patterns in the low bits.
#define MMASPEC_CVT_F32(Name, text, from, to, Result, constraint)     \
  struct Name {                                                       \
    static constexpr const char* kName = text;                        \
    static constexpr const char* kFrom = from;                        \
    static constexpr const char* kTo = to;                            \
    static __device__ std::uint32_t convert(std::uint32_t x) {        \
      Result d;                                                       \
      asm(text " %0, %1;" : constraint(d) : "f"(__uint_as_float(x))); \
      return static_cast<std::uint32_t>(d);                           \
    }                                                                 \
  };
MMASPEC_CVT_F32(F16Rn, "cvt.rn.f16.f32", "f32", "f16", std::uint16_t, "=h")
MMASPEC_CVT_F32(F16Rz, "cvt.rz.f16.f32", "f32", "f16", std::uint16_t, "=h")
MMASPEC_CVT_F32(Bf16Rn, "cvt.rn.bf16.f32", "f32", "bf16", std::uint16_t, "=h")
MMASPEC_CVT_F32(Bf16Rz, "cvt.rz.bf16.f32", "f32", "bf16", std::uint16_t, "=h")
MMASPEC_CVT_F32(Bf16RnRelu, "cvt.rn.relu.bf16.f32", "f32", "bf16", std::uint16_t, "=h")
MMASPEC_CVT_F32(F16RnRelu, "cvt.rn.relu.f16.f32", "f32", "f16", std::uint16_t, "=h")
MMASPEC_CVT_F32(Tf32Rna, "cvt.rna.tf32.f32", "f32", "tf32", std::uint32_t, "=r")
MMASPEC_CVT_F32(F16RnSat, "cvt.rn.satfinite.f16.f32", "f32", "f16", std::uint16_t, "=h")
MMASPEC_CVT_F32(Bf16RnSat, "cvt.rn.satfinite.bf16.f32", "f32", "bf16", std::uint16_t, "=h")
MMASPEC_CVT_F32(F16RzRelu, "cvt.rz.relu.f16.f32", "f32", "f16", std::uint16_t, "=h")
MMASPEC_CVT_F32(Bf16RzRelu, "cvt.rz.relu.bf16.f32", "f32", "bf16", std::uint16_t, "=h")
MMASPEC_CVT_F32(Tf32RnRelu, "cvt.rn.relu.tf32.f32", "f32", "tf32", std::uint32_t, "=r")
MMASPEC_CVT_F32(Tf32RzRelu, "cvt.rz.relu.tf32.f32", "f32", "tf32", std::uint32_t, "=r")
MMASPEC_CVT_F32(Tf32RnaSat, "cvt.rna.satfinite.tf32.f32", "f32", "tf32", std::uint32_t, "=r")
MMASPEC_CVT_F32(Tf32Rn, "cvt.rn.tf32.f32", "f32", "tf32", std::uint32_t, "=r")
MMASPEC_CVT_F32(Tf32Rz, "cvt.rz.tf32.f32", "f32", "tf32", std::uint32_t, "=r")
#undef MMASPEC_CVT_F32

// Converts two f32 numbers to two 16-bit ones. The first operand becomes the high half; it is the
// one that is used here.
#define MMASPEC_CVT_TWO(Name, text, to)                                        \
  struct Name {                                                                \
    static constexpr const char* kName = text;                                 \
    static constexpr const char* kFrom = "f32";                                \
    static constexpr const char* kTo = to;                                     \
    static __device__ std::uint32_t convert(std::uint32_t x) {                 \
      std::uint32_t d;                                                         \
      asm(text " %0, %1, %2;" : "=r"(d) : "f"(__uint_as_float(x)), "f"(0.0F)); \
      return d >> 16;                                                          \
    }                                                                          \
  };
MMASPEC_CVT_TWO(F16x2Rn, "cvt.rn.f16x2.f32", "f16")
MMASPEC_CVT_TWO(F16x2Rz, "cvt.rz.f16x2.f32", "f16")
MMASPEC_CVT_TWO(F16x2RnRelu, "cvt.rn.relu.f16x2.f32", "f16")
MMASPEC_CVT_TWO(Bf16x2Rn, "cvt.rn.bf16x2.f32", "bf16")
MMASPEC_CVT_TWO(Bf16x2Rz, "cvt.rz.bf16x2.f32", "bf16")
MMASPEC_CVT_TWO(Bf16x2RnRelu, "cvt.rn.relu.bf16x2.f32", "bf16")
#undef MMASPEC_CVT_TWO

// Converts two f32 numbers to two FP8 ones. The second operand becomes the low half.
#define MMASPEC_CVT_FP8(Name, text, to)                                        \
  struct Name {                                                                \
    static constexpr const char* kName = text;                                 \
    static constexpr const char* kFrom = "f32";                                \
    static constexpr const char* kTo = to;                                     \
    static __device__ std::uint32_t convert(std::uint32_t x) {                 \
      std::uint16_t d;                                                         \
      asm(text " %0, %1, %2;" : "=h"(d) : "f"(0.0F), "f"(__uint_as_float(x))); \
      return d & 0xffU;                                                        \
    }                                                                          \
  };
MMASPEC_CVT_FP8(E4m3Rn, "cvt.rn.satfinite.e4m3x2.f32", "e4m3")
MMASPEC_CVT_FP8(E5m2Rn, "cvt.rn.satfinite.e5m2x2.f32", "e5m2")
MMASPEC_CVT_FP8(E4m3RnRelu, "cvt.rn.satfinite.relu.e4m3x2.f32", "e4m3")
MMASPEC_CVT_FP8(E5m2RnRelu, "cvt.rn.satfinite.relu.e5m2x2.f32", "e5m2")
#undef MMASPEC_CVT_FP8

#define MMASPEC_CVT_PAIR(Name, text, from, to, Source, in, Result, out, mask) \
  struct Name {                                                               \
    static constexpr const char* kName = text;                                \
    static constexpr const char* kFrom = from;                                \
    static constexpr const char* kTo = to;                                    \
    static __device__ std::uint32_t convert(std::uint32_t x) {                \
      Result d;                                                               \
      asm(text " %0, %1;" : out(d) : in(static_cast<Source>(x)));             \
      return static_cast<std::uint32_t>(d) & mask;                            \
    }                                                                         \
  };
MMASPEC_CVT_PAIR(E4m3OfF16, "cvt.rn.satfinite.e4m3x2.f16x2", "f16", "e4m3", std::uint32_t, "r",
                 std::uint16_t, "=h", 0xffU)
MMASPEC_CVT_PAIR(E5m2OfF16, "cvt.rn.satfinite.e5m2x2.f16x2", "f16", "e5m2", std::uint32_t, "r",
                 std::uint16_t, "=h", 0xffU)
MMASPEC_CVT_PAIR(F16OfE4m3, "cvt.rn.f16x2.e4m3x2", "e4m3", "f16", std::uint16_t, "h", std::uint32_t,
                 "=r", 0xffffU)
MMASPEC_CVT_PAIR(F16OfE5m2, "cvt.rn.f16x2.e5m2x2", "e5m2", "f16", std::uint16_t, "h", std::uint32_t,
                 "=r", 0xffffU)
MMASPEC_CVT_PAIR(E4m3OfF16Relu, "cvt.rn.satfinite.relu.e4m3x2.f16x2", "f16", "e4m3", std::uint32_t,
                 "r", std::uint16_t, "=h", 0xffU)
MMASPEC_CVT_PAIR(E5m2OfF16Relu, "cvt.rn.satfinite.relu.e5m2x2.f16x2", "f16", "e5m2", std::uint32_t,
                 "r", std::uint16_t, "=h", 0xffU)
MMASPEC_CVT_PAIR(F16OfE4m3Relu, "cvt.rn.relu.f16x2.e4m3x2", "e4m3", "f16", std::uint16_t, "h",
                 std::uint32_t, "=r", 0xffffU)
MMASPEC_CVT_PAIR(F16OfE5m2Relu, "cvt.rn.relu.f16x2.e5m2x2", "e5m2", "f16", std::uint16_t, "h",
                 std::uint32_t, "=r", 0xffffU)
#undef MMASPEC_CVT_PAIR

// From a 16-bit number to f32 or another 16-bit format.
#define MMASPEC_CVT_16(Name, text, from, to, Result, constraint)                 \
  struct Name {                                                                  \
    static constexpr const char* kName = text;                                   \
    static constexpr const char* kFrom = from;                                   \
    static constexpr const char* kTo = to;                                       \
    static __device__ std::uint32_t convert(std::uint32_t x) {                   \
      Result d;                                                                  \
      asm(text " %0, %1;" : constraint(d) : "h"(static_cast<std::uint16_t>(x))); \
      return static_cast<std::uint32_t>(d);                                      \
    }                                                                            \
  };
MMASPEC_CVT_16(F32OfF16, "cvt.f32.f16", "f16", "f32", std::uint32_t, "=r")
MMASPEC_CVT_16(F32OfBf16, "cvt.f32.bf16", "bf16", "f32", std::uint32_t, "=r")
MMASPEC_CVT_16(Bf16OfF16, "cvt.rn.bf16.f16", "f16", "bf16", std::uint16_t, "=h")
MMASPEC_CVT_16(F16OfBf16, "cvt.rn.f16.bf16", "bf16", "f16", std::uint16_t, "=h")
#undef MMASPEC_CVT_16

template <typename Cvt>
__global__ void run(const std::uint32_t* x, std::uint32_t* d, std::size_t count) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i < count) d[i] = Cvt::convert(x[i]);
}

int digits(const std::string& format) {
  if (format == "e4m3" || format == "e5m2") return 2;
  return format == "f32" || format == "tf32" ? 8 : 4;
}

/// All patterns of a short format; for f32 each exponent with significands near the ties of formats
/// with 2, 3, 7 and 10 fraction bits, near their ends, and some between.
std::vector<std::uint32_t> patterns_of(const std::string& format) {
  std::vector<std::uint32_t> all;
  if (format != "f32") {
    for (std::uint32_t x = 0; x < 1U << (4 * digits(format)); ++x) all.push_back(x);
    return all;
  }
  std::uint32_t state = 1;
  const auto random = [&state] { return state = state * 1664525U + 1013904223U; };
  for (std::uint32_t top = 0; top < 512; ++top) {
    std::vector<std::uint32_t> low{0,        1,        2,        0x3fffff,      0x400000,
                                   0x400001, 0x7ffffe, 0x7fffff, random() >> 9, random() >> 9};
    for (const int kept : {2, 3, 7, 10}) {
      const std::uint32_t half = 1U << (22 - kept);
      for (const std::uint32_t units : {0U, 1U, (1U << kept) - 1, (random() >> 9) >> (23 - kept)}) {
        for (const int beside : {-1, 0, 1})
          low.push_back((units * 2 * half + half + static_cast<std::uint32_t>(beside)) & 0x7fffffU);
      }
    }
    for (const std::uint32_t l : low) all.push_back(top << 23 | l);
  }
  return all;
}

template <typename Cvt>
void write_rows() {
  const std::vector<std::uint32_t> x = patterns_of(Cvt::kFrom);
  std::vector<std::uint32_t> d(x.size(), 0xdeadbeefU);
  std::uint32_t* device_x = nullptr;
  std::uint32_t* device_d = nullptr;
  check(cudaMalloc(&device_x, x.size() * 4), "memory");
  check(cudaMalloc(&device_d, x.size() * 4), "memory");
  check(cudaMemcpy(device_x, x.data(), x.size() * 4, cudaMemcpyHostToDevice), "copy");
  run<Cvt><<<static_cast<unsigned>((x.size() + 255) / 256), 256>>>(device_x, device_d, x.size());
  check(cudaGetLastError(), Cvt::kName);
  check(cudaMemcpy(d.data(), device_d, x.size() * 4, cudaMemcpyDeviceToHost), Cvt::kName);
  cudaFree(device_x);
  cudaFree(device_d);
  for (std::size_t first = 0; first < x.size(); first += 4096) {
    const std::size_t end = first + 4096 < x.size() ? first + 4096 : x.size();
    std::printf("{\"conversion\":\"%s\",\"from\":\"%s\",\"to\":\"%s\",\"x\":\"", Cvt::kName,
                Cvt::kFrom, Cvt::kTo);
    for (std::size_t i = first; i < end; ++i)
      std::printf(i == first ? "%0*x" : " %0*x", digits(Cvt::kFrom), x[i]);
    std::printf("\",\"d\":\"");
    for (std::size_t i = first; i < end; ++i)
      std::printf(i == first ? "%0*x" : " %0*x", digits(Cvt::kTo), d[i]);
    std::printf("\"}\n");
  }
}

/// A format with IEEE 754 exponents; in E4M3 the largest exponent also has numbers.
struct Target {
  int exponent_bits, fraction_bits, unused;
  std::uint32_t largest, beyond,
      nan;  ///< the largest number, the pattern after it (infinity or NaN), and the NaN that is
            ///< returned
};

constexpr Target target_of(const char* name) {
  switch (name[0] == 'b' ? 'b' : name[0] == 't' ? 't' : name[1]) {
    case 'b':
      return {8, 7, 0, 0x7f7f, 0x7f80, 0x7fff};
    case 't':
      return {8, 10, 13, 0x3fbff, 0x3fc00, 0x3ffff};
    case '1':
      return {5, 10, 0, 0x7bff, 0x7c00, 0x7fff};
    case '4':
      return {4, 3, 0, 0x7e, 0x7f, 0x7f};
    default:
      return {5, 2, 0, 0x7b, 0x7c, 0x7f};
  }
}

enum class Rounding { nearest_even, nearest_away, toward_zero };

/// Whether a word occurs between two points of an instruction's name.
constexpr bool says(const char* name, const char* word) {
  for (; *name != 0; ++name) {
    if (*name != '.') continue;
    int i = 0;
    while (word[i] != 0 && name[1 + i] == word[i]) ++i;
    if (word[i] == 0 && name[1 + i] == '.') return true;
  }
  return false;
}

/// The f32 pattern x rounded to a format by integer arithmetic: IEEE 754 rounding, gradual
/// underflow, one NaN.
__device__ std::uint32_t rounded(std::uint32_t x, Target to, Rounding rounding, bool saturates,
                                 bool relu) {
  const std::uint32_t magnitude = x & 0x7fffffffU;
  if (magnitude > 0x7f800000U) return to.nan << to.unused;
  const bool negative = x >> 31 != 0;
  if (negative && relu) return 0;
  const std::uint32_t sign = negative ? 1U << (to.exponent_bits + to.fraction_bits + to.unused) : 0;
  if (magnitude == 0x7f800000U) return sign | (saturates ? to.largest : to.beyond) << to.unused;
  const int field = static_cast<int>(magnitude >> 23);
  const std::uint32_t significand = field == 0 ? magnitude : (magnitude & 0x7fffffU) | 0x800000U;
  const int lsb = (field == 0 ? 1 : field) - 150;  // the exponent of the significand's last bit
  const int least =
      2 - (1 << (to.exponent_bits - 1)) - to.fraction_bits;  // that of the least subnormal number
  // A subnormal source has a lower leading bit, which would matter only for targets with numbers
  // below 2^-126; there are none.
  const int unit = max(lsb + 23 - to.fraction_bits, least);
  const int shift = min(unit - lsb, 31);
  std::uint32_t kept = significand >> shift;
  const std::uint32_t cut = significand & ((1U << shift) - 1), half = 1U << shift >> 1;
  if (rounding == Rounding::nearest_even)
    kept += cut > half || (cut == half && kept % 2 == 1) ? 1 : 0;
  if (rounding == Rounding::nearest_away) kept += cut >= half ? 1 : 0;
  std::uint32_t result = (static_cast<std::uint32_t>(unit - least) << to.fraction_bits) + kept;
  if (result > to.largest)
    result = saturates || rounding == Rounding::toward_zero ? to.largest : to.beyond;
  return sign | result << to.unused;
}

struct Comparison {
  unsigned long long numbers, nans;  ///< how many differ
  std::uint32_t x, d;                ///< a number that differs
};

/// Compares all patterns of f32 with rounded().
template <typename Cvt>
__global__ void compare_all_patterns(Target to, Rounding rounding, bool saturates, bool relu,
                                     Comparison* differ) {
  const std::uint64_t step = gridDim.x * std::uint64_t{blockDim.x};
  for (std::uint64_t i = blockIdx.x * std::uint64_t{blockDim.x} + threadIdx.x; i < 1ULL << 32;
       i += step) {
    const auto x = static_cast<std::uint32_t>(i);
    const std::uint32_t d = Cvt::convert(x);
    if (d == rounded(x, to, rounding, saturates, relu)) continue;
    if ((x & 0x7fffffffU) > 0x7f800000U) {
      atomicAdd(&differ->nans, 1ULL);
    } else {
      if (atomicAdd(&differ->numbers, 1ULL) == 0) differ->x = x, differ->d = d;
    }
  }
}

template <typename Cvt>
void write_comparison() {
  if (std::string(Cvt::kFrom) != "f32") return;
  const Rounding rounding = says(Cvt::kName, "rz")    ? Rounding::toward_zero
                            : says(Cvt::kName, "rna") ? Rounding::nearest_away
                                                      : Rounding::nearest_even;
  Comparison* differ = nullptr;
  Comparison host{};
  check(cudaMalloc(&differ, sizeof(host)), "memory");
  check(cudaMemset(differ, 0, sizeof(host)), "memory");
  compare_all_patterns<Cvt><<<1056, 256>>>(target_of(Cvt::kTo), rounding,
                                           says(Cvt::kName, "satfinite"), says(Cvt::kName, "relu"),
                                           differ);
  check(cudaGetLastError(), Cvt::kName);
  check(cudaMemcpy(&host, differ, sizeof(host), cudaMemcpyDeviceToHost), Cvt::kName);
  cudaFree(differ);
  std::printf(
      "{\"compared\":\"%s\",\"patterns\":4294967296,\"numbers_that_differ\":%llu,\"nans_that_"
      "differ\":%llu",
      Cvt::kName, host.numbers, host.nans);
  if (host.numbers != 0)
    std::printf(",\"x\":\"%08x\",\"d\":\"%0*x\"", host.x, digits(Cvt::kTo), host.d);
  std::printf("}\n");
}

template <typename... Cvt>
void write_all() {
  (write_comparison<Cvt>(), ...);
  (write_rows<Cvt>(), ...);
}

}  // namespace

int main() {
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, 0), "no device");
  int driver = 0;
  int runtime = 0;
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&runtime);
  std::printf(
      "{\"device\":\"%s\",\"cuda_driver\":%d,\"cuda_runtime\":%d,\"program\":\"hardware/replay/"
      "device/cuda/"
      "capture/conversions.cu\"}\n",
      properties.name, driver, runtime);
  write_all<F16Rn, F16Rz, Bf16Rn, Bf16Rz, Bf16RnRelu, F16RnRelu, F16RnSat, Bf16RnSat, F16RzRelu,
            Bf16RzRelu, Tf32Rna, Tf32Rn, Tf32Rz, Tf32RnRelu, Tf32RzRelu, Tf32RnaSat, F16x2Rn,
            F16x2Rz, F16x2RnRelu, Bf16x2Rn, Bf16x2Rz, Bf16x2RnRelu, E4m3Rn, E5m2Rn, E4m3RnRelu,
            E5m2RnRelu, E4m3OfF16, E5m2OfF16, E4m3OfF16Relu, E5m2OfF16Relu, F16OfE4m3, F16OfE5m2,
            F16OfE4m3Relu, F16OfE5m2Relu, F32OfF16, F32OfBf16, Bf16OfF16, F16OfBf16>();
  return 0;
}
