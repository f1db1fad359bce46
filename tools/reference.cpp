// Writes docs/reference from the specification: every algorithm, parameter and instruction.
//
//   mmaspec-reference SOURCE_FOLDER OUTPUT_FOLDER
//
// SOURCE_FOLDER is the repository: the descriptions are the comments of the headers below
// spec/algorithms/.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>

#include "concrete/dot/model.h"
#include "concrete/dot/trace.h"
#include "spec/catalog/departures.h"
#include "spec/catalog/instruction.h"
#include "spec/catalog/names/uncovered.h"
#include "spec/formats/text.h"

namespace mmaspec {
namespace {

namespace fs = std::filesystem;

constexpr const char* kGenerated =
    "<!-- Written by mmaspec-reference; change the specification, not this file. -->\n\n";

/// Shorter texts first, so that numbers of one sign are in numeric order.
struct ByLength {
  bool operator()(const std::string& x, const std::string& y) const {
    return x.size() != y.size() ? x.size() < y.size() : x < y;
  }
};

using Values = std::map<std::string, std::string>;  // of parameters, by key

Values values_of(const Instruction& i) {
  Values values;
  for (const Parameter& p : i.algorithm.parameters()) values[p.key] = p.value;
  return values;
}

/// Escapes text for a cell of a Markdown table.
std::string cell(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) {
    text.insert(at, "\\");
  }
  return text;
}

/// "`@mma-sim`: floor none, zero_terms operands-count"; empty: no variants.
std::string variants_text(const Instruction& i) {
  std::vector<std::string> all;
  for (const Instruction& other : in_other_variants(i)) {
    std::vector<std::string> differences;
    if (other.algorithm.name() != i.algorithm.name()) {
      differences.push_back(other.algorithm.name());
    }
    const Values ours = values_of(i);
    for (const Parameter& p : other.algorithm.parameters()) {
      const auto found = ours.find(p.key);
      if (found == ours.end() || found->second != p.value) {
        differences.push_back(p.key + " " + p.value);
      }
    }
    all.push_back(
        fmt::format("`@{}`: {}{}", other.variant,
                    differences.empty() ? "equal" : fmt::format("{}", fmt::join(differences, ", ")),
                    departures(other).empty() ? ""
                                              : " (differs from its model's code in some inputs: "
                                                "[contradictions](../contradictions.md))"));
  }
  return fmt::format("{}", fmt::join(all, "; "));
}

std::string file_of(const std::string& algorithm) { return algorithm + ".md"; }

/// The comment above `struct <Name> {` in spec/algorithms/<name>.h, or above the class of a
/// composition in spec/plans/instructions/<name>.h.
std::string description(const fs::path& source, const std::string& algorithm) {
  std::string stem = algorithm;
  std::string type;
  bool upper = true;
  for (char& c : stem) {
    if (c == '-') c = '_';
    if (c == '_') {
      upper = true;
    } else {
      type += upper ? static_cast<char>(std::toupper(c)) : c;
      upper = false;
    }
  }
  fs::path header = source / "spec/algorithms" / (stem + ".h");
  if (!fs::exists(header)) header = source / "spec/algorithms/vector" / (stem + ".h");
  if (!fs::exists(header)) header = source / "spec/plans/instructions" / (stem + ".h");
  std::ifstream in(header);
  std::vector<std::string> block;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("///")) {
      block.push_back(line.size() > 4 ? line.substr(4) : "");
    } else if (line == "struct " + type + " {" ||
               line == "class " + type + " final : public Composition {") {
      return fmt::format("{}\n", fmt::join(block, "\n"));
    } else {
      block.clear();
    }
  }
  throw std::runtime_error(header.string() + ": no comment above struct " + type);
}

