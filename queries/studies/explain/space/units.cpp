#include "queries/studies/explain/space/units.h"

#include <algorithm>

#include "spec/algorithms/chain_step.h"

namespace mmaspec::explain {
namespace {

/// Conversions by which kernels bring numbers of a file to a unit's format.
struct KnownConversion {
  const Format* from;
  const Format* to;
  std::vector<Rounding> rounds;
};

const std::vector<KnownConversion>& known_conversions() {
  using R = Rounding;
  static const std::vector<KnownConversion> all{
      // CUTLASS rounds f32 to TF32 to nearest, ties to even or away from zero (cvt.rna).
      {&formats::f32, &formats::tf32, {R::nearest_even, R::nearest_away}},
      {&formats::f32, &formats::bf16, {R::nearest_even}},
      {&formats::f32, &formats::f16, {R::nearest_even}},
      // Exact: SIMT kernels of narrow operands, and FP8 in kernels of f16 units.
      {&formats::f16, &formats::f32, {R::nearest_even}},
      {&formats::bf16, &formats::f32, {R::nearest_even}},
      {&formats::e4m3, &formats::f16, {R::nearest_even}},
      {&formats::e5m2, &formats::f16, {R::nearest_even}},
      {&formats::e4m3, &formats::bf16, {R::nearest_even}},
      {&formats::e5m2, &formats::bf16, {R::nearest_even}},
  };
  return all;
}

bool holds(const std::vector<const Format*>& all, const Format& format) {
  return std::any_of(all.begin(), all.end(), [&](const Format* f) { return *f == format; });
}

/// True for designs with the same formats and equal steps.
bool same_step(const Unit& unit, const Instruction& instruction) {
  const DotFormats& f = instruction.formats;
  const int step = chain_step(instruction.algorithm, f);
  const int own = chain_step(unit.algorithm, unit.formats);
  return step == own && part_of(f, step) == part_of(unit.formats, own) &&
         instruction.algorithm == unit.algorithm;
}

}  // namespace

std::vector<Instruction> named_instructions(const std::vector<std::string>& names) {
  std::vector<Instruction> all;
  const auto add = [&](const Instruction& instruction) {
    const bool is_there = std::any_of(all.begin(), all.end(), [&](const Instruction& other) {
      return other.name() == instruction.name();
    });
    if (!is_there) all.push_back(instruction);
  };
  bool has_architecture = names.empty();
  if (names.empty()) {
    for (const Instruction& i : catalogue()) add(i);
  }
  for (const std::string& name : names) {
    if (name.find('/') != std::string::npos || name.find(':') != std::string::npos) {
      add(find_instruction(name));
      continue;
    }
    has_architecture = true;
    const std::string architecture = find_architecture(name);
    for (const Instruction& i : catalogue()) {
      if (i.architecture == architecture) add(i);
    }
  }
  if (has_architecture) {
    add(find_instruction("x86/vfmadd231ps"));
    add(find_instruction("x86/vfmadd231pd"));
  }
  return all;
}

std::vector<const Format*> result_formats(const Format& sums, const MatrixFormats& formats) {
  std::vector<const Format*> all;
  for (const Format* d : formats.d) {
    const bool is_stored = sums == formats::f32 && (*d == formats::f16 || *d == formats::bf16 ||
                                                    *d == formats::e4m3 || *d == formats::e5m2);
    if (*d == sums || is_stored) all.push_back(d);
  }
  return all;
}

std::vector<PreparedUnit> fitting_units(const std::vector<Instruction>& instructions,
                                        const MatrixFormats& formats, Extent extent,
                                        const Factors& factors) {
  const bool scales = factors.alpha != kUnscaled || factors.beta != kUnscaled;
  std::vector<std::shared_ptr<Unit>> units;
  for (const Instruction& i : instructions) {
    const DotFormats& f = i.formats;
    if (f.scale != nullptr || !(*f.c == *f.d) || result_formats(*f.d, formats).empty()) continue;
    if (scales && !(*f.d == formats::f32)) continue;
    const auto known = std::find_if(units.begin(), units.end(),
                                    [&](const auto& unit) { return same_step(*unit, i); });
    if (known == units.end()) {
      units.push_back(std::make_shared<Unit>(Unit{f.k, f, i.algorithm, {{i.name(), f.k}}}));
      continue;
    }
    Unit& unit = **known;
    unit.names.emplace_back(i.name(), f.k);
    if (f.k < unit.k) {
      unit.k = f.k;
      unit.formats = f;
    }
  }
  std::vector<PreparedUnit> all;
  for (const auto& unit : units) {
    std::stable_sort(unit->names.begin(), unit->names.end(),
                     [](const auto& x, const auto& y) { return x.second < y.second; });
    const DotFormats& f = unit->formats;
    if (holds(formats.a, *f.a) && holds(formats.b, *f.b)) {
      all.push_back({unit, f.a, f.b});
    }
    if (!(*f.a == *f.b)) continue;
    for (const KnownConversion& c : known_conversions()) {
      const bool is_unusual = (*c.from == formats::f32 && *c.to == formats::f16) ||
                              (c.from->storage_bits == 8 && *c.to == formats::bf16);
      if (is_unusual && extent == Extent::usual) continue;
      if (!(*c.to == *f.a) || !holds(formats.a, *c.from) || !holds(formats.b, *c.from)) continue;
      for (const Rounding round : c.rounds) all.push_back({unit, c.from, c.from, round});
    }
  }
  for (PreparedUnit& unit : all) {
    if (factors.alpha != kUnscaled) unit.factors = {factors.alpha};
    unit.beta = factors.beta;
  }
  return all;
}

}  // namespace mmaspec::explain
