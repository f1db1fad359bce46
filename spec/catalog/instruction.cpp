#include "spec/catalog/instruction.h"

#include <algorithm>
#include <regex>
#include <stdexcept>

#include "spec/catalog/ime.h"
#include "spec/catalog/names/names.h"
#include "spec/catalog/names/spellings.h"
#include "spec/catalog/open_design.h"
#include "spec/catalog/own.h"
#include "spec/catalog/parameter_sets.h"
#include "spec/catalog/plan.h"
#include "spec/own/registry.h"

namespace mmaspec {
namespace {

constexpr std::string_view kAllowed = "'mmaspec list' shows all";

Instruction make(const CatalogueRow& row, const std::string& mnemonic, const std::string& variant) {
  const DotFormats formats = formats_of(row.architecture, mnemonic);
  return {std::string(row.architecture),
          mnemonic,
          variant,
          formats,
          row.parameters->make(formats, variant),
          row.parameters->provenance(formats, variant),
          row.parameters->canonical_nan};
}

Instruction make(const CatalogueRow& row, const std::string& variant) {
  return make(row, std::string(row.mnemonic), variant);
}

const std::vector<CatalogueRow>& all_rows() {
  static const std::vector<CatalogueRow> rows = [] {
    std::vector<CatalogueRow> all = nvidia_rows();
    for (const auto* more : {&amd_rows(), &cdna5_rows(), &rdna_rows(), &cpu_rows(), &ime_rows(),
                             &integer_rows(), &tenstorrent_rows()}) {
      all.insert(all.end(), more->begin(), more->end());
    }
    const auto place = [](const CatalogueRow& row) {
      const auto& order = architectures();
      return std::find(order.begin(), order.end(), row.architecture) - order.begin();
    };
    std::stable_sort(all.begin(), all.end(), [&](const CatalogueRow& x, const CatalogueRow& y) {
      return place(x) < place(y);
    });
    return all;
  }();
  return rows;
}

/// wgmma and tcgen05 compute each element alike whatever m and n: the catalogue has one shape.
std::string canonical_shape(const std::string& architecture, const std::string& mnemonic) {
  static const std::regex spelling("((?:wgmma|tcgen05)\\.[a-z_.]*)m([0-9]+)n([0-9]+)(k[0-9]+.*)");
  std::smatch match;
  if (!std::regex_match(mnemonic, match, spelling) || match[2].length() > 3 ||
      match[3].length() > 3) {
    return mnemonic;
  }
  const int m = std::stoi(match[2]);
  const int n = std::stoi(match[3]);
  if (n % 8 != 0 || n < 8 || n > 256) return mnemonic;
  if (mnemonic.starts_with("wgmma") ? m != 64 : m != 64 && m != 128 && m != 256) return mnemonic;
  for (const CatalogueRow& row : all_rows()) {
    const std::string known(row.mnemonic);
    std::smatch other;
    if (row.architecture == architecture && std::regex_match(known, other, spelling) &&
        other[1] == match[1] && other[4] == match[4]) {
      return known;
    }
  }
  return mnemonic;
}

/// The f8f6f4 instructions of CDNA4 and CDNA5 take any two of five formats: the catalogue has a few
/// pairs. The mnemonic of one that it has; any other mnemonic as it is. Throws
/// std::invalid_argument if the formats are missing.
std::string catalogued_pair(const std::string& mnemonic) {
  static const std::regex spelling(
      "(v_(?:mfma|wmma)_(?:scale(?:16)?_)?f32_[0-9]+x[0-9]+x[0-9]+_f8f6f4)(\\.(e4m3|e5m2|e2m3|e3m2|"
      "e2m1)){0,2}");
  std::smatch match;
  if (!std::regex_match(mnemonic, match, spelling)) return mnemonic;
  const std::string stem = match[1];
  if (std::count(mnemonic.begin(), mnemonic.end(), '.') != 2) {
    throw std::invalid_argument("'" + mnemonic + "' needs the formats of both operands (" + stem +
                                ".A.B, each e4m3, e5m2, e2m3, e3m2 or e2m1)");
  }
  return stem + ".e4m3.e4m3";
}

[[noreturn]] void unknown(std::string_view what, std::string_view given, std::string_view allowed,
                          const std::vector<std::string>& known) {
  std::string message = "unknown " + std::string(what) + " '" + std::string(given) + "'";
  const std::string near = nearest(given, known);
  if (!near.empty()) message += "; did you mean '" + near + "'?";
  throw std::invalid_argument(message + " (" + std::string(allowed) + ")");
}

/// The architectures that have the instruction, in order.
std::vector<std::string> owners_of(const std::string& mnemonic) {
  std::vector<std::string> owners;
  for (const std::string& architecture : architectures()) {
    const std::string known = canonical_shape(architecture, mnemonic);
    for (const CatalogueRow& row : all_rows()) {
      if (row.architecture == architecture && row.mnemonic == known) owners.push_back(architecture);
    }
  }
  return owners;
}

std::string joined(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : ", ") + word;
  return all;
}

Instruction find_own(const std::string& name) {
  std::vector<std::string> known;
  for (const auto& recorded : all_own()) {
    if (recorded->name == name) return own_instruction(recorded);
    known.push_back("custom/" + recorded->name);
  }
  unknown("algorithm", "custom/" + name,
          known.empty() ? "--plugin FILE loads your own algorithms" : joined(known), known);
}

/// For a name without a slash: most often a mnemonic, or an architecture, alone.
[[noreturn]] void no_instruction(const std::string& name) {
  const std::string message =
      "'" + name + "' is not an instruction: expected <arch>/<mnemonic>[@variant]";
  const std::string mnemonic = name.substr(0, name.find('@'));
  if (const auto owners = owners_of(mnemonic); !owners.empty()) {
    throw std::invalid_argument(message + ", such as '" + owners[0] + "/" + name +
                                "' (it is one of " + joined(owners) + ")");
  }
  if (const auto says = known_but_not_covered(name)) {
    throw std::invalid_argument("'" + name + "' is not in the catalogue: " + *says);
  }
  if (const auto architecture = architecture_named(name)) {
    throw std::invalid_argument(message + " ('mmaspec list --arch " + *architecture +
                                "' shows its instructions)");
  }
  std::vector<std::string> known;
  for (const CatalogueRow& row : all_rows()) known.emplace_back(row.mnemonic);
  const std::string near = nearest(mnemonic, known);
  throw std::invalid_argument(
      message + (near.empty() ? "" : "; did you mean '" + owners_of(near)[0] + "/" + near + "'?") +
      " (" + std::string(kAllowed) + ")");
}

/// The sparse instruction that this dense one makes. Where results show that it does, the evidence
/// of each parameter is that of the dense one.
Instruction sparse_of(Instruction dense, const SparseName& sparse) {
  dense.mnemonic = sparse.mnemonic;
  for (Provenance& p : dense.provenance) {
    const std::string as_dense = "as the dense " + sparse.dense + " (" + p.source + ")";
    if (sparse.recorded) {
      p.source =
          "an H100's results are those of the dense instruction over the elements of b that "
          "the metadata selects (tests/data/hardware/sparse); " +
          as_dense;
    } else {
      p.evidence = Evidence::open;
      p.source =
          "no recorded result of this instruction: over the elements of b that the metadata "
          "selects " +
          as_dense;
    }
  }
  return dense;
}

/// The length of a name without the trees of sums in it: see SumTree.
std::size_t letters_outside_of_trees(std::string_view name) {
  constexpr std::string_view kKey = ",tree=(";
  std::size_t letters = name.size();
  for (std::size_t at = name.find(kKey); at != std::string_view::npos; at = name.find(kKey, at)) {
    at += kKey.size();
    const std::size_t end = std::min(name.find_first_not_of("0123456789.+/()", at), name.size());
    letters -= end - at;
  }
  return letters;
}

}  // namespace