/// The marks of one evaluation, as `mmaspec eval --trace` prints them.
std::string worked_example(const Instruction& i) {
  const DotFormats& f = i.formats;
  const auto k = static_cast<std::size_t>(f.k);
  DotValues values{std::vector<Integer>(k, 0), std::vector<Integer>(k, 0), 0, {}, {}};
  // Numbers that every format has, including FP4 and FP6; for integers a sum beyond the largest.
  using Texts = std::vector<std::string>;
  const bool integers = are_integers(f);
  const Texts a = integers ? Texts{"7", "2", "3", "1"} : Texts{"1.5", "-2", "0.5", "1"};
  const Texts b = integers ? Texts{"6", "5", "4", "1"} : Texts{"1.5", "0.5", "0.5", "1"};
  const std::string c = integers ? "2147483600" : "0.125";
  const std::size_t shown = std::min(k, a.size());
  for (std::size_t n = 0; n < shown; ++n) {
    values.a[n] = parse_pattern_of(*f.a, a[n]);
    values.b[n] = parse_pattern_of(*f.b, b[n]);
  }
  values.c = parse_pattern_of(*f.c, c);
  if (f.scale != nullptr) {
    values.scale_a.assign(static_cast<std::size_t>(f.scales()), parse_pattern_of(*f.scale, "1"));
    values.scale_b = values.scale_a;
  }
  std::string text = fmt::format(
      "## Example: one evaluation, stage by stage\n\n```\nmmaspec eval {} --a {} --b {} --c {} "
      "--trace\n```\n\n"
      "| stage | name | value |\n| --- | --- | --- |\n",
      i.name(), fmt::join(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(shown), ","),
      fmt::join(b.begin(), b.begin() + static_cast<std::ptrdiff_t>(shown), ","), c);
  int zeros = 0;
  for (const TraceLine& line : trace_lines(i, values)) {
    const bool numbered = line.label.find_first_of("0123456789") != std::string::npos;
    if (!line.number.empty() && line.integer == 0 && numbered) {
      ++zeros;
      continue;
    }
    const std::string value = line.number.empty() ? line.integer.str() : line.number;
    text += fmt::format("| {} | `{}` | `{}` |\n", line.stage, cell(line.label), value);
  }
  text +=
      fmt::format("| | `d` | `{}` |\n", to_hex_float(*f.d, DotModel(i.algorithm, f).run(values)));
  if (zeros > 0) text += "\nThe table omits zero products and zero terms.\n";
  return text;
}

/// The keys of `algorithm` in order, with meanings and the values in the catalogue.
std::string parameter_table(const std::vector<const Instruction*>& uses) {
  std::vector<std::string> keys;
  std::map<std::string, std::string> meaning;
  std::map<std::string, std::set<std::string, ByLength>> seen;
  for (const Instruction* i : uses) {
    for (const Parameter& p : i->algorithm.parameters()) {
      if (meaning.emplace(p.key, p.meaning).second) keys.push_back(p.key);
      seen[p.key].insert(p.value);
    }
  }
  std::string text = "| parameter | meaning | values in the catalogue |\n| --- | --- | --- |\n";
  for (const std::string& key : keys) {
    text +=
        fmt::format("| `{}` | {} | {} |\n", key, cell(meaning[key]), fmt::join(seen[key], ", "));
  }
  return text;
}

std::string algorithm_page(const fs::path& source, const std::string& name,
                           const std::vector<const Instruction*>& uses) {
  std::string text = kGenerated;
  text += fmt::format("# {}\n\n{}\n", name, description(source, name));
  text += fmt::format("Source: {}.\n\n", uses[0]->algorithm.reference());
  text += "## Parameters\n\n" + parameter_table(uses) + "\n";

  std::map<std::string, int> counts;
  const Instruction* example = nullptr;
  for (const Instruction* i : uses) {
    if (i->variant.empty()) {
      ++counts[i->architecture];
      if (example == nullptr || i->formats.k < example->formats.k) example = i;
    }
  }
  if (example == nullptr) example = uses[0];
  text += worked_example(*example) + "\n";
  text += "## Instructions\n\n";
  if (counts.empty()) {
    text += "Only variants of instructions have this algorithm: ";
    std::vector<std::string> names;
    for (const Instruction* i : uses) names.push_back("`" + i->name() + "`");
    return text + fmt::format("{}.\n", fmt::join(names, ", "));
  }
  for (const std::string& architecture : architectures()) {
    if (counts[architecture] > 0) {
      text += fmt::format("- [{0}]({0}.md): {1}\n", architecture, counts[architecture]);
    }
  }
  return text;
}

/// Instructions of one architecture with the same algorithm and the same sources of parameters.
struct Group {
  std::vector<const Instruction*> members;
};

