#include "queries/studies/matrix/plan.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <unordered_map>

#include "queries/audit/check.h"
#include "queries/draw/common_inputs.h"
#include "queries/statement/pairing.h"

namespace mmaspec {
namespace {

/// The common K of both; nullopt if they cannot be compared.
std::optional<int> common_k(const Instruction& first, const Instruction& second) {
  try {
    return pair_up(first, second, {}).first.formats.k;
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
}

double cost_of(const Unit& unit) {
  const auto designs = static_cast<double>(unit.firsts.size() + unit.seconds.size());
  const double evaluations = designs * unit.frame.inputs.k;
  // Designs with the same formats may be equal, and proofs take long.
  const double proofs =
      unit.frame.has_one_set() ? 30.0 * static_cast<double>(unit.pairs.size()) : 0;
  return 20 + evaluations + static_cast<double>(unit.pairs.size()) + proofs;
}

}  // namespace

bool Frame::has_one_set() const { return have_equal_operands(inputs, others); }

std::vector<Instruction> catalogue_with_variants() {
  std::vector<Instruction> all;
  for (const Instruction& i : catalogue()) {
    all.push_back(i);
    for (Instruction& other : in_other_variants(i)) all.push_back(std::move(other));
  }
  return all;
}

std::vector<MatrixDesign> merged_designs(const std::vector<Instruction>& instructions) {
  std::vector<MatrixDesign> designs;
  std::set<std::string> named;
  std::unordered_map<std::string, std::vector<std::size_t>> by_signature;
  for (const Instruction& i : instructions) {
    if (!named.insert(i.name()).second) continue;
    const std::string text = signature(i);
    std::vector<std::size_t>& alike = by_signature[text];
    // The text only narrows the candidates.
    const auto equal = std::find_if(alike.begin(), alike.end(), [&](std::size_t d) {
      const Instruction& known = designs[d].instruction;
      return known.algorithm == i.algorithm && known.formats == i.formats;
    });
    if (equal != alike.end()) {
      designs[*equal].names.push_back(i.name());
      continue;
    }
    alike.push_back(designs.size());
    designs.push_back({i, {i.name()}, text});
    designs.back().instruction.provenance.clear();  // to avoid a copy with each pair
  }
  return designs;
}

std::vector<Unit> units_of(const std::vector<MatrixDesign>& designs) {
  std::vector<DotFormats> sets;
  std::vector<std::size_t> set_of;
  for (const MatrixDesign& design : designs) {
    const DotFormats& f = design.instruction.formats;
    const auto known = std::find_if(sets.begin(), sets.end(),
                                    [&](const DotFormats& s) { return have_equal_operands(s, f); });
    set_of.push_back(static_cast<std::size_t>(known - sets.begin()));
    if (known == sets.end()) sets.push_back(f);
  }
  std::map<std::array<std::size_t, 3>, std::vector<DesignPair>> pairs;
  for (std::size_t j = 1; j < designs.size(); ++j) {
    for (std::size_t i = 0; i < j; ++i) {
      const std::size_t x = set_of[i] <= set_of[j] ? i : j;
      const std::size_t y = x == i ? j : i;
      const auto k = common_k(designs[x].instruction, designs[y].instruction);
      if (k) pairs[{set_of[x], set_of[y], static_cast<std::size_t>(*k)}].push_back({x, y});
    }
  }
  std::vector<Unit> units;
  for (auto& [key, asked] : pairs) {
    Unit unit{{sets[key[0]], sets[key[1]]}, {}, {}, std::move(asked)};
    unit.frame.inputs.k = unit.frame.others.k = static_cast<int>(key[2]);
    std::sort(unit.pairs.begin(), unit.pairs.end());
    std::set<std::size_t> firsts;
    std::set<std::size_t> seconds;
    for (const DesignPair& p : unit.pairs) {
      firsts.insert(p.first);
      (key[0] == key[1] ? firsts : seconds).insert(p.second);
    }
    unit.firsts.assign(firsts.begin(), firsts.end());
    unit.seconds.assign(seconds.begin(), seconds.end());
    unit.cost = cost_of(unit);
    units.push_back(std::move(unit));
  }
  return units;
}

}  // namespace mmaspec
