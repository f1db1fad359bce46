// Parameter sets of NVIDIA's tensor cores, and the source of each parameter.

#include "spec/catalog/units/nvidia_parameters.h"

#include <fmt/format.h>

#include "spec/algorithms/fused_dot_add.h"
#include "spec/algorithms/group_dot_fused_sum.h"
#include "spec/algorithms/split_fp8.h"
#include "spec/algorithms/vector/sequential_fma.h"

namespace mmaspec {
namespace {

constexpr const char* kMmaSimTable = "MMA-Sim (arXiv 2511.10909), table III";
constexpr const char* kMmaSimJanuary2026 = "MMA-Sim's code of January 2026";
constexpr const char* kH100Rows = "results of an H100 (docs/replay.md)";
constexpr const char* kOfNoEffect = "of no effect: all terms are multiples of what it does not cut";

/// Differences between NVIDIA's fused dot-adds.
struct Generation {
  int fraction_bits;
  std::optional<int> floor_f32;  ///< exponent floor of f32 results
  std::optional<int> floor_f16;
  int block_bits;         ///< bits of A in one fused step: products times operand bits
  int kept_bits;          ///< fraction bits of f32 results
  std::string_view gpus;  ///< GPUs whose recorded results agree with fraction bits, block and
                          ///< rounding
  Evidence evidence;
  /// The GPU on which inputs were run that distinguish each parameter's other values, if any.
  std::string_view asked = {};
};

constexpr int kWhole = 1 << 20;

// Blocks in bits of operands: Volta 4 f16, Turing 8 f16, Ampere 8 f16 or 4 tf32, Ada 16 fp8.
constexpr Generation kVoltaF16 = {23, {}, -19, 64, 23, "V100", Evidence::hardware};
constexpr Generation kTuringF16 = {24, -132, -20, 128, 23, "", Evidence::model};
// ptxas compiles Turing's m8n8k4 to Volta's HMMA.884, so that it has Volta's parameters.
constexpr Generation kTuringF16OfVolta = {23, {}, -19, 64, 23, "", Evidence::model};
constexpr Generation kAmpereF16 = {
    24, -132, -20, 128, 23, "A100, A2, L40S and another Ada GPU", Evidence::hardware};
constexpr Generation kAdaF8 = {
    13, -132, -20, 128, 13, "L40S and another Ada GPU", Evidence::hardware};
constexpr Generation kHopperF16 = {
    25, -133, -21, kWhole, 23, "H100, H200", Evidence::hardware, kH100Rows};
constexpr Generation kHopperF8 = {13,       -133, -21, kWhole, 13, "H100, H200", Evidence::hardware,
                                  kH100Rows};
constexpr Generation kBlackwellAll = {25, -133, -21, kWhole, 23, "B200", Evidence::hardware};

FusedDotAdd fused(const Generation& g, const DotFormats& formats, std::string_view variant) {
  const bool f32 = formats.d->name == "f32";
  FusedDotAdd design{};
  design.fraction_bits = g.fraction_bits;
  design.exponent_floor = f32 ? g.floor_f32 : g.floor_f16;
  // A packed element occupies whole bytes (FP6 and FP4 are stored in bytes if types are mixed).
  const int element_bits = std::max(formats.a->storage_bits, 8);
  design.block = std::min(formats.k, g.block_bits / element_bits);
  design.result.format = formats.d;
  design.result.rounding = f32 ? Rounding::toward_zero : Rounding::nearest_even;
  if (f32) design.result.kept_fraction_bits = g.kept_bits;
  // No instruction converts an f16 c: it has the exponent of its own format.
  const bool converts = variant == kMmaSim2025 || variant == kKhattakMikaitis;
  design.normalized_c = converts || *formats.c == *formats.d;
  if (variant == kMmaSim2025) {
    design.exponent_floor.reset();
    design.zero_terms = ZeroTerms::operands_count;
  }
  return design;
}

/// The released models of Khattak and Mikaitis have operands of one format, without scale factors,
/// and f16 results only for f16 operands: for FP8 the code of Ada and Hopper keeps no fraction bits
/// of f16 results, and that of Blackwell gives f32 results.
bool khattak_mikaitis_have(const DotFormats& formats) {
  if (!(*formats.a == *formats.b) || formats.scale != nullptr) return false;
  const std::string_view a = formats.a->name;
  const bool wide = a == "f16" || a == "bf16" || a == "tf32";
  if (formats.d->name == "f16") return a == "f16";
  return wide || a == "e4m3" || a == "e5m2";
}

/// The source of the exponent floor, and of leaving out zero products.
Provenance floor_source(const Generation& g, const DotFormats& formats, const std::string& key) {
  if (khattak_mikaitis_have(formats)) {
    const bool turing = g.gpus.empty();
    return {
        key, Evidence::model,
        turing ? kMmaSimRelease : fmt::format("{}; {}", kKhattakMikaitisModels, kMmaSimRelease)};
  }
  // Products of at most 8 bits are multiples of 2^-32, c of 2^-24 or 2^-149.
  const int unit = formats.d->name == "f16" ? -32 : -149;
  const int floor = *(formats.d->name == "f16" ? g.floor_f16 : g.floor_f32);
  if (key == "floor" && formats.scale == nullptr && floor - g.fraction_bits <= unit) {
    return {key, Evidence::open, kOfNoEffect};
  }
  return {key, Evidence::model, kMmaSimRelease};
}

/// Inputs cannot determine a floor that cuts nothing.
std::vector<Provenance> as_asked(std::string_view rows, std::vector<Provenance> all) {
  for (Provenance& p : all) {
    const bool idle = p.evidence == Evidence::open && p.source.starts_with(kOfNoEffect);
    if (rows.empty() || idle) continue;
    const bool published = p.evidence != Evidence::open;
    p = {p.parameter, Evidence::hardware, std::string(rows) + (published ? "; " + p.source : "")};
  }
  return all;
}

std::vector<Provenance> published_sources(const Generation& g, const DotFormats& formats) {
  const bool f32 = formats.d->name == "f32";
  const bool small = formats.a->storage_bits < 8 || formats.b->storage_bits < 8;
  const std::string recorded =
      g.evidence == Evidence::hardware && !small
          ? std::string(kMmaSimTable) + "; recorded results of " + std::string(g.gpus)
          : kMmaSimTable;
  const Evidence e = small ? Evidence::model : g.evidence;
  // The recorded rows have more nonzero products than one block on Volta (K is one block) and, on
  // Hopper and Blackwell, for all formats except tf32; elsewhere they also agree with other blocks.
  const bool block_recorded = e == Evidence::hardware && formats.a->name != "tf32" &&
                              (g.block_bits == kWhole || formats.k * 16 == g.block_bits);
  const bool f16_to_f16 = !f32 && formats.a->name == "f16";
  const Evidence block = block_recorded ? Evidence::hardware : Evidence::model;
  std::vector<Provenance> all{
      {"algorithm", e, recorded},
      {"block", block,
       block_recorded ? recorded : std::string(kMmaSimTable) + "; FTTN table III (Ampere)"},
      {"fraction_bits", f16_to_f16 ? Evidence::model : e,
       f16_to_f16 && g.asked.empty()
           ? std::string(kMmaSimTable) + "; the recorded rows fit F - 1 and F + 1 too"
           : recorded},
      floor_source(g, formats, "floor"),
      floor_source(g, formats, "zero_terms"),
      {"round", e, recorded},
      {"kept_bits", e, recorded},
      {"align_round", e, recorded},
      {"c_joins", e, recorded},
      {"normalize_products", e, recorded},
      {"flush_inputs", Evidence::model, "Fasi et al. section III-A; MMA-Sim section IV-C"},
      {"product_overflow", Evidence::model, "MMA-Sim section VI-B"},
      {"underflow", Evidence::model, "Fasi et al. section III-A; MMA-Sim section IV-C"},
      {"overflow", Evidence::model,
       f32 ? "MMA-Sim section IV-C: infinity from 2^128 on"
           : "MMA-Sim section IV-C: infinity from 65520 on"}};
  if (!(*formats.c == *formats.d)) {
    all.push_back({"normalize_c", Evidence::open,
                   fmt::format("the machine code converts no c; {}. {} counts the leading bit's "
                               "exponent; no recorded result decides",
                               kMmaSimRelease, kMmaSimJanuary2026)});
  }
  return all;
}

std::vector<Provenance> sources(const Generation& g, const DotFormats& formats) {
  return as_asked(g.asked, published_sources(g, formats));
}

template <const Generation& kGeneration>
Algorithm make_fused(const DotFormats& formats, std::string_view variant) {
  return fused(kGeneration, formats, variant);
}

template <const Generation& kGeneration>
std::vector<Provenance> fused_sources(const DotFormats& formats, std::string_view variant) {
  std::vector<Provenance> all = sources(kGeneration, formats);
  if (variant.empty()) return all;
  const auto is_fp6 = [](const Format& f) { return f.storage_bits == 6; };
  std::string source = kKhattakMikaitisModels;
  if (variant == kMmaSim) source = kMmaSimRelease;
  if (variant == kMmaSim2025) {
    source = is_fp6(*formats.a) || is_fp6(*formats.b)
                 ? fmt::format("{}; {} has no FP6", kMmaSimTable, kMmaSimJanuary2026)
                 : kMmaSimJanuary2026;
  }
  for (Provenance& p : all) p = {p.parameter, Evidence::model, source};
  return all;
}

Algorithm make_turing_m8n8k4(const DotFormats& formats, std::string_view variant) {
  return fused(variant == kMmaSim2025 ? kTuringF16 : kTuringF16OfVolta, formats, variant);
}

std::vector<Provenance> turing_m8n8k4_sources(const DotFormats& formats, std::string_view variant) {
  if (variant == kMmaSim2025) return fused_sources<kTuringF16>(formats, variant);
  std::vector<Provenance> all = fused_sources<kTuringF16OfVolta>(formats, variant);
  if (!variant.empty()) return all;
  for (Provenance& p : all) {
    if (p.evidence == Evidence::open) continue;
    p = {p.parameter, Evidence::model,
         fmt::format("ptxas makes Volta's HMMA.884 of it: Volta's parameters; {}", kMmaSimRelease)};
  }
  return all;
}

template <const Generation& kGeneration>
std::vector<Departure> fused_departures(const DotFormats& formats, std::string_view variant) {
  const bool f16 = formats.d->name == "f16";
  // Products of f16 and FP8 neither underflow nor overflow in f32: next to a c of that size they
  // are cut to zero.
  if (variant != kKhattakMikaitis || (!f16 && formats.a->exponent_bits < 8)) return {};
  std::vector<Departure> all{{"a negative sum that rounds to zero is -0", "it is +0"},
                             {"a sum of " + std::string(f16 ? "2^17" : "2^129") +
                                  " or more stays a finite number, too large for d",
                              "it is infinite"}};
  if (formats.k > fused(kGeneration, formats, variant).block) {
    all.push_back({"a step of a chain that overflows is taken for 2^128 or more by the next",
                   "it is infinite, and stays so"});
  }
  if (f16) {
    all.push_back({"a subnormal c counts the exponent of its leading bit", "it counts -14"});
  }
  return all;
}

std::vector<Provenance> nvidia_fma_sources(const DotFormats&, std::string_view) {
  return {{"algorithm", Evidence::model, "MMA-Sim section IV-A"},
          {"round", Evidence::model, "MMA-Sim section IV-A; FTTN table III"},
          {"kept_bits", Evidence::model, "MMA-Sim section IV-A"},
          {"underflow", Evidence::model, "FTTN table III"},
          {"overflow", Evidence::model, "IEEE 754-2019 section 7.4"}};
}

/// Shapes that ptxas splits into several instructions.
std::vector<Provenance> split_fma_sources(const DotFormats& formats, std::string_view variant) {
  std::vector<Provenance> all = nvidia_fma_sources(formats, variant);
  all[0].source =
      "ptxas 13.0 makes DMMA.8x8x4 of it, one after the other in the order of k; " + all[0].source;
  return all;
}

template <const Generation& kGeneration>
Algorithm make_split(const DotFormats& formats, std::string_view variant) {
  SplitFp8 design{fused(kGeneration, formats, ""), variant != "cuda-12.6"};
  design.half.block = formats.k / 2;
  return design;
}

std::vector<Provenance> hopper_fma_sources(const DotFormats& formats, std::string_view variant) {
  return as_asked(variant.empty() ? kH100Rows : "", nvidia_fma_sources(formats, variant));
}

template <const Generation& kGeneration>
std::vector<Provenance> split_sources(const DotFormats& formats, std::string_view) {
  const std::string code = "machine code: docs/notes/fp8-mma-sync-on-hopper.md";
  std::vector<Provenance> all = sources(kGeneration, formats);
  for (Provenance& p : all) {
    if (p.parameter == "block") {
      p = {"halves", Evidence::hardware, code};
    } else if (p.parameter == "algorithm") {
      p = {p.parameter, Evidence::hardware,
           code + "; recorded results of " + std::string(kGeneration.gpus)};
    } else if (p.evidence == Evidence::model &&
               (p.parameter == "floor" || p.parameter == "zero_terms")) {
      p = {p.parameter, Evidence::open,
           "no published value for these formats; as of the f16 instructions that it is made of"};
    }
  }
  return all;
}

Algorithm make_fp4(const DotFormats& formats, std::string_view variant) {
  GroupDotFusedSum design{};
  design.result.format = formats.d;
  design.result.rounding = Rounding::toward_zero;
  if (variant == kMmaSim2025) design.zero_terms = ZeroTerms::operands_count;
  if (variant == kMmaSim) {
    design.exponent_floor = -139;
    design.cancelled_groups_count = true;
  }
  return design;
}

std::vector<Provenance> fp4_sources(const DotFormats&, std::string_view variant) {
  const std::string paper = "MMA-Sim section IV-E";
  const auto decided = [&](const std::string& key, Evidence evidence, const std::string& source) {
    if (variant == kMmaSim) return Provenance{key, Evidence::model, kMmaSimRelease};
    if (variant == kMmaSim2025) return Provenance{key, Evidence::model, kMmaSimJanuary2026};
    return Provenance{key, evidence, source};
  };
  return {{"algorithm", Evidence::model, paper},
          {"group", Evidence::model, paper},
          {"fraction_bits", Evidence::model, paper},
          decided("zero_terms", Evidence::model, kMmaSimRelease),
          decided("floor", Evidence::open,
                  fmt::format("no recorded result; {} says -139", kMmaSimRelease)),
          decided("cancelled_groups_count", Evidence::open,
                  fmt::format("no recorded result; {} says yes", kMmaSimRelease)),
          {"round", Evidence::model, paper},
          {"kept_bits", Evidence::model, paper},
          {"underflow", Evidence::model, paper},
          {"overflow", Evidence::model, paper}};
}

std::vector<Departure> fp4_departures(const DotFormats&, std::string_view variant) {
  if (variant != kMmaSim2025) return {};
  return {{"an infinite c ends the program with an error", "d is that infinity"}};
}

std::vector<std::string> nvidia_mma_sim(const DotFormats&) {
  return {std::string(kMmaSim), std::string(kMmaSim2025)};
}
// Defaults are taken from Khattak and Mikaitis's models. The variants keep the models' values if a
// default is corrected.
std::vector<std::string> published(const DotFormats& formats) {
  std::vector<std::string> all = nvidia_mma_sim(formats);
  if (khattak_mikaitis_have(formats)) all.emplace_back(kKhattakMikaitis);
  return all;
}
std::vector<std::string> cuda_12_6(const DotFormats&) { return {"cuda-12.6"}; }

/// A generation's fused dot-adds.
template <const Generation& kGeneration>
constexpr ParameterSet fused_set(std::string_view id,
                                 std::vector<std::string> (*variants)(const DotFormats&)) {
  return {id,   make_fused<kGeneration>,      fused_sources<kGeneration>, variants,
          true, fused_departures<kGeneration>};
}

}  // namespace

constinit const ParameterSet kVolta = fused_set<kVoltaF16>("volta", published);
constinit const ParameterSet kTuring = fused_set<kTuringF16>("turing", nvidia_mma_sim);
constinit const ParameterSet kTuringM8n8k4 = {"turing-m8n8k4", make_turing_m8n8k4,
                                              turing_m8n8k4_sources, nvidia_mma_sim};
constinit const ParameterSet kAmpere = fused_set<kAmpereF16>("ampere", published);
constinit const ParameterSet kAdaFp8 = fused_set<kAdaF8>("ada-fp8", published);
constinit const ParameterSet kHopper = fused_set<kHopperF16>("hopper", published);
constinit const ParameterSet kHopperFp8 = fused_set<kHopperF8>("hopper-fp8", published);
constinit const ParameterSet kBlackwell = fused_set<kBlackwellAll>("blackwell", published);
constinit const ParameterSet kHopperSplitFp8 = {"hopper-split-fp8", make_split<kHopperF16>,
                                                split_sources<kHopperF16>, no_variants};
// CUDA 12.4 to 12.6 support this shape, with f32 results, only for Hopper.
constinit const ParameterSet kHopperSplitFp8OfCuda126 = {
    "hopper-split-fp8-cuda-12.6", make_split<kHopperF16>, split_sources<kHopperF16>, cuda_12_6};
constinit const ParameterSet kBlackwellSplitFp8 = {"blackwell-split-fp8", make_split<kBlackwellAll>,
                                                   split_sources<kBlackwellAll>, no_variants};
constinit const ParameterSet kBlackwellFp4 = {"blackwell-fp4", make_fp4, fp4_sources,
                                              nvidia_mma_sim,  true,     fp4_departures};
constinit const ParameterSet kFmaF64 = {"fma-f64", make_fma, nvidia_fma_sources, nvidia_mma_sim,
                                        false};
constinit const ParameterSet kSplitFmaF64 = {"split-fma-f64", make_fma, split_fma_sources,
                                             no_variants, false};
constinit const ParameterSet kHopperFmaF64 = {"hopper-fma-f64", make_fma, hopper_fma_sources,
                                              nvidia_mma_sim, false};

}  // namespace mmaspec
