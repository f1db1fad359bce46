// What the GPU's conversion instructions (PTX cvt) return: a program that writes rows of JSON Lines.
//
//   nvcc -std=c++17 -gencode arch=compute_90a,code=sm_90a conversions.cu -o conversions && ./conversions > rows.jsonl
//
// The first line is a header: device, driver and runtime version. Each other line holds up to 4,096 conversions of one
// instruction: {"conversion":"cvt.rn.f16.f32","from":"f32","to":"f16","x":"HEX ...","d":"HEX ..."}. 8-bit and 16-bit sources
// are complete; 32-bit sources are every exponent with significands at and beside the ties of the narrower formats.
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

// One struct an instruction: convert() takes and returns patterns in the low bits.
#define MMASPEC_CVT_F32(Name, text, from, to, Result, constraint)                 \
  struct Name {                                                                   \
    static constexpr const char* kName = text;                                    \
    static constexpr const char* kFrom = from;                                    \
    static constexpr const char* kTo = to;                                        \
    static __device__ std::uint32_t convert(std::uint32_t x) {                    \
      Result d;                                                                   \
      asm(text " %0, %1;" : constraint(d) : "f"(__uint_as_float(x)));             \
      return static_cast<std::uint32_t>(d);                                       \
    }                                                                             \
  };
MMASPEC_CVT_F32(F16Rn, "cvt.rn.f16.f32", "f32", "f16", std::uint16_t, "=h")
MMASPEC_CVT_F32(F16Rz, "cvt.rz.f16.f32", "f32", "f16", std::uint16_t, "=h")
MMASPEC_CVT_F32(Bf16Rn, "cvt.rn.bf16.f32", "f32", "bf16", std::uint16_t, "=h")
MMASPEC_CVT_F32(Bf16Rz, "cvt.rz.bf16.f32", "f32", "bf16", std::uint16_t, "=h")
MMASPEC_CVT_F32(Bf16RnRelu, "cvt.rn.relu.bf16.f32", "f32", "bf16", std::uint16_t, "=h")
MMASPEC_CVT_F32(F16RnRelu, "cvt.rn.relu.f16.f32", "f32", "f16", std::uint16_t, "=h")
MMASPEC_CVT_F32(Tf32Rna, "cvt.rna.tf32.f32", "f32", "tf32", std::uint32_t, "=r")
MMASPEC_CVT_F32(Tf32Rn, "cvt.rn.tf32.f32", "f32", "tf32", std::uint32_t, "=r")
MMASPEC_CVT_F32(Tf32Rz, "cvt.rz.tf32.f32", "f32", "tf32", std::uint32_t, "=r")
#undef MMASPEC_CVT_F32

// Two f32 numbers to two FP8 ones: the second operand becomes the low half.
#define MMASPEC_CVT_FP8(Name, text, to)                                                     \
  struct Name {                                                                             \
    static constexpr const char* kName = text;                                              \
    static constexpr const char* kFrom = "f32";                                             \
    static constexpr const char* kTo = to;                                                  \
    static __device__ std::uint32_t convert(std::uint32_t x) {                              \
      std::uint16_t d;                                                                      \
      asm(text " %0, %1, %2;" : "=h"(d) : "f"(0.0F), "f"(__uint_as_float(x)));              \
      return d & 0xffU;                                                                     \
    }                                                                                       \
  };
MMASPEC_CVT_FP8(E4m3Rn, "cvt.rn.satfinite.e4m3x2.f32", "e4m3")
MMASPEC_CVT_FP8(E5m2Rn, "cvt.rn.satfinite.e5m2x2.f32", "e5m2")
MMASPEC_CVT_FP8(E4m3RnRelu, "cvt.rn.satfinite.relu.e4m3x2.f32", "e4m3")
#undef MMASPEC_CVT_FP8

#define MMASPEC_CVT_PAIR(Name, text, from, to, Source, in, Result, out, mask)  \
  struct Name {                                                                \
    static constexpr const char* kName = text;                                 \
    static constexpr const char* kFrom = from;                                 \
    static constexpr const char* kTo = to;                                     \
    static __device__ std::uint32_t convert(std::uint32_t x) {                 \
      Result d;                                                                \
      asm(text " %0, %1;" : out(d) : in(static_cast<Source>(x)));              \
      return static_cast<std::uint32_t>(d) & mask;                             \
    }                                                                          \
  };