std::vector<Departure> departures(const Instruction& instruction) {
  for (const CatalogueRow& row : all_rows()) {
    if (row.architecture != instruction.architecture || row.mnemonic != instruction.mnemonic ||
        row.parameters->departures == nullptr) {
      continue;
    }
    return row.parameters->departures(instruction.formats, instruction.variant);
  }
  return {};
}

std::string Instruction::name() const {
  if (architecture == "design" || architecture == "plan") return architecture + ":" + mnemonic;
  return architecture + "/" + mnemonic + (variant.empty() ? "" : "@" + variant);
}

const std::vector<Instruction>& catalogue() {
  static const std::vector<Instruction> all = [] {
    std::vector<Instruction> instructions;
    for (const CatalogueRow& row : all_rows()) instructions.push_back(make(row, ""));
    return instructions;
  }();
  return all;
}

const std::vector<std::string>& variants() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> names;
    for (const CatalogueRow& row : all_rows()) {
      for (const std::string& v :
           row.parameters->variants(formats_of(row.architecture, row.mnemonic))) {
        if (std::find(names.begin(), names.end(), v) == names.end()) names.push_back(v);
      }
    }
    return names;
  }();
  return all;
}

std::vector<Instruction> in_other_variants(const Instruction& instruction) {
  std::vector<Instruction> others;
  for (const CatalogueRow& row : all_rows()) {
    if (row.architecture != instruction.architecture || row.mnemonic != instruction.mnemonic) {
      continue;
    }
    for (const std::string& variant :
         row.parameters->variants(formats_of(row.architecture, row.mnemonic))) {
      if (variant != instruction.variant) others.push_back(make(row, variant));
    }
  }
  return others;
}

Instruction own_instruction(std::shared_ptr<const Recorded> recorded) {
  Instruction instruction;
  instruction.architecture = "custom";
  instruction.mnemonic = recorded->name;
  instruction.formats = recorded->formats;
  instruction.algorithm = design_of(std::move(recorded));
  instruction.canonical_nan = false;
  return instruction;
}

std::vector<Instruction> own_instructions() {
  std::vector<Instruction> all;
  for (const auto& recorded : all_own()) all.push_back(own_instruction(recorded));
  return all;
}

