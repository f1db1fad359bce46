// Prints rows of conversions that the host code of CUDA's headers computes, for `mmaspec verify`.
//
// It is not part of the build, because it needs these headers (cuda_fp8.h and others), which come
// with CUDA and with the package nvidia-cuda-runtime:
//
//   g++ -O1 -I INCLUDE tools/cuda_conversions.cpp -o cuda_conversions
//   ./cuda_conversions 100000 > rows.jsonl && mmaspec verify rows.jsonl

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>

namespace {

std::mt19937_64 draws(1);

float float_of(std::uint32_t bits) {
  float x = 0;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

std::uint32_t bits_of(float x) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}

/// A number of f32: any bits, or one near a number with few bits and an exponent near 0.
std::uint32_t draw_float() {
  const std::uint64_t drawn = draws();
  const auto any = static_cast<std::uint32_t>(drawn);
  if (drawn >> 62 == 0) return any;
  const int kept = static_cast<int>(drawn >> 32 & 15);
  const std::uint32_t fraction = (any & 0x7fffff) >> (23 - kept) << (23 - kept);
  const auto field = static_cast<std::uint32_t>(127 - 30 + static_cast<int>(drawn >> 40 & 63));
  const std::uint32_t near = (any & 0x80000000) | field << 23 | fraction;
  return near + static_cast<std::uint32_t>(drawn >> 50 & 3) - 1;
}

void print(const char* name, unsigned digits_of_c, std::uint32_t c, unsigned digits_of_d,
           std::uint32_t d) {
  std::printf("{\"instr\":\"%s\",\"a\":\"\",\"b\":\"\",\"c\":\"%0*x\",\"d\":\"%0*x\"}\n", name,
              static_cast<int>(digits_of_c), c, static_cast<int>(digits_of_d), d);
}

__half_raw half_of(std::uint32_t bits) {
  __half_raw raw{};
  raw.x = static_cast<unsigned short>(bits);
  return raw;
}

__nv_bfloat16_raw bfloat_of(std::uint32_t bits) {
  __nv_bfloat16_raw raw{};
  raw.x = static_cast<unsigned short>(bits);
  return raw;
}

void print_from_float(std::uint32_t c) {
  const float x = float_of(c);
  const auto bits16 = [](auto y) {
    std::uint16_t bits = 0;
    std::memcpy(&bits, &y, sizeof bits);
    return bits;
  };
  print("volta/cvt.rn.f16.f32", 8, c, 4, bits16(__float2half_rn(x)));
  print("volta/cvt.rz.f16.f32", 8, c, 4, bits16(__float2half_rz(x)));
  print("volta/cvt.rm.f16.f32", 8, c, 4, bits16(__float2half_rd(x)));
  print("volta/cvt.rp.f16.f32", 8, c, 4, bits16(__float2half_ru(x)));
  print("ampere/cvt.rn.bf16.f32", 8, c, 4, bits16(__float2bfloat16_rn(x)));
  print("ampere/cvt.rz.bf16.f32", 8, c, 4, bits16(__float2bfloat16_rz(x)));
  print("ada/cvt.rn.satfinite.e4m3x2.f32", 8, c, 2,
        __nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_E4M3));
  print("ada/cvt.rn.satfinite.e5m2x2.f32", 8, c, 2,
        __nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_E5M2));
  print("blackwell/cvt.rn.satfinite.e2m3x2.f32", 8, c, 2,
        __nv_cvt_float_to_fp6(x, __NV_E2M3, cudaRoundNearest));
  print("blackwell/cvt.rn.satfinite.e3m2x2.f32", 8, c, 2,
        __nv_cvt_float_to_fp6(x, __NV_E3M2, cudaRoundNearest));
  print("blackwell/cvt.rn.satfinite.e2m1x2.f32", 8, c, 1,
        __nv_cvt_float_to_fp4(x, __NV_E2M1, cudaRoundNearest));
  print("blackwell/cvt.rz.ue8m0x2.f32", 8, c, 2,
        __nv_cvt_float_to_e8m0(x, __NV_NOSAT, cudaRoundZero));
  print("blackwell/cvt.rp.ue8m0x2.f32", 8, c, 2,
        __nv_cvt_float_to_e8m0(x, __NV_NOSAT, cudaRoundPosInf));
  print("blackwell/cvt.rz.satfinite.ue8m0x2.f32", 8, c, 2,
        __nv_cvt_float_to_e8m0(x, __NV_SATFINITE, cudaRoundZero));
  print("blackwell/cvt.rp.satfinite.ue8m0x2.f32", 8, c, 2,
        __nv_cvt_float_to_e8m0(x, __NV_SATFINITE, cudaRoundPosInf));
}

