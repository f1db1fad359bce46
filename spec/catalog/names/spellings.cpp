// Other names of instructions.

#include "spec/catalog/names/spellings.h"

#include <algorithm>
#include <regex>
#include <set>
#include <string_view>
#include <vector>

namespace mmaspec {
namespace {

std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find('.', start), text.size());
    parts.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return parts;
}

std::string joined_by_points(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ".") + part;
  return text;
}

bool contains(const std::vector<std::string>& parts, std::string_view part) {
  return std::find(parts.begin(), parts.end(), part) != parts.end();
}

}  // namespace

Spelling without_qualifiers(const std::string& mnemonic) {
  static const std::set<std::string> same{"sync", "aligned", "row", "col"};
  constexpr std::string_view kKind = "kind::";
  Spelling spelling;
  std::vector<std::string> kept;
  for (const std::string& part : parts_of(mnemonic)) {
    if (part.size() > kKind.size() && part.starts_with(kKind) && spelling.kind.empty()) {
      spelling.kind = part.substr(kKind.size());
    } else if (kept.empty() || !same.contains(part)) {
      kept.push_back(part);
    }
  }
  spelling.mnemonic = joined_by_points(kept);
  return spelling;
}

std::string kinds_of(const std::string& architecture, const std::string& mnemonic) {
  const std::vector<std::string> parts = parts_of(mnemonic);
  const bool tcgen05 = parts[0] == "tcgen05";
  if (!tcgen05 && parts[0] != "mma") return "";
  const auto ends_k = [&](const std::string& k) {
    return std::any_of(parts.begin(), parts.end(), [&](const std::string& part) {
      return part.starts_with('m') && part.ends_with("k" + k);
    });
  };
  if (contains(parts, "block_scale")) {
    if (ends_k("32")) return "mxf8f6f4";
    return contains(parts, "block32") ? "mxf4|mxf4nvf4" : "mxf4nvf4";
  }
  const bool is_small = std::any_of(parts.begin(), parts.end(), [](const std::string& part) {
    return part == "e4m3" || part == "e5m2" || part == "e3m2" || part == "e2m3" || part == "e2m1";
  });
  if (tcgen05) {
    if (contains(parts, "s32")) return "i8";
    if (contains(parts, "tf32")) return "tf32";
    return is_small ? "f8f6f4" : "f16";
  }
  return architecture == "rtx-blackwell" && is_small && ends_k("32") ? "f8f6f4" : "";
}

// From machine code of ptxas 13.0 for sm_75 to sm_120; for Volta from Z. Jia et al., Dissecting the
// NVIDIA Volta GPU architecture via microbenchmarking (arXiv 1804.06826), section 4.3.
std::optional<WmmaExpansion> wmma_expansion(const std::string& architecture,
                                            const std::string& mnemonic) {
  static const std::regex spelling(
      "(?:wmma\\.)?(?:mma\\.)?(m16n16k16|m32n8k16|m8n32k16|m16n16k8|m8n8k4)\\.([a-z0-9.]+)");
  static const std::set<std::string> all{"volta",  "turing",    "ampere",       "ada",
                                         "hopper", "blackwell", "rtx-blackwell"};
  std::smatch match;
  if (!all.contains(architecture) || !std::regex_match(mnemonic, match, spelling)) {
    return std::nullopt;
  }
  const std::string shape = match[1];
  // m8n8k4 without a prefix is also the shape of an instruction.
  if (shape == "m8n8k4" && !mnemonic.starts_with("wmma.")) return std::nullopt;
  std::vector<std::string> types = parts_of(match[2]);
  if (types.size() == 2) types = {types[0], "f16", "f16", types[1]};
  if (types.size() != 4) return std::nullopt;
  const std::string tail = "." + joined_by_points(types);
  const bool before_ampere = architecture == "volta" || architecture == "turing";
  if (tail == ".f32.f16.f16.f32" || tail == ".f16.f16.f16.f16") {
    if (!shape.ends_with("k16")) return std::nullopt;
    if (architecture == "volta") return WmmaExpansion{"mma.m8n8k4" + tail, 16, 4};
    if (architecture == "turing") return WmmaExpansion{"mma.m16n8k8" + tail, 16, 8};
    return WmmaExpansion{"mma.m16n8k16" + tail, 16, 16};
  }
  if (before_ampere) return std::nullopt;
  if (tail == ".f32.bf16.bf16.f32" && shape.ends_with("k16")) {
    return WmmaExpansion{"mma.m16n8k16" + tail, 16, 16};
  }
  if (tail == ".f32.tf32.tf32.f32" && shape == "m16n16k8") {
    return WmmaExpansion{"mma.m16n8k4" + tail, 8, 4};
  }
  if (tail == ".f64.f64.f64.f64" && shape == "m8n8k4") {
    return WmmaExpansion{"mma.m8n8k4" + tail, 4, 4};
  }
  return std::nullopt;
}

