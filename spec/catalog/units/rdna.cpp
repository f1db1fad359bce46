// AMD's RDNA: the dot product and wave matrix instructions of its vector units.

#include <set>

#include "spec/catalog/parameter_sets.h"

namespace mmaspec {
namespace {

/// The variant for a wave of 64 lanes; the default is for 32 lanes.
constexpr std::string_view kWave64 = "wave64";

bool is_bf16(const Format& format) { return format == formats::bf16; }

Algorithm make_rdna3(const DotFormats& formats, std::string_view) {
  OnesComplementDotAdd design{};
  design.block = 2;
  design.zero_c_counts = *formats.c == formats::f16;
  design.through_f32 = is_bf16(*formats.d);
  const bool gradual = *formats.d == formats::f16;
  design.result = {formats.d, Rounding::nearest_even,
                   gradual ? Underflow::gradual : Underflow::flush_tiny};
  return design;
}

Algorithm make_rdna4(const DotFormats& formats, std::string_view variant) {
  FlooredDotAdd design{};
  const bool is_fp8 = formats.a->storage_bits == 8;
  design.block = formats.k == 2 ? 2 : 4;
  design.group = is_fp8 ? 4 : 2;
  // In a wave of 32 lanes, the halves of a lane's eight operands are the first and the second half
  // of k; the unit uses four of each alternately.
  design.halves_alternate = formats.k == 16 && variant != kWave64;
  design.through_f32 = is_bf16(*formats.d);
  design.result = {formats.d, Rounding::nearest_even};
  return design;
}

const std::string kCases =
    " (ROCm/rocm-systems, emulation/rocjitsu/tests/fixtures/float_dot), tests/data/hardware/";
const std::string kModels = "ROCm/rocm-systems issue 12056, emulation/rocjitsu: ";

/// f32 results, and f16 results of WMMA, are recorded; for the others there is AMD's model.
bool is_recorded(const DotFormats& formats) {
  const bool f16_of_wmma = *formats.d == formats::f16 && formats.k == 16;
  return formats.a->storage_bits == 16 && (*formats.d == formats::f32 || f16_of_wmma);
}

std::vector<Provenance> rdna3_sources(const DotFormats& formats, std::string_view variant) {
  const Algorithm algorithm = make_rdna3(formats, variant);
  if (!is_recorded(formats)) {
    return all_from(algorithm, Evidence::model, kModels + "gfx11_dot2.h, dot_packed16.h");
  }
  return all_from(algorithm, Evidence::hardware, "captured results of a Radeon Pro W7900" + kCases);
}

const std::string kGfx1151 = "results of a gfx1151 (tests/data/hardware/rdna3.5-gfx1151.jsonl.gz)";

/// The parameters whose values the results of a gfx1151 determine: other values of one of them
/// contradict some row. Nothing of DOT2 but that it adds ones' complements, and of no other
/// instruction.
std::set<std::string_view> determined_by_gfx1151(const DotFormats& formats) {
  if (!is_recorded(formats)) return {};
  if (formats.k == 2) {
    return *formats.a == formats::f16 ? std::set<std::string_view>{"algorithm"}
                                      : std::set<std::string_view>{};
  }
  std::set<std::string_view> all{"algorithm", "block", "product_bits", "kept_bits"};
  all.insert(*formats.d == formats::f32 ? "round" : "underflow");
  return all;
}

/// RDNA3.5 as RDNA3: nothing recorded or published contradicts it.
std::vector<Provenance> rdna35_sources(const DotFormats& formats, std::string_view variant) {
  const bool is_packed = !(*formats.d == formats::f32);
  std::vector<Provenance> all = all_from(
      make_rdna3(formats, variant), Evidence::model,
      is_packed ? "emulation/rocjitsu (ROCm/rocm-systems), which computes RDNA3.5 as RDNA3: "
                  "gfx11_dot2.h, dot_packed16.h"
                : "ROCm/rocm-systems issue 12056, whose model agreed with a gfx1151 in 12 million "
                  "cases of DOT2; emulation/rocjitsu: gfx11_dot2.h");
  const auto determined = determined_by_gfx1151(formats);
  for (Provenance& p : all) {
    if (determined.contains(p.parameter)) p = {p.parameter, Evidence::hardware, kGfx1151};
  }
  return all;
}

std::vector<Provenance> rdna4_sources(const DotFormats& formats, std::string_view variant) {
  const Algorithm algorithm = make_rdna4(formats, variant);
  if (!is_recorded(formats)) {
    return all_from(algorithm, Evidence::model, kModels + "gfx12_dot.h, dot_packed16.h");
  }
  return all_from(algorithm, Evidence::hardware,
                  "captured results of a Radeon AI Pro R9700" + kCases);
}

std::vector<std::string> waves(const DotFormats& formats) {
  if (formats.k != 16) return {};
  return {std::string(kWave64)};
}

const ParameterSet kRdna3 = {"rdna3", make_rdna3, rdna3_sources, no_variants, false};
const ParameterSet kRdna35 = {"rdna3.5", make_rdna3, rdna35_sources, no_variants, false};
const ParameterSet kRdna4 = {"rdna4", make_rdna4, rdna4_sources, waves, false};

}  // namespace

const std::vector<CatalogueRow>& rdna_rows() {
  static const std::vector<CatalogueRow> rows = {
      {"rdna3", "v_dot2_f32_f16", &kRdna3},
      {"rdna3", "v_dot2_f32_bf16", &kRdna3},
      {"rdna3", "v_dot2_f16_f16", &kRdna3},
      {"rdna3", "v_dot2_bf16_bf16", &kRdna3},
      {"rdna3", "v_wmma_f32_16x16x16_f16", &kRdna3},
      {"rdna3", "v_wmma_f32_16x16x16_bf16", &kRdna3},
      {"rdna3", "v_wmma_f16_16x16x16_f16", &kRdna3},
      {"rdna3", "v_wmma_bf16_16x16x16_bf16", &kRdna3},
      {"rdna3.5", "v_dot2_f32_f16", &kRdna35},
      {"rdna3.5", "v_dot2_f32_bf16", &kRdna35},
      {"rdna3.5", "v_dot2_f16_f16", &kRdna35},
      {"rdna3.5", "v_dot2_bf16_bf16", &kRdna35},
      {"rdna3.5", "v_wmma_f32_16x16x16_f16", &kRdna35},
      {"rdna3.5", "v_wmma_f32_16x16x16_bf16", &kRdna35},
      {"rdna3.5", "v_wmma_f16_16x16x16_f16", &kRdna35},
      {"rdna3.5", "v_wmma_bf16_16x16x16_bf16", &kRdna35},
      {"rdna4", "v_dot2_f32_f16", &kRdna4},
      {"rdna4", "v_dot2_f32_bf16", &kRdna4},
      {"rdna4", "v_dot2_f16_f16", &kRdna4},
      {"rdna4", "v_dot2_bf16_bf16", &kRdna4},
      {"rdna4", "v_dot4_f32_fp8_fp8", &kRdna4},
      {"rdna4", "v_dot4_f32_fp8_bf8", &kRdna4},
      {"rdna4", "v_dot4_f32_bf8_fp8", &kRdna4},
      {"rdna4", "v_dot4_f32_bf8_bf8", &kRdna4},
      {"rdna4", "v_wmma_f32_16x16x16_f16", &kRdna4},
      {"rdna4", "v_wmma_f32_16x16x16_bf16", &kRdna4},
      {"rdna4", "v_wmma_f16_16x16x16_f16", &kRdna4},
      {"rdna4", "v_wmma_bf16_16x16x16_bf16", &kRdna4},
  };
  return rows;
}

}  // namespace mmaspec
