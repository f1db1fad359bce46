// AMD matrix cores: parameter sets, and the instructions that share them.

#include <algorithm>
#include <deque>
#include <set>

#include "spec/algorithms/exact_dot_add.h"
#include "spec/algorithms/group_pairwise_sum.h"
#include "spec/algorithms/round_down_dot_add.h"
#include "spec/algorithms/vector/sequential_fma.h"
#include "spec/catalog/parameter_sets.h"

namespace mmaspec {
namespace {

constexpr std::string_view kRocjitsu = "rocjitsu";

constexpr const char* kMmaSimFirstRelease = "MMA-Sim (arXiv 2511.10909v1), code of January 2026";

/// Products in a group of CDNA1 and CDNA2: 4, but 2 for the first bf16 instructions, those without
/// the suffix _1k.
int pairwise_group(const DotFormats& formats, bool first_bf16) {
  return formats.a->name == "bf16" && first_bf16 ? 2 : 4;
}

std::vector<Provenance> fma_sources(const DotFormats& formats, std::string_view variant) {
  return all_from(make_fma(formats, variant), Evidence::model,
                  "MMA-Sim section IV-A, table IV; FTTN table III");
}

template <bool kFirstBf16>
Algorithm make_cdna1(const DotFormats& formats, std::string_view variant) {
  const int group = pairwise_group(formats, kFirstBf16);
  const ResultFormat result{formats.d, Rounding::nearest_even};
  if (variant == kMmaSim2025) return GroupPairwiseSum{group, false, result};
  return ExactDotAdd{group, result};
}

std::vector<Provenance> cdna1_sources(const DotFormats& formats, std::string_view variant) {
  const auto from = [&](const std::string& source) {
    return all_from(make_cdna1<true>(formats, variant), Evidence::model, source);
  };
  if (variant == kKhattakMikaitis) return from(kKhattakMikaitisModels);
  if (variant == kMmaSim) return from(kMmaSimRelease);
  if (variant == kMmaSim2025) return from(kMmaSimFirstRelease);
  return from(std::string(kMmaSimRelease) + "; " + kKhattakMikaitisModels +
              "; FTTN section V (255.875 on MI100, order of summation not controllable): "
              "docs/fttn.md");
}

template <bool kFirstBf16>
Algorithm make_cdna2(const DotFormats& formats, std::string_view variant) {
  return GroupPairwiseSum{pairwise_group(formats, kFirstBf16),
                          true,
                          {formats.d, Rounding::nearest_even, Underflow::flush},
                          variant == kMmaSim};
}

std::vector<Provenance> cdna2_sources(const DotFormats& formats, std::string_view variant) {
  const Algorithm design = make_cdna2<true>(formats, variant);
  if (variant == kMmaSim) return all_from(design, Evidence::model, kMmaSimRelease);
  if (variant == kMmaSim2025) return all_from(design, Evidence::model, kMmaSimFirstRelease);
  std::vector<Provenance> all =
      all_from(design, Evidence::model,
               "MMA-Sim section IV-B and both releases (which flush c = -0 to +0, too); PyTorch's "
               "note on numerical accuracy (flushing)");
  for (Provenance& p : all) {
    if (p.parameter != "minus_zero_products") continue;
    p.evidence = Evidence::open;
    p.source = "MMA-Sim's code of January 2026; its release 2.1.1 keeps a product's -0";
  }
  return all;
}

/// Common parameters of CDNA3's formats narrower than f32. The sum is normalized before it is cut
/// to 31 bits; the two older models cut only the sum of the products.
RoundDownDotAdd round_down(const DotFormats& formats, std::string_view variant) {
  RoundDownDotAdd design{};
  design.result = {formats.d, Rounding::nearest_even};
  if (variant == kMmaSim2025) return design;
  design.zero_terms = ZeroTerms::left_out;
  if (variant == kKhattakMikaitis) return design;
  design.sum_fraction_bits = 32;
  design.normalized_bits = 31;
  design.overflow_joins = true;
  return design;
}

/// CDNA3's f16, bf16 and xf32: the 16x16 shapes chain two steps of half their K.
template <bool kChained>
Algorithm make_cdna3_half(const DotFormats& formats, std::string_view variant) {
  if (variant == kRocjitsu) return make_fma(formats, variant);
  RoundDownDotAdd design = round_down(formats, variant);
  design.block = kChained ? formats.k / 2 : formats.k;
  return design;
}

/// CDNA3's FP8: even and odd k are added separately, in steps of 16 products.
Algorithm make_cdna3_fp8(const DotFormats& formats, std::string_view variant) {
  if (variant == kRocjitsu) return make_fma(formats, variant);
  RoundDownDotAdd design = round_down(formats, variant);
  design.block = 16;
  design.groups = 2;
  design.c_reach = 25;
  return design;
}

std::vector<Provenance> rocjitsu_sources(const DotFormats& formats) {
  return all_from(make_fma(formats, kRocjitsu), Evidence::emulator,
                  "rocjitsu (ROCm/rocm-systems, emulation/rocjitsu), a chain of FMAs: issue 10344, "
                  "pull request 10336");
}

std::vector<Provenance> cdna3_sources(const DotFormats& formats, std::string_view variant) {
  if (variant == kRocjitsu) return rocjitsu_sources(formats);
  const auto from = [&](const std::string& source) {
    return all_from(make_cdna3_half<false>(formats, variant), Evidence::model, source);
  };
  if (variant == kKhattakMikaitis) {
    return from(
        "Khattak and Mikaitis, MI300XMC of June 2026, which leaves zero terms out; the rest as "
        "MMA-Sim's of January 2026, not compared bit for bit");
  }
  if (variant == kMmaSim) return from(kMmaSimRelease);
  if (variant == kMmaSim2025) return from(kMmaSimFirstRelease);
  return from(std::string(kMmaSimRelease) +
              "; a gfx942's results of FP8 have the same last rounding (tests/data/hardware)");
}

std::vector<Provenance> cdna3_fp8_sources(const DotFormats& formats, std::string_view variant) {
  if (variant == kRocjitsu) return rocjitsu_sources(formats);
  const Algorithm design = make_cdna3_fp8(formats, variant);
  if (variant == kMmaSim) return all_from(design, Evidence::model, kMmaSimRelease);
  if (variant == kMmaSim2025) return all_from(design, Evidence::model, kMmaSimFirstRelease);
  std::vector<Provenance> all =
      all_from(design, Evidence::model,
               std::string(kMmaSimRelease) + "; a gfx942's results of v_mfma_f32_16x16x32_fp8_fp8");
  // The instruction whose results are published, and the parameters whose values they determine.
  const bool printed = formats.a->name == "e4m3fnuz" && *formats.a == *formats.b && formats.k == 32;
  static const std::set<std::string_view> decided{
      "algorithm", "block",   "groups", "product_bits", "sum_round",      "c_bits",
      "c_round",   "c_reach", "round",  "kept_bits",    "normalized_bits"};
  for (Provenance& p : all) {
    if (printed && decided.contains(p.parameter)) {
      p = {p.parameter, Evidence::hardware,
           "a gfx942's results (tests/data/hardware/cdna3-probe.jsonl.gz)"};
    }
  }
  return all;
}

/// torch.frexp returns the exponent 0 for infinities and NaNs.
std::vector<Departure> cdna3_fp8_departures(const DotFormats&, std::string_view variant) {
  if (variant != kMmaSim) return {};
  return {
      {"an infinite or NaN c, or result of a first step, is dropped next to products that count "
       "2^25 "
       "or more",
       "it decides the result, as next to smaller products"}};
}

std::vector<Departure> cdna1_departures(const DotFormats& formats, std::string_view variant) {
  // Products of f16 are too small for a sum to overflow.
  if (variant != kKhattakMikaitis || formats.a->name != "bf16") return {};
  std::vector<Departure> all{
      {"a sum of 2^129 or more stays a finite number, too large for d", "it is infinite"}};
  if (formats.k > pairwise_group(formats, true)) {
    all.push_back({"a step of a chain that overflows is taken for 2^127 or more by the next",
                   "it is infinite, and stays so"});
  }
  return all;
}

/// CDNA4 according to its emulator: a chain of fused multiply-adds. The variant uses CDNA3's
/// algorithm for CDNA4's shapes: steps of at most 8 products, or 16 with FP8.
constexpr std::string_view kAsCdna3 = "cdna3";

/// Does CDNA3 have instructions with these operands and this number of products?
bool has_cdna3_counterpart(const DotFormats& formats) {
  return formats.k <= 32 && formats.a->storage_bits <= 16;
}

Algorithm make_cdna4(const DotFormats& formats, std::string_view variant) {
  if (variant != kAsCdna3) return make_fma(formats, variant);
  if (formats.a->storage_bits == 8) return make_cdna3_fp8(formats, "");
  RoundDownDotAdd design = round_down(formats, "");
  design.block = std::min(formats.k, 8);
  return design;
}

std::vector<Provenance> cdna4_sources(const DotFormats& formats, std::string_view variant) {
  if (variant != kAsCdna3) {
    const std::string functions =
        formats.scale == nullptr
            ? "Functions exec_f32_mixed() and exec_f64(): a chain of FMAs"
            : "Function exec_f32_scaled_impl(): each block is a chain of FMAs from +0, whose sum "
              "is scaled "
              "by "
              "ldexp() and added. Function read_mfma_scale_e8m0(): a scale factor is a byte of a "
              "vector "
              "register (bits 30 to 23 of a constant: llvm/llvm-project pull request 158117)";
    return all_from(make_cdna4(formats, variant), Evidence::emulator,
                    "rocjitsu (ROCm/rocm-systems, emulation/rocjitsu), mma_exec.h. " + functions +
                        ". No result of a GPU confirms it (issue 10344)");
  }
  return all_from(make_cdna4(formats, variant), Evidence::open,
                  "no source for CDNA4: CDNA3's algorithm (MMA-Sim 2.1.1), in case CDNA4 kept it");
}

std::vector<std::string> cdna4_models(const DotFormats& formats) {
  if (!has_cdna3_counterpart(formats)) return {};
  return {std::string(kAsCdna3)};
}

/// Both releases of MMA-Sim, and these.
std::vector<std::string> mma_sim_and(std::initializer_list<std::string_view> others) {
  std::vector<std::string> all{std::string(kMmaSim), std::string(kMmaSim2025)};
  all.insert(all.end(), others.begin(), others.end());
  return all;
}
std::vector<std::string> mma_sim(const DotFormats&) { return mma_sim_and({}); }
std::vector<std::string> two_models(const DotFormats&) { return mma_sim_and({kKhattakMikaitis}); }
std::vector<std::string> cdna3_models(const DotFormats&) {
  return mma_sim_and({kKhattakMikaitis, kRocjitsu});
}
std::vector<std::string> cdna3_fp8_models(const DotFormats&) { return mma_sim_and({kRocjitsu}); }

const ParameterSet kFma = {"fma", make_fma, fma_sources, mma_sim, false};
const ParameterSet kCdna1 = {"cdna1", make_cdna1<true>, cdna1_sources, two_models,
                             false,   cdna1_departures};
const ParameterSet kCdna2 = {"cdna2", make_cdna2<true>, cdna2_sources, mma_sim, false};
const ParameterSet kCdna2Wide = {"cdna2-1k", make_cdna2<false>, cdna2_sources, mma_sim, false};
const ParameterSet kCdna3Half = {"cdna3", make_cdna3_half<false>, cdna3_sources, cdna3_models,
                                 false};
const ParameterSet kCdna3Chained = {"cdna3-chained", make_cdna3_half<true>, cdna3_sources,
                                    cdna3_models, false};
const ParameterSet kCdna3Fp8 = {"cdna3-fp8",      make_cdna3_fp8, cdna3_fp8_sources,
                                cdna3_fp8_models, false,          cdna3_fp8_departures};
const ParameterSet kCdna4 = {"cdna4", make_cdna4, cdna4_sources, cdna4_models, false};

const std::vector<CatalogueRow>& rows_before_cdna4() {
  static const std::vector<CatalogueRow> rows = {
      {"cdna1", "v_mfma_f32_32x32x2f32", &kFma},
      {"cdna1", "v_mfma_f32_32x32x1f32", &kFma},
      {"cdna1", "v_mfma_f32_16x16x4f32", &kFma},
      {"cdna1", "v_mfma_f32_16x16x1f32", &kFma},
      {"cdna1", "v_mfma_f32_4x4x1f32", &kFma},
      {"cdna1", "v_mfma_f32_32x32x8f16", &kCdna1},
      {"cdna1", "v_mfma_f32_32x32x4f16", &kCdna1},
      {"cdna1", "v_mfma_f32_16x16x16f16", &kCdna1},
      {"cdna1", "v_mfma_f32_16x16x4f16", &kCdna1},
      {"cdna1", "v_mfma_f32_4x4x4f16", &kCdna1},
      {"cdna1", "v_mfma_f32_32x32x4bf16", &kCdna1},
      {"cdna1", "v_mfma_f32_32x32x2bf16", &kCdna1},
      {"cdna1", "v_mfma_f32_16x16x8bf16", &kCdna1},
      {"cdna1", "v_mfma_f32_16x16x2bf16", &kCdna1},
      {"cdna1", "v_mfma_f32_4x4x2bf16", &kCdna1},
      {"cdna2", "v_mfma_f64_16x16x4f64", &kFma},
      {"cdna2", "v_mfma_f64_4x4x4f64", &kFma},
      {"cdna2", "v_mfma_f32_32x32x8bf16_1k", &kCdna2Wide},
      {"cdna2", "v_mfma_f32_32x32x4bf16_1k", &kCdna2Wide},
      {"cdna2", "v_mfma_f32_16x16x16bf16_1k", &kCdna2Wide},
      {"cdna2", "v_mfma_f32_16x16x4bf16_1k", &kCdna2Wide},
      {"cdna2", "v_mfma_f32_4x4x4bf16_1k", &kCdna2Wide},
      {"cdna2", "v_mfma_f32_32x32x2f32", &kFma},
      {"cdna2", "v_mfma_f32_32x32x1f32", &kFma},
      {"cdna2", "v_mfma_f32_16x16x4f32", &kFma},
      {"cdna2", "v_mfma_f32_16x16x1f32", &kFma},
      {"cdna2", "v_mfma_f32_4x4x1f32", &kFma},
      {"cdna2", "v_mfma_f32_32x32x8f16", &kCdna2},
      {"cdna2", "v_mfma_f32_32x32x4f16", &kCdna2},
      {"cdna2", "v_mfma_f32_16x16x16f16", &kCdna2},
      {"cdna2", "v_mfma_f32_16x16x4f16", &kCdna2},
      {"cdna2", "v_mfma_f32_4x4x4f16", &kCdna2},
      {"cdna2", "v_mfma_f32_32x32x4bf16", &kCdna2},
      {"cdna2", "v_mfma_f32_32x32x2bf16", &kCdna2},
      {"cdna2", "v_mfma_f32_16x16x8bf16", &kCdna2},
      {"cdna2", "v_mfma_f32_16x16x2bf16", &kCdna2},
      {"cdna2", "v_mfma_f32_4x4x2bf16", &kCdna2},
      {"cdna3", "v_mfma_f64_16x16x4_f64", &kFma},
      {"cdna3", "v_mfma_f64_4x4x4_4b_f64", &kFma},
      {"cdna3", "v_mfma_f32_32x32x1_2b_f32", &kFma},
      {"cdna3", "v_mfma_f32_16x16x1_4b_f32", &kFma},
      {"cdna3", "v_mfma_f32_4x4x1_16b_f32", &kFma},
      {"cdna3", "v_mfma_f32_32x32x2_f32", &kFma},
      {"cdna3", "v_mfma_f32_16x16x4_f32", &kFma},
      {"cdna3", "v_mfma_f32_16x16x8_xf32", &kCdna3Chained},
      {"cdna3", "v_mfma_f32_32x32x4_xf32", &kCdna3Half},
      {"cdna3", "v_mfma_f32_32x32x4_2b_f16", &kCdna3Half},
      {"cdna3", "v_mfma_f32_16x16x4_4b_f16", &kCdna3Half},
      {"cdna3", "v_mfma_f32_4x4x4_16b_f16", &kCdna3Half},
      {"cdna3", "v_mfma_f32_32x32x8_f16", &kCdna3Half},
      {"cdna3", "v_mfma_f32_16x16x16_f16", &kCdna3Chained},
      {"cdna3", "v_mfma_f32_32x32x4_2b_bf16", &kCdna3Half},
      {"cdna3", "v_mfma_f32_16x16x4_4b_bf16", &kCdna3Half},
      {"cdna3", "v_mfma_f32_4x4x4_16b_bf16", &kCdna3Half},
      {"cdna3", "v_mfma_f32_32x32x8_bf16", &kCdna3Half},
      {"cdna3", "v_mfma_f32_16x16x16_bf16", &kCdna3Chained},
      {"cdna3", "v_mfma_f32_16x16x32_bf8_bf8", &kCdna3Fp8},
      {"cdna3", "v_mfma_f32_16x16x32_bf8_fp8", &kCdna3Fp8},
      {"cdna3", "v_mfma_f32_16x16x32_fp8_bf8", &kCdna3Fp8},
      {"cdna3", "v_mfma_f32_16x16x32_fp8_fp8", &kCdna3Fp8},
      {"cdna3", "v_mfma_f32_32x32x16_bf8_bf8", &kCdna3Fp8},
      {"cdna3", "v_mfma_f32_32x32x16_bf8_fp8", &kCdna3Fp8},
      {"cdna3", "v_mfma_f32_32x32x16_fp8_bf8", &kCdna3Fp8},
      {"cdna3", "v_mfma_f32_32x32x16_fp8_fp8", &kCdna3Fp8},
  };
  return rows;
}

/// CDNA4's rows, which own their mnemonics.
class Cdna4Rows {
 public:
  Cdna4Rows() {
    for (const char* shape :
         {"f64_16x16x4_f64", "f64_4x4x4_4b_f64", "f32_32x32x1_2b_f32", "f32_16x16x1_4b_f32",
          "f32_4x4x1_16b_f32", "f32_32x32x2_f32", "f32_16x16x4_f32"}) {
      add(shape);
    }
    for (const char* type : {"f16", "bf16"}) {
      for (const char* shape : {"32x32x4_2b", "16x16x4_4b", "4x4x4_16b", "32x32x8", "16x16x16",
                                "32x32x16", "16x16x32"}) {
        add(std::string("f32_") + shape + "_" + type);
      }
    }
    for (const char* shape : {"16x16x32", "32x32x16"}) {
      for (const char* a : {"bf8", "fp8"}) {
        for (const char* b : {"bf8", "fp8"}) add(std::string("f32_") + shape + "_" + a + "_" + b);
      }
    }
    // Any two of five formats: find_instruction() accepts all pairs; the catalogue has only these.
    for (const char* shape : {"16x16x128", "32x32x64"}) {
      for (const char* pair : {"e4m3.e4m3", "e2m1.e2m1"}) {
        add(std::string("f32_") + shape + "_f8f6f4." + pair);
        add(std::string("scale_f32_") + shape + "_f8f6f4." + pair);
      }
    }
  }

  std::vector<CatalogueRow> all;

 private:
  void add(const std::string& after) {
    mnemonics_.push_back("v_mfma_" + after);
    all.push_back({"cdna4", mnemonics_.back(), &kCdna4});
  }

  std::deque<std::string> mnemonics_;
};

}  // namespace

const std::vector<CatalogueRow>& amd_rows() {
  static const Cdna4Rows cdna4;
  static const std::vector<CatalogueRow> rows = [] {
    std::vector<CatalogueRow> all = rows_before_cdna4();
    all.insert(all.end(), cdna4.all.begin(), cdna4.all.end());
    return all;
  }();
  return rows;
}

}  // namespace mmaspec