std::optional<SparseName> sparse_name(const std::string& architecture,
                                      const std::string& mnemonic) {
  struct Family {
    std::regex spelling;  // the parts before K, K, and the part after it
    std::string sparse, dense;
    std::set<std::string> architectures;
  };
  static const std::vector<Family> families = {
      {std::regex("mma\\.sp(?:::ordered_metadata)?\\.(m16n8k)([0-9]{1,3})(\\..*)"),
       "mma.sp.",
       "mma.",
       {"ampere", "ada", "hopper", "blackwell", "rtx-blackwell"}},
      {std::regex("wgmma(?:\\.mma_async)?\\.sp\\.(m64n[0-9]+k)([0-9]{1,3})(\\..*)"),
       "wgmma.sp.",
       "wgmma.",
       {"hopper"}},
      {std::regex("tcgen05\\.mma\\.sp\\.(m[0-9]+n[0-9]+k)([0-9]{1,3})(\\..*)"),
       "tcgen05.mma.sp.",
       "tcgen05.mma.",
       {"blackwell"}},
      {std::regex(
           "v_smfmac_((?:f32|i32)_[0-9]+x[0-9]+x)([0-9]{1,3})(_(?:f16|bf16|i8|[bf][fp]8_.*))"),
       "v_smfmac_",
       "v_mfma_",
       {"cdna3", "cdna4"}},
      {std::regex("v_swmmac_([a-z0-9]+_16x16x)([0-9]{1,3})(_.*)"),
       "v_swmmac_",
       "v_wmma_",
       {"rdna4"}},
      // Not of bf16 results, which AMD's emulator rounds, but cuts in the dense instruction.
      {std::regex("v_swmmac_((?:f32|f16|i32)_16x16x)([0-9]{1,3})(_.*)"),
       "v_swmmac_",
       "v_wmma_",
       {"cdna5"}}};
  // Dense instructions of the 24 sparse ones that were recorded on an H100.
  static const std::set<std::string> recorded = {
      "mma.m16n8k16.f32.f16.f16.f32",   "mma.m16n8k16.f16.f16.f16.f16",
      "mma.m16n8k8.f32.f16.f16.f32",    "mma.m16n8k16.f32.bf16.bf16.f32",
      "mma.m16n8k8.f32.bf16.bf16.f32",  "mma.m16n8k8.f32.tf32.tf32.f32",
      "mma.m16n8k4.f32.tf32.tf32.f32",  "mma.m16n8k32.f32.e4m3.e4m3.f32",
      "mma.m16n8k32.f32.e5m2.e5m2.f32", "mma.m16n8k32.f32.e4m3.e5m2.f32",
      "mma.m16n8k32.s32.s8.s8.s32",     "mma.m16n8k32.satfinite.s32.s8.s8.s32",
      "mma.m16n8k16.s32.s8.s8.s32",     "wgmma.m64n8k16.f32.f16.f16",
      "wgmma.m64n8k16.f16.f16.f16",     "wgmma.m64n8k16.f32.bf16.bf16",
      "wgmma.m64n8k8.f32.tf32.tf32",    "wgmma.m64n8k32.f32.e4m3.e4m3",
      "wgmma.m64n8k32.f32.e5m2.e5m2",   "wgmma.m64n8k32.f32.e4m3.e5m2",
      "wgmma.m64n8k32.f32.e5m2.e4m3",   "wgmma.m64n8k32.f16.e4m3.e4m3",
      "wgmma.m64n8k32.s32.s8.s8",       "wgmma.m64n8k32.satfinite.s32.s8.s8"};
  for (const Family& family : families) {
    std::smatch match;
    if (!family.architectures.contains(architecture) ||
        !std::regex_match(mnemonic, match, family.spelling)) {
      continue;
    }
    const int k = std::stoi(match[2]);
    if (k % 2 != 0 || match[3] == ".f64.f64.f64.f64") return std::nullopt;
    const auto name = [&](const std::string& before, int of) {
      return before + match[1].str() + std::to_string(of) + match[3].str();
    };
    const std::string dense = name(family.dense, k / 2);
    static const std::regex columns("m64n[0-9]+k");
    return SparseName{name(family.sparse, k), dense,
                      architecture == "hopper" &&
                          recorded.contains(std::regex_replace(dense, columns, "m64n8k"))};
  }
  return std::nullopt;
}

}  // namespace mmaspec
