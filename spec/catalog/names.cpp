#include "spec/catalog/names.h"

#include <algorithm>
#include <stdexcept>

#include "spec/catalog/instruction.h"

namespace mmaspec {
namespace {

[[noreturn]] void unknown_architecture(std::string_view given) {
  std::vector<std::string> known = architectures();
  std::string all;
  for (const std::string& a : known) all += (all.empty() ? "" : ", ") + a;
  for (const auto& [product, architecture] : products()) known.push_back(product);
  const std::string near = nearest(given, known);
  throw std::invalid_argument("unknown architecture '" + std::string(given.substr(0, 60)) + "'" +
                              (near.empty() ? "" : "; did you mean '" + near + "'?") +
                              " (architectures: " + all + ", or their products)");
}

}  // namespace

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

const std::vector<std::string>& architectures() {
  static const std::vector<std::string> all = {
      "volta", "turing", "ampere", "ada",   "hopper", "blackwell", "rtx-blackwell", "cdna1",
      "cdna2", "cdna3",  "rdna3",  "rdna4", "x86",    "arm",       "power10",       "riscv"};
  return all;
}

// Only names that the vendors' own tables give to these chips:
// https://developer.nvidia.com/cuda-gpus (products by compute capability, sm_XY),
// https://docs.nvidia.com/datacenter/tesla/mig-user-guide/supported-gpus.html (GH200, H20, GB200),
// https://rocm.docs.amd.com/en/latest/reference/gpu-specs.html (products by LLVM target, gfxNNN).
const std::vector<std::pair<std::string, std::string>>& products() {
  static const std::vector<std::pair<std::string, std::string>> all = [] {
    std::vector<std::pair<std::string, std::string>> pairs;
    const auto add = [&pairs](const char* architecture, std::initializer_list<const char*> names) {
      for (const char* name : names) pairs.emplace_back(name, architecture);
    };
    add("volta", {"v100", "sm_70"});
    add("turing", {"t4", "rtx2060", "rtx2070", "rtx2080", "sm_75"});
    add("ampere", {"a100", "a30", "sm_80"});
    add("ampere", {"a2", "a10", "a16", "a40", "rtx3060", "rtx3070", "rtx3080", "rtx3090", "sm_86"});
    add("ada", {"l4", "l40", "l40s", "rtx4060", "rtx4070", "rtx4080", "rtx4090", "sm_89"});
    add("hopper", {"h100", "h200", "gh200", "h20", "sm_90", "sm_90a"});
    add("blackwell", {"b200", "gb200", "sm_100", "sm_100a"});
    add("rtx-blackwell", {"rtx5060", "rtx5070", "rtx5080", "rtx5090", "sm_120", "sm_120a"});
    add("cdna1", {"mi100", "gfx908"});
    add("cdna2", {"mi210", "mi250", "mi250x", "gfx90a"});
    add("cdna3", {"mi300a", "mi300x", "mi325x", "gfx942"});
    add("rdna3", {"w7900", "gfx1100"});
    add("rdna4", {"r9700", "gfx1201"});
    return pairs;
  }();
  return all;
}

std::optional<std::string> architecture_named(std::string_view given) {
  const std::string lower = lower_case(given);
  for (const auto& [product, architecture] : products()) {
    if (product == lower) return architecture;
  }
  const auto& known = architectures();
  if (std::find(known.begin(), known.end(), lower) == known.end()) return std::nullopt;
  return lower;
}

std::string find_architecture(std::string_view given) {
  const std::optional<std::string> architecture = architecture_named(given);
  if (!architecture) unknown_architecture(given);
  return *architecture;
}

}  // namespace mmaspec