Instruction find_instruction(std::string_view given) {
  constexpr std::string_view kDesign = "design:";
  constexpr std::size_t kMostLetters = 1000;
  constexpr std::size_t kMostWithTrees = 65536;
  if (given.size() > kMostWithTrees || letters_outside_of_trees(given) > kMostLetters) {
    throw std::invalid_argument("an instruction's name of " + std::to_string(given.size()) +
                                " characters (" + std::string(kAllowed) + ")");
  }
  const std::string canonical = canonical_name(given);
  const std::string_view name = canonical;
  if (name.starts_with(kDesign)) return open_design(name.substr(kDesign.size()));
  constexpr std::string_view kPlan = "plan:";
  if (name.starts_with(kPlan)) return find_plan(name.substr(kPlan.size()));
  constexpr std::string_view kOwn = "custom/";
  if (name.starts_with(kOwn)) return find_own(std::string(name.substr(kOwn.size())));
  const std::size_t slash = name.find('/');
  if (slash == std::string_view::npos) no_instruction(std::string(name));
  const std::string architecture = find_architecture(name.substr(0, slash));
  const std::size_t at = name.find('@', slash);
  const std::string variant(at == std::string_view::npos ? "" : name.substr(at + 1));
  if (at != std::string_view::npos &&
      std::find(variants().begin(), variants().end(), variant) == variants().end()) {
    unknown("variant", variant, "variants: " + joined(variants()), variants());
  }
  const std::string asked_before = std::string(name.substr(0, slash + 1));
  const std::string asked_after = variant.empty() ? "" : "@" + variant;
  const auto [plain, kind] = without_qualifiers(std::string(name.substr(
      slash + 1, at == std::string_view::npos ? std::string_view::npos : at - slash - 1)));
  if (const auto sparse = sparse_name(architecture, plain)) {
    const std::string with_kind = kind.empty() ? "" : ".kind::" + kind;
    Instruction found = sparse_of(
        find_instruction(asked_before + sparse->dense + with_kind + asked_after), *sparse);
    found.asked = asked_before + sparse->mnemonic + asked_after;
    return found;
  }
  if (architecture == "riscv" && variant.empty()) {
    if (auto ime = ime_instruction(plain)) {
      ime->asked = asked_before + plain;
      return *ime;
    }
  }
  if (architecture == "x86" && variant.empty()) {
    if (auto ace = ace_integers(plain)) {
      ace->asked = asked_before + plain;
      return *ace;
    }
  }
  if (const auto wmma = wmma_expansion(architecture, plain); wmma && kind.empty()) {
    const auto chain_of = [&](const std::string& before) {
      return "chain(" + before + wmma->mnemonic + asked_after + ",k=" + std::to_string(wmma->k) +
             ")";
    };
    if (wmma->step_k == wmma->k) {
      return find_instruction(asked_before + wmma->mnemonic + asked_after);
    }
    Instruction plan = find_plan(chain_of(architecture + "/"));
    plan.asked = "plan:" + chain_of(asked_before);
    return plan;
  }
  const std::string mnemonic = canonical_shape(architecture, plain);
  const std::string listed = catalogued_pair(mnemonic);
  std::vector<std::string> known;
  for (const CatalogueRow& row : all_rows()) {
    if (row.architecture != architecture) continue;
    if (row.mnemonic != listed) {
      known.push_back(architecture + "/" + std::string(row.mnemonic));
      continue;
    }
    const std::string kinds = kinds_of(architecture, mnemonic);
    if (!kind.empty() && ("|" + kinds + "|").find("|" + kind + "|") == std::string::npos) {
      throw std::invalid_argument(architecture + "/" + mnemonic + " has " +
                                  (kinds.empty() ? "no kind" : "kind::" + kinds) +
                                  ", not kind::" + kind);
    }
    const auto has = row.parameters->variants(formats_of(row.architecture, mnemonic));
    if (!variant.empty() && std::find(has.begin(), has.end(), variant) == has.end()) {
      throw std::invalid_argument(architecture + "/" + mnemonic + " has no variant '" + variant +
                                  "'");
    }
    Instruction instruction = make(row, mnemonic, variant);
    instruction.asked = asked_before + plain + asked_after;
    return instruction;
  }
  const std::string asked = std::string(name.substr(0, slash)) + "/" + mnemonic;
  if (const auto owners = owners_of(mnemonic); !owners.empty()) {
    throw std::invalid_argument("unknown instruction '" + asked + "': it is an instruction of " +
                                joined(owners));
  }
  if (mnemonic.starts_with("cvt.") || mnemonic.starts_with("v_cvt_")) {
    throw std::invalid_argument(
        "'" + asked +
        "' converts a number or is unknown: only list, show, eval, diff, "
        "prove, table, matrix, check, verify and export know conversions, and not with "
        "--picture, --html, --link, --distribution or --data "
        "('mmaspec list --conversions' shows all)");
  }
  unknown("instruction", asked, kAllowed, known);
}

}  // namespace mmaspec
