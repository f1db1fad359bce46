// AMD's CDNA5: the WMMA instructions of gfx1250 and gfx1251, as AMD's emulator computes them.

#include <deque>

#include "spec/catalog/parameter_sets.h"

namespace mmaspec {
namespace {

const std::string kCdna5Emulator =
    "rocjitsu (ROCm/rocm-systems, emulation/rocjitsu), mma_exec.h and mma/arithmetic.h. ";
const std::string kNoGpuConfirms = ". No result of a GPU confirms it";

/// A 16-bit result is that of a chain in f32, converted: to nearest, but a bf16 is the high part of
/// the f32.
Algorithm make_cdna5(const DotFormats& formats, std::string_view variant) {
  const bool is_converted = !(*formats.d == formats::f32) && !(*formats.d == formats::f64);
  if (!is_converted && formats.scale == nullptr) return make_fma(formats, variant);
  const bool cut = *formats.d == formats::bf16;
  return F32Chain{cut ? Rounding::toward_zero : Rounding::nearest_even};
}

std::string steps_of_cdna5(const DotFormats& formats) {
  if (formats.scale != nullptr) {
    return "Function exec_wmma_f32_scaled_mixed(): each block is a chain of FMAs from +0, whose "
           "sum "
           "is multiplied by a's scale factor and then by b's, and added";
  }
  if (*formats.d == formats::f64) {
    return "Function exec_wmma_f64_16x16x4_f64(), of gfx1251: a chain of FMAs";
  }
  if (*formats.d == formats::f16) {
    return "Function exec_wmma_f16(): a chain in f32, rounded to f16 at the end";
  }
  if (*formats.d == formats::bf16) {
    return "Functions exec_wmma_bf16() and exec_wmma_bf16f32_16x16x32_bf16(): a chain in f32, of "
           "which d is the high part (the emulator rounds bf16 results of SWMMAC to nearest)";
  }
  return "Function exec_wmma_f32_mixed(): a chain of FMAs (on hosts without vector instructions, "
         "f32 and bf16 products are rounded before they are added)";
}

std::vector<Provenance> cdna5_sources(const DotFormats& formats, std::string_view variant) {
  return all_from(make_cdna5(formats, variant), Evidence::emulator,
                  kCdna5Emulator + steps_of_cdna5(formats) + kNoGpuConfirms);
}

const ParameterSet kCdna5 = {"cdna5", make_cdna5, cdna5_sources, no_variants, false};

/// The rows own their mnemonics.
class Cdna5Rows {
 public:
  Cdna5Rows() {
    for (const char* after :
         {"f64_16x16x4_f64", "f32_16x16x4_f32", "f32_16x16x32_f16", "f32_16x16x32_bf16",
          "f16_16x16x32_f16", "bf16_16x16x32_bf16", "bf16f32_16x16x32_bf16"}) {
      add(after);
    }
    for (const char* shape : {"f32_16x16x64", "f16_16x16x64", "f32_16x16x128", "f16_16x16x128"}) {
      for (const char* a : {"bf8", "fp8"}) {
        for (const char* b : {"bf8", "fp8"}) add(std::string(shape) + "_" + a + "_" + b);
      }
    }
    // Any two of five formats: find_instruction() accepts all pairs; the catalogue has only these.
    for (const char* scale : {"", "scale_", "scale16_"}) {
      for (const char* pair : {"e4m3.e4m3", "e2m1.e2m1"}) {
        add(std::string(scale) + "f32_16x16x128_f8f6f4." + pair);
      }
      add(std::string(scale) + "f32_32x16x128_f4");
    }
  }

  std::vector<CatalogueRow> all;

 private:
  void add(const std::string& after) {
    mnemonics_.push_back("v_wmma_" + after);
    all.push_back({"cdna5", mnemonics_.back(), &kCdna5});
  }

  std::deque<std::string> mnemonics_;
};

}  // namespace

const std::vector<CatalogueRow>& cdna5_rows() {
  static const Cdna5Rows rows;
  return rows.all;
}

}  // namespace mmaspec
