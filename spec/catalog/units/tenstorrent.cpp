// Tenstorrent: Wormhole and Blackhole.

#include "spec/catalog/parameter_sets.h"

namespace mmaspec {
namespace {

enum class Chip { wormhole, blackhole };

/// MVMUL over 16 products, once for each fidelity phase.
template <Chip kChip, int kPhases>
Algorithm make_mvmul(const DotFormats& formats, std::string_view) {
  PartialProductDotAdd design{};
  const bool wide = *formats.d == formats::f32;
  design.block = formats.k;
  design.phases = kPhases;
  design.fraction_bits = wide ? 23 : 10;
  design.minus_one_wraps = wide && kChip == Chip::wormhole;
  design.result = {formats.d, Rounding::nearest_away, Underflow::flush_tiny};
  return design;
}

template <Chip kChip, int kPhases>
std::vector<Provenance> mvmul_sources(const DotFormats& formats, std::string_view variant) {
  const std::string simulator =
      "the vendor's simulator ttsim (tenstorrent/ttsim 56694c8a), src/tensix.cpp, mvmul()";
  std::vector<Provenance> all =
      all_from(make_mvmul<kChip, kPhases>(formats, variant), Evidence::emulator, simulator);
  if (kChip == Chip::blackhole) return all;
  for (Provenance& p : all) {
    if (p.parameter == "minus_one_wraps") {
      p.source = simulator +
                 "; tenstorrent/tt-metal issue 38306 describes such results of the chip, without "
                 "the rule";
    } else if (p.parameter == "block" || p.parameter == "first_phase" || p.parameter == "phases" ||
               p.parameter == "a_bits" || p.parameter == "b_bits") {
      p.evidence = Evidence::documented;
      p.source =
          "tenstorrent/tt-isa-documentation (39304719), WormholeB0, MVMUL.md and ELWMUL.md; " +
          simulator;
    }
  }
  return all;
}

template <Chip kChip, int kPhases>
const ParameterSet kMvmul = {
    kChip == Chip::wormhole ? std::string_view("wormhole-mvmul") : "blackhole-mvmul",
    make_mvmul<kChip, kPhases>, mvmul_sources<kChip, kPhases>, no_variants, false};

template <Chip kChip, int kPhases>
void add_rows(std::string_view architecture, const std::vector<std::string_view>& mnemonics,
              std::vector<CatalogueRow>& rows) {
  for (const std::string_view m : mnemonics) {
    rows.push_back({architecture, m, &kMvmul<kChip, kPhases>});
  }
}

template <Chip kChip>
void add_chip(std::string_view architecture, std::vector<CatalogueRow>& rows) {
  add_rows<kChip, 1>(architecture,
                     {"mvmul.f32.bf16.bf16.lofi", "mvmul.f32.tf32.tf32.lofi",
                      "mvmul.f32.f16.f16.lofi", "mvmul.bf16.bf16.bf16.lofi"},
                     rows);
  add_rows<kChip, 2>(architecture,
                     {"mvmul.f32.bf16.bf16.hifi2", "mvmul.f32.tf32.tf32.hifi2",
                      "mvmul.f32.f16.f16.hifi2", "mvmul.bf16.bf16.bf16.hifi2"},
                     rows);
  add_rows<kChip, 3>(architecture,
                     {"mvmul.f32.bf16.bf16.hifi3", "mvmul.f32.tf32.tf32.hifi3",
                      "mvmul.f32.f16.f16.hifi3", "mvmul.bf16.bf16.bf16.hifi3"},
                     rows);
  add_rows<kChip, 4>(architecture,
                     {"mvmul.f32.bf16.bf16.hifi4", "mvmul.f32.tf32.tf32.hifi4",
                      "mvmul.f32.f16.f16.hifi4", "mvmul.bf16.bf16.bf16.hifi4"},
                     rows);
}

}  // namespace

const std::vector<CatalogueRow>& tenstorrent_rows() {
  static const std::vector<CatalogueRow> rows = [] {
    std::vector<CatalogueRow> all;
    add_chip<Chip::wormhole>("wormhole", all);
    add_chip<Chip::blackhole>("blackhole", all);
    return all;
  }();
  return rows;
}

}  // namespace mmaspec
