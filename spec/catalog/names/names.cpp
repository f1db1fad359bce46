#include "spec/catalog/names/names.h"

#include <algorithm>
#include <stdexcept>

#include "spec/catalog/names/uncovered.h"

namespace mmaspec {
namespace {

/// Without `_`, `-` and spaces, in small letters: RTX 4090, rtx-4090 and sm_90 are rtx4090 and
/// sm90.
std::string plain(std::string_view name) {
  std::string all;
  for (const char c : lower_case(name)) {
    if (c != '_' && c != '-' && c != ' ') all += c;
  }
  return all;
}

[[noreturn]] void unknown_architecture(std::string_view given) {
  if (const auto says = known_but_not_covered(given)) {
    throw std::invalid_argument("'" + std::string(given) + "' is not in the catalogue: " + *says);
  }
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

const std::vector<std::string>& architectures() {
  static const std::vector<std::string> all = {
      "volta", "turing",  "ampere", "ada",   "hopper",   "blackwell", "rtx-blackwell", "cdna1",
      "cdna2", "cdna3",   "cdna4",  "cdna5", "rdna3",    "rdna3.5",   "rdna4",         "x86",
      "arm",   "power10", "riscv",  "apple", "wormhole", "blackhole"};
  return all;
}

// Only names that the vendors' own tables give to these chips:
// https://developer.nvidia.com/cuda-gpus (products by compute capability, sm_XY),
// https://docs.nvidia.com/datacenter/tesla/mig-user-guide/supported-gpus.html (GH200, H20, GB200),
// https://rocm.docs.amd.com/en/latest/reference/gpu-specs.html (products by LLVM target, gfxNNN),
// https://docs.tenstorrent.com/aibs (cards by chip). Apple's are those that corsix/amx was run on.
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
    add("cdna4", {"mi350x", "mi355x", "gfx950"});
    add("cdna5", {"mi450", "mi455x", "gfx1250", "gfx1251"});
    add("rdna3", {"w7900", "gfx1100"});
    add("rdna3.5", {"radeon8060s", "strixhalo", "gfx1150", "gfx1151"});
    add("rdna4", {"r9700", "gfx1201"});
    add("apple", {"m1", "m2", "m3", "m4"});
    add("wormhole", {"n150", "n300"});
    add("blackhole", {"p100a", "p150", "p300"});
    return pairs;
  }();
  return all;
}

std::optional<std::string> architecture_named(std::string_view given) {
  const std::string wanted = plain(given);
  for (const auto& [product, architecture] : products()) {
    if (plain(product) == wanted) return architecture;
  }
  const auto& known = architectures();
  const auto found = std::find_if(known.begin(), known.end(),
                                  [&](const std::string& a) { return plain(a) == wanted; });
  return found == known.end() ? std::nullopt : std::optional(*found);
}

std::vector<std::pair<std::string, std::string>> uncovered_products() {
  std::vector<std::pair<std::string, std::string>> all;
  for (const UncoveredHardware& u : uncovered_hardware()) {
    for (const std::string& name : u.names) all.emplace_back(name, u.known);
  }
  return all;
}

std::optional<std::string> known_but_not_covered(std::string_view given) {
  const std::string wanted = plain(given);
  for (const UncoveredHardware& u : uncovered_hardware()) {
    if (std::find(u.names.begin(), u.names.end(), wanted) == u.names.end()) continue;
    return u.known + (u.settles.empty() ? "" : "; missing evidence: " + u.settles) +
           " (docs/reference/coverage.md)";
  }
  return std::nullopt;
}

std::string canonical_name(std::string_view text) {
  constexpr std::string_view kOwn = "custom/";
  constexpr std::string_view kSpace = " \t\n\r";
  std::string all;
  for (std::size_t i = 0; i < text.size();) {
    // Up to the next separator; spaces about it do not count.
    const std::size_t end = std::min(text.find_first_of(",=()", i), text.size());
    std::string_view word = text.substr(i, end - i);
    word.remove_prefix(std::min(word.find_first_not_of(kSpace), word.size()));
    word = word.substr(0, word.find_last_not_of(kSpace) + 1);
    const std::string lower = lower_case(word);
    const std::size_t own = lower.find(kOwn);
    all += own == 0 ? lower.substr(0, kOwn.size()) + std::string(word.substr(kOwn.size())) : lower;
    if (end < text.size()) all += text[end];
    i = end + 1;
  }
  return all;
}

std::string find_architecture(std::string_view given) {
  const std::optional<std::string> architecture = architecture_named(given);
  if (!architecture) unknown_architecture(given);
  return *architecture;
}

}  // namespace mmaspec