MMASPEC_CVT_PAIR(E4m3OfF16, "cvt.rn.satfinite.e4m3x2.f16x2", "f16", "e4m3", std::uint32_t, "r", std::uint16_t, "=h", 0xffU)
MMASPEC_CVT_PAIR(E5m2OfF16, "cvt.rn.satfinite.e5m2x2.f16x2", "f16", "e5m2", std::uint32_t, "r", std::uint16_t, "=h", 0xffU)
MMASPEC_CVT_PAIR(F16OfE4m3, "cvt.rn.f16x2.e4m3x2", "e4m3", "f16", std::uint16_t, "h", std::uint32_t, "=r", 0xffffU)
MMASPEC_CVT_PAIR(F16OfE5m2, "cvt.rn.f16x2.e5m2x2", "e5m2", "f16", std::uint16_t, "h", std::uint32_t, "=r", 0xffffU)
#undef MMASPEC_CVT_PAIR

struct F32OfF16 {
  static constexpr const char* kName = "cvt.f32.f16";
  static constexpr const char* kFrom = "f16";
  static constexpr const char* kTo = "f32";
  static __device__ std::uint32_t convert(std::uint32_t x) {
    float d;
    asm("cvt.f32.f16 %0, %1;" : "=f"(d) : "h"(static_cast<std::uint16_t>(x)));
    return __float_as_uint(d);
  }
};

template <typename Cvt>
__global__ void run(const std::uint32_t* x, std::uint32_t* d, std::size_t count) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i < count) d[i] = Cvt::convert(x[i]);
}

int digits(const std::string& format) {
  if (format == "e4m3" || format == "e5m2") return 2;
  return format == "f32" || format == "tf32" ? 8 : 4;
}

/// All patterns of a short format; of f32 each exponent with significands about the ties of formats with 2, 3, 7 and 10
/// fraction bits, about their ends, and some between.
std::vector<std::uint32_t> patterns_of(const std::string& format) {
  std::vector<std::uint32_t> all;
  if (format != "f32") {
    for (std::uint32_t x = 0; x < 1U << (4 * digits(format)); ++x) all.push_back(x);
    return all;
  }
  std::uint32_t state = 1;
  const auto random = [&state] { return state = state * 1664525U + 1013904223U; };
  for (std::uint32_t top = 0; top < 512; ++top) {
    std::vector<std::uint32_t> low{0, 1, 2, 0x3fffff, 0x400000, 0x400001, 0x7ffffe, 0x7fffff, random() >> 9, random() >> 9};
    for (const int kept : {2, 3, 7, 10}) {
      const std::uint32_t half = 1U << (22 - kept);
      for (const std::uint32_t units : {0U, 1U, (1U << kept) - 1, (random() >> 9) >> (23 - kept)}) {
        for (const int beside : {-1, 0, 1}) low.push_back((units * 2 * half + half + static_cast<std::uint32_t>(beside)) & 0x7fffffU);
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
    std::printf("{\"conversion\":\"%s\",\"from\":\"%s\",\"to\":\"%s\",\"x\":\"", Cvt::kName, Cvt::kFrom, Cvt::kTo);
    for (std::size_t i = first; i < end; ++i) std::printf(i == first ? "%0*x" : " %0*x", digits(Cvt::kFrom), x[i]);
    std::printf("\",\"d\":\"");
    for (std::size_t i = first; i < end; ++i) std::printf(i == first ? "%0*x" : " %0*x", digits(Cvt::kTo), d[i]);
    std::printf("\"}\n");
  }
}

template <typename... Cvt>
void write_all() {
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
  std::printf("{\"device\":\"%s\",\"cuda_driver\":%d,\"cuda_runtime\":%d,\"program\":\"replay/device/cuda/capture/conversions.cu\"}\n",
              properties.name, driver, runtime);
  write_all<F16Rn, F16Rz, Bf16Rn, Bf16Rz, Bf16RnRelu, F16RnRelu, Tf32Rna, Tf32Rn, Tf32Rz, E4m3Rn, E5m2Rn, E4m3RnRelu,
            E4m3OfF16, E5m2OfF16, F16OfE4m3, F16OfE5m2, F32OfF16>();
  return 0;
}
