#pragma once
/// Parameter sets: each stands once, however many instructions share it.

#include <string>
#include <string_view>
#include <vector>

#include "spec/catalog/departures.h"
#include "spec/catalog/instruction.h"

namespace mmaspec {

/// Variants and their sources that several vendors' parameter sets name.
inline constexpr std::string_view kMmaSim = "mma-sim";
inline constexpr std::string_view kMmaSim2025 = "mma-sim-2025";
inline constexpr std::string_view kKhattakMikaitis = "khattak-mikaitis";
inline constexpr const char* kMmaSimRelease = "MMA-Sim 2.1.1 (arXiv 2511.10909v2)";
inline constexpr const char* kKhattakMikaitisModels =
    "Khattak and Mikaitis (ACM TACO, 10.1145/3830409), released models";

/// Makes an algorithm for an instruction's formats. `variant` is empty or a name of variants().
struct ParameterSet {
  std::string_view id;
  Algorithm (*make)(const DotFormats& formats, std::string_view variant);
  std::vector<Provenance> (*provenance)(const DotFormats& formats, std::string_view variant);
  /// The published models of instructions of these formats, by the variants' names.
  std::vector<std::string> (*variants)(const DotFormats& formats);
  bool canonical_nan = true;
  /// nullptr: the variants are their models.
  std::vector<Departure> (*departures)(const DotFormats& formats,
                                       std::string_view variant) = nullptr;
};

struct CatalogueRow {
  std::string_view architecture;
  std::string_view mnemonic;
  const ParameterSet* parameters;
};

/// Fused multiply-adds, one after the other, each rounded to nearest.
Algorithm make_fma(const DotFormats& formats, std::string_view variant);

/// The variants of what all sources agree on.
std::vector<std::string> no_variants(const DotFormats& formats);

/// One source for the algorithm and all its parameters.
std::vector<Provenance> all_from(const Algorithm& algorithm, Evidence evidence,
                                 const std::string& source);

/// The rows of each vendor or kind of unit, in the order of the catalogue.
const std::vector<CatalogueRow>& nvidia_rows();
const std::vector<CatalogueRow>& amd_rows();
const std::vector<CatalogueRow>& cdna5_rows();
const std::vector<CatalogueRow>& rdna_rows();
const std::vector<CatalogueRow>& cpu_rows();
/// x86 ACE's TOP4MXBSSPS, of integers that are multiples of 2^-6 as OCP's MXINT8, which the
/// catalogue does not list because no `design:` describes it. nullopt: it is another mnemonic.
std::optional<Instruction> ace_integers(const std::string& mnemonic);
const std::vector<CatalogueRow>& ime_rows();
const std::vector<CatalogueRow>& integer_rows();
const std::vector<CatalogueRow>& tenstorrent_rows();

}  // namespace mmaspec
