#include "queries/studies/suite/designs.h"

#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <stdexcept>

#include "queries/statement/pairing.h"
#include "spec/catalog/names/names.h"

namespace mmaspec {
namespace {

/// Operand formats, for any K.
struct Operands {
  std::array<const Format*, 4> abcd;
  const Format* scale;

  bool are_of(const DotFormats& f) const {
    const bool same_scale =
        scale == nullptr ? f.scale == nullptr : f.scale != nullptr && *scale == *f.scale;
    return same_scale && *abcd[0] == *f.a && *abcd[1] == *f.b && *abcd[2] == *f.c &&
           *abcd[3] == *f.d;
  }
};

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts{""};
  for (const char c : text) {
    if (c == at) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

const Format& format_named(const std::string& name) {
  if (const Format* format = find_format(name)) return *format;
  std::vector<std::string> known;
  for (const Format* f : all_formats()) known.emplace_back(f->name);
  const std::string near = nearest(name, known);
  throw std::invalid_argument("unknown format '" + name.substr(0, 60) + "'" +
                              (near.empty() ? "" : ", did you mean '" + near + "'?"));
}

Operands parse_operands(const std::string& text) {
  const bool as_in_mnemonics = text.find('.') != std::string::npos;
  const std::vector<std::string> parts = split(text, as_in_mnemonics ? '.' : ',');
  if (parts.size() != 4 && (as_in_mnemonics || parts.size() != 5)) {
    throw std::invalid_argument(
        "'" + text.substr(0, 60) +
        "' is not a list of formats: expected a,b,c,d or a,b,c,d,scale, or d.a.b.c");
  }
  const auto of = [&](std::size_t i) { return &format_named(parts[i]); };
  if (as_in_mnemonics) return {{of(1), of(2), of(3), of(0)}, nullptr};
  return {{of(0), of(1), of(2), of(3)}, parts.size() == 5 ? of(4) : nullptr};
}

std::string formats_text(const DotFormats& f) {
  std::string text;
  for (const Format* format : {f.a, f.b, f.c, f.d}) {
    text += (text.empty() ? "" : ",") + std::string(format->name);
  }
  if (f.scale == nullptr) return text;
  return text + " with a scale factor " + std::string(f.scale->name) + " for each " +
         std::to_string(f.scale_block) + " products";
}

bool is_pattern(const std::string& name) {
  return !name.starts_with("design:") && name.find_first_of("*?[") != std::string::npos;
}

bool matches(const std::string& pattern, const std::string& text) {
  return fnmatch(pattern.c_str(), text.c_str(), FNM_NOESCAPE) == 0;
}

/// Replaces a product or another spelling of the architecture by the architecture's name.
std::string by_architecture(const std::string& pattern) {
  const std::size_t slash = pattern.find('/');
  if (slash == std::string::npos) {
    throw std::invalid_argument(
        "'" + pattern.substr(0, 60) +
        "' matches nothing: expected <arch>/<mnemonic>, such as 'hopper/*'");
  }
  const std::string architecture = pattern.substr(0, slash);
  if (is_pattern(architecture)) return pattern;
  return find_architecture(architecture) + pattern.substr(slash);
}

/// All instructions of the pattern's variants that match it.
std::vector<Instruction> matching(const std::string& given) {
  const std::string pattern = by_architecture(given);
  const std::size_t at = pattern.find('@');
  const std::string plain = pattern.substr(0, at);
  std::vector<Instruction> all;
  for (const Instruction& i : catalogue()) {
    if (!matches(plain, i.name())) continue;
    if (at == std::string::npos) {
      all.push_back(i);
      continue;
    }
    for (const std::string& variant : variants()) {
      if (!matches(pattern.substr(at + 1), variant)) continue;
      try {
        all.push_back(find_instruction(i.name() + "@" + variant));
      } catch (const std::invalid_argument&) {
        // An instruction may lack a variant.
      }
    }
  }
  return all;
}

std::vector<Instruction> longest_of_each_architecture(const Operands& operands) {
  std::map<std::string, int> longest;
  for (const Instruction& i : catalogue()) {
    if (!operands.are_of(i.formats)) continue;
    int& k = longest[i.architecture];
    k = std::max(k, i.formats.k);
  }
  std::vector<Instruction> all;
  for (const Instruction& i : catalogue()) {
    if (operands.are_of(i.formats) && i.formats.k == longest[i.architecture]) all.push_back(i);
  }
  return all;
}

std::vector<Instruction> asked_for(const DesignRequest& request) {
  std::vector<Instruction> all;
  for (const std::string& name : request.names) {
    if (!is_pattern(name)) {
      all.push_back(find_instruction(name));
      continue;
    }
    std::vector<Instruction> found = matching(name);
    if (!request.formats.empty()) {
      const Operands operands = parse_operands(request.formats);
      std::erase_if(found, [&](const Instruction& i) { return !operands.are_of(i.formats); });
    }
    if (found.empty()) {
      throw std::invalid_argument(
          "no instruction matches '" + name.substr(0, 60) + "'" +
          (request.formats.empty() ? "" : " of formats " + request.formats));
    }
    all.insert(all.end(), found.begin(), found.end());
  }
  if (!request.all_architectures.empty()) {
    const auto found = longest_of_each_architecture(parse_operands(request.all_architectures));
    if (found.empty()) {
      throw std::invalid_argument("no architecture has an instruction of formats " +
                                  request.all_architectures);
    }
    all.insert(all.end(), found.begin(), found.end());
  }
  std::set<std::string> known;
  std::erase_if(all, [&](const Instruction& i) { return !known.insert(i.name()).second; });
  return all;
}

void require_same_formats(const Instruction& first, const Instruction& other) {
  DotFormats f = other.formats;
  f.k = first.formats.k;
  if (f == first.formats) return;
  throw std::invalid_argument(first.name() + " has formats " + formats_text(first.formats) +
                              " and " + other.name() + " has " + formats_text(other.formats) +
                              ": all units of a suite need the same formats; --formats a,b,c,d "
                              "selects those of a pattern that have them");
}

/// The common K.
int common_k(const std::vector<Instruction>& all, int chain, bool pad) {
  if (chain > 0) return chain;
  const auto [least, most] = std::minmax_element(
      all.begin(), all.end(),
      [](const Instruction& x, const Instruction& y) { return x.formats.k < y.formats.k; });
  if (pad) return least->formats.k;
  for (const Instruction& i : all) {
    if (most->formats.k % i.formats.k == 0) continue;
    throw std::invalid_argument(
        i.name() + " has K = " + std::to_string(i.formats.k) + " and " + most->name() +
        " K = " + std::to_string(most->formats.k) +
        ", and neither divides the other; --chain K chains all to the same K");
  }
  return most->formats.k;
}

}  // namespace

std::vector<SuiteDesign> designs_of(const DesignRequest& request) {
  if (request.names.empty() && request.all_architectures.empty()) {
    throw std::invalid_argument("NAME or --all-architectures is required");
  }
  if (!request.formats.empty())
    parse_operands(request.formats);  // validates it even if no pattern
                                      // uses it
  return brought_together(asked_for(request), request.chain, request.pad);
}

std::vector<SuiteDesign> brought_together(const std::vector<Instruction>& all, int chain,
                                          bool pad) {
  if (pad && chain > 0) throw std::invalid_argument("--pad and --chain exclude each other");
  if (all.empty()) return {};
  for (const Instruction& i : all) {
    require_same_formats(all[0], i);
    if (pad && i.formats.scale != nullptr) {
      throw std::invalid_argument(
          "--pad is not supported for instructions with block scale factors");
    }
  }
  const int k = common_k(all, chain, pad);
  std::vector<SuiteDesign> designs;
  for (const Instruction& i : all) {
    designs.push_back({i, i.formats.k > k && pad ? shortened(i, k) : of_length(i, k)});
  }
  return designs;
}

}  // namespace mmaspec