std::string key_of(const Instruction& i) {
  std::string key = i.algorithm.name();
  for (const Provenance& p : i.provenance) {
    key += "\n" + p.parameter + "\t" + std::string(to_string(p.evidence)) + "\t" + p.source;
  }
  for (const Parameter& p : i.algorithm.parameters()) key += "\n" + p.key;
  return key;
}

/// The value of `key` if all members have the same; nullopt otherwise.
std::optional<std::string> common_value(const Group& group, const std::string& key) {
  const std::string first = values_of(*group.members[0]).at(key);
  for (const Instruction* i : group.members) {
    if (values_of(*i).at(key) != first) return std::nullopt;
  }
  return first;
}

std::string formats_text(const DotFormats& f) {
  std::string text = fmt::format("{} | {} | {} | {}", f.a->name, f.b->name, f.c->name, f.d->name);
  if (f.scale != nullptr) text += fmt::format(" | {} for {}", f.scale->name, f.scale_block);
  return text;
}

std::string group_text(const Group& group) {
  const Instruction& first = *group.members[0];
  std::string text = fmt::format("## {} [{}]({})\n\n",
                                 group.members.size() == 1
                                     ? "One instruction:"
                                     : std::to_string(group.members.size()) + " instructions:",
                                 first.algorithm.name(), file_of(first.algorithm.name()));

  std::vector<std::string> varying;
  text += "| parameter | value | evidence | source |\n| --- | --- | --- | --- |\n";
  const auto source_of = [&](const std::string& key) -> const Provenance* {
    for (const Provenance& p : first.provenance) {
      if (p.parameter == key) return &p;
    }
    return nullptr;
  };
  const auto line = [&](const std::string& key, const std::string& value) {
    const Provenance* p = source_of(key);
    text += fmt::format("| `{}` | {} | {} | {} |\n", key, value,
                        p == nullptr ? "" : std::string(to_string(p->evidence)),
                        p == nullptr ? "" : cell(p->source));
  };
  line("algorithm", first.algorithm.name());
  for (const Parameter& p : first.algorithm.parameters()) {
    const std::optional<std::string> value = common_value(group, p.key);
    if (!value) varying.push_back(p.key);
    line(p.key, value.value_or("see below"));
  }

  std::set<std::string> variant_texts;
  for (const Instruction* i : group.members) variant_texts.insert(variants_text(*i));
  const bool same_variants = variant_texts.size() == 1;
  if (same_variants && !variant_texts.begin()->empty()) {
    text += "\nVariants: " + *variant_texts.begin() + ".\n";
  }

  const bool scaled = std::any_of(group.members.begin(), group.members.end(),
                                  [](const Instruction* i) { return i->formats.scale != nullptr; });
  text += "\n| instruction | K | a | b | c | d |";
  if (scaled) text += " scale |";
  for (const std::string& key : varying) text += " " + key + " |";
  if (!same_variants) text += " variants |";
  text += "\n|";
  const std::size_t columns = 6 + (scaled ? 1 : 0) + varying.size() + (same_variants ? 0 : 1);
  for (std::size_t n = 0; n < columns; ++n) text += " --- |";
  text += "\n";
  for (const Instruction* i : group.members) {
    text += fmt::format("| `{}` | {} | {} |", i->mnemonic, i->formats.k, formats_text(i->formats));
    if (scaled && i->formats.scale == nullptr) text += " |";
    const Values values = values_of(*i);
    for (const std::string& key : varying) text += fmt::format(" {} |", values.at(key));
    if (!same_variants) text += fmt::format(" {} |", variants_text(*i));
    text += "\n";
  }
  return text + "\n";
}

