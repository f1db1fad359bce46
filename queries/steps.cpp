#include "queries/steps.h"

#include <algorithm>

namespace mmaspec {
namespace {

bool is_one_of(const std::string& x, std::initializer_list<const char*> all) {
  return std::any_of(all.begin(), all.end(), [&](const char* y) { return x == y; });
}

/// F bits below the largest exponent hold the lowest bit of the least term.
bool cuts_nothing(const Instruction& instruction) {
  const DotFormats& f = instruction.formats;
  if (f.scale != nullptr || parameter(instruction, "zero_terms") != "left-out" ||
      parameter(instruction, "c_joins") != "early" ||
      parameter(instruction, "normalize_products") != "no" ||
      parameter(instruction, "flush_inputs") != "no" ||
      parameter(instruction, "product_overflow") != "none") {
    return false;
  }
  const std::string floor = parameter(instruction, "floor");
  int high = std::max(f.a->largest_exponent() + f.b->largest_exponent(), f.c->largest_exponent());
  if (floor != "none") high = std::max(high, std::stoi(floor));
  const auto lowest_bit = [](const Format& x) { return x.least_exponent() - x.fraction_bits; };
  const int low = std::min(lowest_bit(*f.a) + lowest_bit(*f.b), lowest_bit(*f.c));
  return std::stoi(parameter(instruction, "fraction_bits")) >= high - low;
}

/// Every product is a number of d's format.
bool holds_products(const Instruction& instruction) {
  const DotFormats& f = instruction.formats;
  const Format& d = *f.d;
  const int low =
      f.a->least_exponent() + f.b->least_exponent() - f.a->fraction_bits - f.b->fraction_bits;
  return parameter(instruction, "flush_inputs") == "no" &&
         parameter(instruction, "underflow") == "gradual" &&
         parameter(instruction, "kept_bits") == std::to_string(d.fraction_bits) &&
         f.a->fraction_bits + f.b->fraction_bits + 1 <= d.fraction_bits &&
         low >= d.least_exponent() - d.fraction_bits &&
         f.a->largest_exponent() + f.b->largest_exponent() + 1 <= d.largest_exponent();
}

}  // namespace

std::string parameter(const Instruction& instruction, const std::string& key) {
  for (const Parameter& p : instruction.algorithm.parameters) {
    if (p.key == key) return p.value;
  }
  return "";
}

bool has_rounded_steps(const Instruction& instruction) {
  return is_one_of(instruction.algorithm.name, {"sequential-fma", "group-pairwise-sum"});
}

bool has_ieee_steps(const Instruction& instruction) {
  return has_rounded_steps(instruction) &&
         is_one_of(parameter(instruction, "flush_inputs"), {"", "no"}) &&
         parameter(instruction, "underflow") == "gradual" &&
         parameter(instruction, "overflow") == "infinity" &&
         parameter(instruction, "round") == "rne" &&
         parameter(instruction, "kept_bits") ==
             std::to_string(instruction.formats.d->fraction_bits);
}

bool adds_c_last(const Instruction& instruction) {
  return instruction.algorithm.name == "split-fp8";
}

bool treats_signs_alike(const Instruction& instruction) {
  return is_one_of(instruction.algorithm.name,
                   {"sequential-fma", "group-pairwise-sum", "fused-dot-add", "split-fp8",
                    "group-dot-fused-sum", "exact-dot-add"}) &&
         is_one_of(parameter(instruction, "round"), {"rz", "rne", "rna"}) &&
         is_one_of(parameter(instruction, "align_round"), {"", "rz"});
}

std::optional<std::string> only_rounding(const Instruction& instruction) {
  const std::string& name = instruction.algorithm.name;
  const bool whole = parameter(instruction, "block") == std::to_string(instruction.formats.k);
  const bool once =
      (name == "sequential-fma" && instruction.formats.k == 1) ||
      (name == "exact-dot-add" && whole) ||
      (name == "fused-dot-add" && whole && cuts_nothing(instruction)) ||
      (name == "group-pairwise-sum" && instruction.formats.k == 1 && holds_products(instruction));
  if (!once) return std::nullopt;
  std::string rounding = "rounding";
  for (const char* key : {"round", "kept_bits", "underflow", "overflow"}) {
    rounding += std::string(" ") + key + "=" + parameter(instruction, key);
  }
  return rounding;
}

bool is_correctly_rounded(const Instruction& instruction) {
  return only_rounding(instruction) && parameter(instruction, "round") == "rne" &&
         parameter(instruction, "kept_bits") ==
             std::to_string(instruction.formats.d->fraction_bits) &&
         parameter(instruction, "underflow") == "gradual" &&
         parameter(instruction, "overflow") == "infinity";
}

std::string equal_because(const Instruction& first, const Instruction& second) {
  if (first.formats.scale != nullptr || second.formats.scale != nullptr) return "";
  const auto one = only_rounding(first);
  return one && one == only_rounding(second) ? "both round the exact result once, and alike" : "";
}

}  // namespace mmaspec