void print_from_16_bits(std::uint32_t c) {
  print("ada/cvt.rn.satfinite.e4m3x2.f16x2", 4, c, 2,
        __nv_cvt_halfraw_to_fp8(half_of(c), __NV_SATFINITE, __NV_E4M3));
  print("ada/cvt.rn.satfinite.e5m2x2.f16x2", 4, c, 2,
        __nv_cvt_halfraw_to_fp8(half_of(c), __NV_SATFINITE, __NV_E5M2));
  print("volta/cvt.f32.f16", 4, c, 8, bits_of(__half2float(__half(half_of(c)))));
  print("blackwell/cvt.rz.ue8m0x2.bf16x2", 4, c, 2,
        __nv_cvt_bfloat16raw_to_e8m0(bfloat_of(c), __NV_NOSAT, cudaRoundZero));
  print("blackwell/cvt.rp.ue8m0x2.bf16x2", 4, c, 2,
        __nv_cvt_bfloat16raw_to_e8m0(bfloat_of(c), __NV_NOSAT, cudaRoundPosInf));
  print("blackwell/cvt.rz.satfinite.ue8m0x2.bf16x2", 4, c, 2,
        __nv_cvt_bfloat16raw_to_e8m0(bfloat_of(c), __NV_SATFINITE, cudaRoundZero));
  print("blackwell/cvt.rp.satfinite.ue8m0x2.bf16x2", 4, c, 2,
        __nv_cvt_bfloat16raw_to_e8m0(bfloat_of(c), __NV_SATFINITE, cudaRoundPosInf));
}

void print_from_bytes() {
  for (std::uint32_t c = 0; c < 256; ++c) {
    const auto byte = static_cast<unsigned char>(c);
    print("ada/cvt.rn.f16x2.e4m3x2", 2, c, 4, __nv_cvt_fp8_to_halfraw(byte, __NV_E4M3).x);
    print("ada/cvt.rn.f16x2.e5m2x2", 2, c, 4, __nv_cvt_fp8_to_halfraw(byte, __NV_E5M2).x);
    print("blackwell/cvt.rn.bf16x2.ue8m0x2", 2, c, 4, __nv_cvt_e8m0_to_bf16raw(byte).x);
    if (c < 64) {
      print("blackwell/cvt.rn.f16x2.e2m3x2", 2, c, 4, __nv_cvt_fp6_to_halfraw(byte, __NV_E2M3).x);
      print("blackwell/cvt.rn.f16x2.e3m2x2", 2, c, 4, __nv_cvt_fp6_to_halfraw(byte, __NV_E3M2).x);
    }
    if (c < 16) {
      print("blackwell/cvt.rn.f16x2.e2m1x2", 1, c, 4, __nv_cvt_fp4_to_halfraw(byte, __NV_E2M1).x);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const long rows = argc > 1 ? std::atol(argv[1]) : 1000;
  for (long i = 0; i < rows; ++i) print_from_float(draw_float());
  for (std::uint32_t c = 0; c < 65536; ++c) print_from_16_bits(c);
  print_from_bytes();
  return 0;
}