std::string products_of(const std::string& architecture) {
  std::vector<std::string> names;
  for (const auto& [product, of] : products()) {
    if (of == architecture) names.push_back(product);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string architecture_page(const std::string& architecture) {
  std::vector<Group> groups;
  std::map<std::string, std::size_t> by_key;
  for (const Instruction& i : catalogue()) {
    if (i.architecture != architecture) continue;
    const auto [entry, fresh] = by_key.try_emplace(key_of(i), groups.size());
    if (fresh) groups.emplace_back();
    groups[entry->second].members.push_back(&i);
  }
  std::size_t instructions = 0;
  std::string summary;
  for (const Group& group : groups) {
    const Instruction& first = *group.members[0];
    const auto algorithm = std::find_if(first.provenance.begin(), first.provenance.end(),
                                        [](const auto& p) { return p.parameter == "algorithm"; });
    std::set<std::string> operands;
    for (const Instruction* i : group.members) {
      operands.insert(fmt::format("`{} * {}`", i->formats.a->name, i->formats.b->name));
    }
    instructions += group.members.size();
    summary += fmt::format(
        "| {} | [{}]({}) | {} | {} |\n", group.members.size(), first.algorithm.name(),
        file_of(first.algorithm.name()), fmt::join(operands, ", "),
        algorithm == first.provenance.end() ? "" : std::string(to_string(algorithm->evidence)));
  }
  std::string text = kGenerated;
  text += fmt::format(
      "# {}\n\nThis page lists the matrix instructions of {}: their algorithms, the value of each "
      "parameter, and the evidence for it.\n",
      architecture, architecture);
  const std::string names = products_of(architecture);
  if (!names.empty()) text += fmt::format("Products: {}.\n", names);
  text += fmt::format(
      "\n## Summary\n\n{} instructions in {} groups. The instructions of a group have the same "
      "algorithm and the same sources.\n\n"
      "| instructions | algorithm | operand formats | evidence for the algorithm |\n"
      "| ---: | --- | --- | --- |\n{}\n"
      "The sections below have one group each, in the same order. "
      "[Evidence levels](../hardware.md#evidence-levels)\nexplains the column `evidence`.\n\n",
      instructions, groups.size(), summary);
  for (const Group& group : groups) text += group_text(group);
  return text;
}

/// Numbers of instructions of the architecture by the evidence for their algorithms.
std::map<Evidence, int> by_evidence(const std::string& architecture) {
  std::map<Evidence, int> by;
  for (const Instruction& i : catalogue()) {
    if (i.architecture != architecture) continue;
    for (const Provenance& p : i.provenance) {
      if (p.parameter == "algorithm") ++by[p.evidence];
    }
  }
  return by;
}

std::string coverage_page() {
  std::string text = kGenerated;
  text +=
      "# Coverage\n\nThis page lists the hardware that the catalogue covers, with the evidence for "
      "it, and known hardware\nthat it does not cover. `mmaspec list --products` prints the names, "
      "and `mmaspec show NAME` the entry of one name.\n\n## Covered\n\n"
      "The last column counts instructions by the evidence for their algorithm.\n"
      "[Evidence levels](../hardware.md#evidence-levels) explains the levels.\n\n"
      "| architecture | products | instructions by evidence |\n| --- | --- | --- |\n";
  for (const std::string& architecture : architectures()) {
    std::vector<std::string> counts;
    for (const auto& [evidence, count] : by_evidence(architecture)) {
      counts.push_back(fmt::format("{} {}", count, to_string(evidence)));
    }
    text += fmt::format("| [{0}]({0}.md) | {1} | {2} |\n", architecture, products_of(architecture),
                        fmt::join(counts, ", "));
  }
  text +=
      "\n## Names that stand for several instructions\n\nEvery command accepts these names, "
      "although "
      "`mmaspec list` does not print each of them:\n\n"
      "- Sparse instructions: `mma.sp`, `wgmma.sp` and `tcgen05.mma.sp` without block scale "
      "factors, `v_smfmac_*`, `v_swmmac_*` (on CDNA5 not of bf16 results). Such a name\n  means "
      "the dense instruction with half "
      "the K, applied to the elements of b that the metadata selects; K counts these elements. \n  "
      "Elements that are not selected have no effect. A selected zero has the same effect as in "
      "the "
      "dense instruction.\n  Results of a GPU are the evidence for 24 forms of Hopper "
      "([replay](../replay.md)). The evidence of all other forms is `open`.\n"
      "- Any n of `wgmma` and `tcgen05.mma`.\n- "
      "`v_mfma_f32_16x16x128_f8f6f4.A.B`, `v_mfma_f32_32x32x64_f8f6f4.A.B` and both with "
      "`v_mfma_scale_`; `v_wmma_f32_16x16x128_f8f6f4.A.B`, also with `v_wmma_scale_` and\n  "
      "`v_wmma_scale16_`: A and B are any two of e4m3, e5m2, e2m3, e3m2 and e2m1.\n"
      "- RISC-V's Integrated Matrix Extension, a draft: "
      "`riscv/vf[w|q|8w]mmacc[.mx32|mx16].D.A.B.lambdaL.gG.xct|frm|rto[.rne|rtz|rup|rmm]`, "
      "`riscv/v[w|q|8w]mmacc.D.A.B.lambdaL` and\n  "
      "`riscv/vf[w|q|8w]immacc.mx32|mx16.D.A.A.lambdaL[.rne|rtz|rup|rmm]`. "
      "[Names](../names.md) "
      "explains the parts.\n"
      "\nInstructions that convert one number are listed by `mmaspec list --conversions` "
      "([Conversions](../conversions.md)).\n"
      "\n## Not covered\n\n| hardware | names | known | missing evidence |\n| --- | --- | --- "
      "| "
      "--- |\n";
  for (const UncoveredHardware& u : uncovered_hardware()) {
    text += fmt::format("| {} | {} | {} | {} |\n", u.title, fmt::join(u.names, ", "), cell(u.known),
                        u.settles.empty() ? "none" : cell(u.settles));
  }
  return text;
}

std::string index_page(const std::map<std::string, std::vector<const Instruction*>>& uses) {
  std::string text = kGenerated;
  text +=
      "# Reference\n\nThese pages describe every algorithm, parameter and instruction of the "
      "catalogue. Start with an algorithm to learn how a unit\ncomputes, or with an architecture "
      "to find the parameters of an instruction and the evidence for each.\n"
      "`mmaspec show NAME` prints the same for one instruction.\n\n"
      "`mmaspec-reference` writes these pages from the specifications:\n\n"
      "```\nmmaspec-reference . docs/reference\n```\n\n## Algorithms\n\n"
      "| algorithm | source | instructions |\n| --- | --- | --- |\n";
  for (const auto& [name, all] : uses) {
    const auto count = std::count_if(all.begin(), all.end(),
                                     [](const Instruction* i) { return i->variant.empty(); });
    text += fmt::format("| [{}]({}) | {} | {} |\n", name, file_of(name),
                        cell(all[0]->algorithm.reference()),
                        count == 0 ? "only in variants" : std::to_string(count));
  }
  text +=
      "\n## Architectures\n\nThe last five columns count instructions by the evidence for their "
      "algorithm. [Coverage](coverage.md) also lists known hardware\nthat is not covered.\n\n"
      "| architecture | products | instructions | hardware | documented | emulator | model | open "
      "|\n| --- | --- | --- | --- | --- | --- | --- | --- |\n";
  for (const std::string& architecture : architectures()) {
    std::map<Evidence, int> by = by_evidence(architecture);
    int all = 0;
    for (const auto& [evidence, count] : by) all += count;
    text += fmt::format("| [{0}]({0}.md) | {1} | {2} | {3} | {4} | {5} | {6} | {7} |\n",
                        architecture, products_of(architecture), all, by[Evidence::hardware],
                        by[Evidence::documented], by[Evidence::emulator], by[Evidence::model],
                        by[Evidence::open]);
  }
  return text;
}

void write(const fs::path& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  if (!out.flush()) throw std::runtime_error("cannot write " + file.string());
}

void write_all(const fs::path& source, const fs::path& output) {
  fs::create_directories(output);
  std::vector<Instruction> others;  // variants with another algorithm
  for (const Instruction& i : catalogue()) {
    for (const Instruction& other : in_other_variants(i)) {
      if (other.algorithm.name() != i.algorithm.name()) others.push_back(other);
    }
  }
  std::map<std::string, std::vector<const Instruction*>> uses;
  for (const Instruction& i : catalogue()) uses[i.algorithm.name()].push_back(&i);
  for (const Instruction& i : others) uses[i.algorithm.name()].push_back(&i);

  write(output / "README.md", index_page(uses));
  write(output / "coverage.md", coverage_page());
  for (const auto& [name, all] : uses)
    write(output / file_of(name), algorithm_page(source, name, all));
  for (const std::string& a : architectures()) write(output / (a + ".md"), architecture_page(a));
}

}  // namespace
}  // namespace mmaspec

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: mmaspec-reference SOURCE_FOLDER OUTPUT_FOLDER\n";
    return 2;
  }
  try {
    mmaspec::write_all(argv[1], argv[2]);
  } catch (const std::exception& error) {
    std::cerr << "mmaspec-reference: " << error.what() << "\n";
    return 1;
  }
  return 0;
}
