#include "queries/studies/machines/library.h"

namespace mmaspec {
namespace {

// cuBLAS does not document its choice. CUTLASS uses the same instructions and does:
// InstructionShape of the defaults up to Ada, and the wgmma and tcgen05 atoms that its builders
// choose from Hopper on.
constexpr std::string_view kCutlass =
    "CUTLASS, include/cutlass/gemm/device/default_gemm_configuration.h";
constexpr std::string_view kCutlassAda = "CUTLASS, test/unit/gemm/device, gemm_f8t_f8n_f32t_sm89";
constexpr std::string_view kCutlassHopper =
    "CUTLASS, include/cutlass/gemm/collective/builders/sm90_gmma_builder.inl";
constexpr std::string_view kCutlassBlackwell =
    "CUTLASS, include/cutlass/gemm/collective/builders/sm100_umma_builder.inl";
constexpr std::string_view kHopperF64 = "CUTLASS, include/cutlass/arch/mma_sm90.h";
constexpr std::string_view kBlackwellF64 = "CUTLASS, include/cutlass/arch/mma_sm80.h";
// MfmaSelector: of several shapes, the one with 32 x 32 blocks.
constexpr std::string_view kComposableKernel =
    "Composable Kernel, include/ck/tensor_operation/gpu/warp/xdlops_gemm.hpp";
constexpr std::string_view kComposableKernelWmma =
    "Composable Kernel, include/ck/tensor_operation/gpu/warp/wmma_gemm.hpp";

}  // namespace

const std::vector<LibraryChoice>& library_choices() {
  static const std::vector<LibraryChoice> all = {
      {"f16 with f32 sums", "volta", "mma.m8n8k4.f32.f16.f16.f32", kCutlass},
      {"f16 with f32 sums", "turing", "mma.m16n8k8.f32.f16.f16.f32", kCutlass},
      {"f16 with f32 sums", "ampere", "mma.m16n8k16.f32.f16.f16.f32", kCutlass},
      {"f16 with f32 sums", "ada", "mma.m16n8k16.f32.f16.f16.f32", kCutlass},
      {"f16 with f32 sums", "hopper", "wgmma.m64n8k16.f32.f16.f16", kCutlassHopper},
      {"f16 with f32 sums", "blackwell", "tcgen05.mma.m64n8k16.f32.f16.f16", kCutlassBlackwell},
      {"f16 with f32 sums", "rtx-blackwell", "mma.m16n8k16.f32.f16.f16.f32", kCutlass},
      {"f16 with f32 sums", "cdna1", "v_mfma_f32_32x32x8f16", kComposableKernel},
      {"f16 with f32 sums", "cdna2", "v_mfma_f32_32x32x8f16", kComposableKernel},
      {"f16 with f32 sums", "cdna3", "v_mfma_f32_32x32x8_f16", kComposableKernel},
      {"f16 with f32 sums", "cdna4", "v_mfma_f32_32x32x16_f16", kComposableKernel},
      {"f16 with f32 sums", "rdna3", "v_wmma_f32_16x16x16_f16", kComposableKernelWmma},
      {"f16 with f32 sums", "rdna4", "v_wmma_f32_16x16x16_f16", kComposableKernelWmma},

      {"f16 with f16 sums", "volta", "mma.m8n8k4.f16.f16.f16.f16", kCutlass},
      {"f16 with f16 sums", "turing", "mma.m16n8k8.f16.f16.f16.f16", kCutlass},
      {"f16 with f16 sums", "ampere", "mma.m16n8k16.f16.f16.f16.f16", kCutlass},
      {"f16 with f16 sums", "ada", "mma.m16n8k16.f16.f16.f16.f16", kCutlass},
      {"f16 with f16 sums", "hopper", "wgmma.m64n8k16.f16.f16.f16", kCutlassHopper},
      {"f16 with f16 sums", "blackwell", "tcgen05.mma.m64n8k16.f16.f16.f16", kCutlassBlackwell},
      {"f16 with f16 sums", "rtx-blackwell", "mma.m16n8k16.f16.f16.f16.f16", kCutlass},

      {"bf16 with f32 sums", "ampere", "mma.m16n8k16.f32.bf16.bf16.f32", kCutlass},
      {"bf16 with f32 sums", "ada", "mma.m16n8k16.f32.bf16.bf16.f32", kCutlass},
      {"bf16 with f32 sums", "hopper", "wgmma.m64n8k16.f32.bf16.bf16", kCutlassHopper},
      {"bf16 with f32 sums", "blackwell", "tcgen05.mma.m64n8k16.f32.bf16.bf16", kCutlassBlackwell},
      {"bf16 with f32 sums", "rtx-blackwell", "mma.m16n8k16.f32.bf16.bf16.f32", kCutlass},
      {"bf16 with f32 sums", "cdna1", "v_mfma_f32_32x32x4bf16", kComposableKernel},
      {"bf16 with f32 sums", "cdna2", "v_mfma_f32_32x32x8bf16_1k", kComposableKernel},
      {"bf16 with f32 sums", "cdna3", "v_mfma_f32_32x32x8_bf16", kComposableKernel},
      {"bf16 with f32 sums", "cdna4", "v_mfma_f32_32x32x16_bf16", kComposableKernel},
      {"bf16 with f32 sums", "rdna3", "v_wmma_f32_16x16x16_bf16", kComposableKernelWmma},
      {"bf16 with f32 sums", "rdna4", "v_wmma_f32_16x16x16_bf16", kComposableKernelWmma},

      {"TF32 or XF32 with f32 sums", "ampere", "mma.m16n8k8.f32.tf32.tf32.f32", kCutlass},
      {"TF32 or XF32 with f32 sums", "ada", "mma.m16n8k8.f32.tf32.tf32.f32", kCutlass},
      {"TF32 or XF32 with f32 sums", "hopper", "wgmma.m64n8k8.f32.tf32.tf32", kCutlassHopper},
      {"TF32 or XF32 with f32 sums", "blackwell", "tcgen05.mma.m64n8k8.f32.tf32.tf32",
       kCutlassBlackwell},
      {"TF32 or XF32 with f32 sums", "rtx-blackwell", "mma.m16n8k8.f32.tf32.tf32.f32", kCutlass},
      {"TF32 or XF32 with f32 sums", "cdna3", "v_mfma_f32_32x32x4_xf32", kComposableKernel},

      {"f32", "cdna1", "v_mfma_f32_32x32x2f32", kComposableKernel},
      {"f32", "cdna2", "v_mfma_f32_32x32x2f32", kComposableKernel},
      {"f32", "cdna3", "v_mfma_f32_32x32x2_f32", kComposableKernel},
      {"f32", "cdna4", "v_mfma_f32_32x32x2_f32", kComposableKernel},

      {"f64", "ampere", "mma.m8n8k4.f64.f64.f64.f64", kCutlass},
      {"f64", "hopper", "mma.m16n8k16.f64.f64.f64.f64", kHopperF64},
      {"f64", "blackwell", "mma.m8n8k4.f64.f64.f64.f64", kBlackwellF64},
      {"f64", "cdna2", "v_mfma_f64_16x16x4f64", kComposableKernel},
      {"f64", "cdna3", "v_mfma_f64_16x16x4_f64", kComposableKernel},
      {"f64", "cdna4", "v_mfma_f64_16x16x4_f64", kComposableKernel},

      {"FP8 E4M3 with f32 sums", "ada", "mma.m16n8k32.f32.e4m3.e4m3.f32", kCutlassAda},
      {"FP8 E4M3 with f32 sums", "hopper", "wgmma.m64n8k32.f32.e4m3.e4m3", kCutlassHopper},
      {"FP8 E4M3 with f32 sums", "blackwell", "tcgen05.mma.m64n8k32.f32.e4m3.e4m3",
       kCutlassBlackwell},
      {"FP8 E4M3 with f32 sums", "rtx-blackwell", "mma.m16n8k32.f32.e4m3.e4m3.f32", kCutlassAda},
      {"FP8 E4M3 with f32 sums", "cdna3", "v_mfma_f32_32x32x16_fp8_fp8", kComposableKernel},
      {"FP8 E4M3 with f32 sums", "cdna4", "v_mfma_f32_32x32x64_f8f6f4.e4m3.e4m3",
       kComposableKernel},

      {"FP8 E5M2 with f32 sums", "ada", "mma.m16n8k32.f32.e5m2.e5m2.f32", kCutlassAda},
      {"FP8 E5M2 with f32 sums", "hopper", "wgmma.m64n8k32.f32.e5m2.e5m2", kCutlassHopper},
      {"FP8 E5M2 with f32 sums", "blackwell", "tcgen05.mma.m64n8k32.f32.e5m2.e5m2",
       kCutlassBlackwell},
      {"FP8 E5M2 with f32 sums", "rtx-blackwell", "mma.m16n8k32.f32.e5m2.e5m2.f32", kCutlassAda},
      {"FP8 E5M2 with f32 sums", "cdna3", "v_mfma_f32_32x32x16_bf8_bf8", kComposableKernel},
      {"FP8 E5M2 with f32 sums", "cdna4", "v_mfma_f32_32x32x64_f8f6f4.e5m2.e5m2",
       kComposableKernel},
  };
  return all;
}

std::vector<std::pair<LibraryChoice, LibraryChoice>> shared_choices(const std::string& first,
                                                                    const std::string& second) {
  std::vector<std::pair<LibraryChoice, LibraryChoice>> shared;
  for (const LibraryChoice& x : library_choices()) {
    if (x.architecture != first) continue;
    for (const LibraryChoice& y : library_choices()) {
      if (y.architecture == second && y.product == x.product) shared.emplace_back(x, y);
    }
  }
  return shared;
}

}  // namespace mmaspec
