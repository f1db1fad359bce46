#include "queries/steps.h"

#include <algorithm>

#include "spec/formats/text.h"

namespace mmaspec {
namespace {

bool is_one_of(const std::string& x, std::initializer_list<const char*> all) {
  return std::any_of(all.begin(), all.end(), [&](const char* y) { return x == y; });
}

int number(const Instruction& instruction, const std::string& key) {
  return std::stoi(parameter(instruction, key));
}

bool has(const Instruction& instruction, const std::string& key, const std::string& value) {
  return parameter(instruction, key) == value;
}

bool is_fused(const Instruction& instruction) {
  return instruction.algorithm.name() == "fused-dot-add";
}

/// The exponents of the lowest bits of a format's numbers, and of products'.
int lowest_bit(const Format& f) { return f.least_exponent() - f.fraction_bits; }
int lowest_product_bit(const DotFormats& f) { return lowest_bit(*f.a) + lowest_bit(*f.b); }

Rational largest(const Format& f) {
  return decode(f, f.largest_finite() << static_cast<unsigned>(f.ignored_low_bits)).value();
}

/// The floor of the largest exponent, or nullopt if it is below `least` or none.
std::optional<int> floor_above(const Instruction& instruction, int least) {
  const std::string floor = parameter(instruction, "floor");
  if (floor == "none" || std::stoi(floor) < least) return std::nullopt;
  return std::stoi(floor);
}

/// One step of c, in a fused sum of `others` terms and c. Where the largest exponent rises from e
/// to e + 1, each of the others loses at most a bit, 2^(e - F), and c wins 2^(e - c's fraction
/// bits); where c = 0 had none and its successor has e, they lose less than 2^(e - F) each, and c
/// wins as much as before. From a negative c to the next it falls likewise.
bool step_outweighs(const Format& c, int others, int places) {
  const int spare = places - c.fraction_bits;
  return spare >= 0 && ceil_log2(others) <= spare;
}

/// Zeros have no exponent, or one that the next c's is not below. Fused sums normalise a c of
/// another format than d; later blocks start from numbers of d's format.
bool zero_is_lowest(const Instruction& instruction) {
  const DotFormats& f = instruction.formats;
  const bool normalised = is_fused(instruction) && !(*f.c == *f.d);
  const int least = normalised ? lowest_bit(*f.c) : f.c->least_exponent();
  return has(instruction, "zero_terms", "left-out") ||
         number(instruction, "zero_exponent") <= std::min(least, f.d->least_exponent());
}

/// All products are multiples of a unit u beside which d's least normal number is small: no sum of
/// them and a normal c is subnormal. (It is c, or at least u / 2, or c is at least u / 4, of which
/// it is a multiple of the last bit.)
bool never_underflows(const DotFormats& f) {
  const int bits = std::max(f.c->fraction_bits, f.d->fraction_bits);
  return lowest_product_bit(f) - 2 - bits >= f.d->least_exponent();
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
  int high = std::max(f.a->largest_exponent() + f.b->largest_exponent(), f.c->largest_exponent());
  high = floor_above(instruction, high).value_or(high);
  const int low = std::min(lowest_product_bit(f), lowest_bit(*f.c));
  return std::stoi(parameter(instruction, "fraction_bits")) >= high - low;
}

/// Every product is a number of d's format.
bool holds_products(const Instruction& instruction) {
  const DotFormats& f = instruction.formats;
  const Format& d = *f.d;
  return parameter(instruction, "flush_inputs") == "no" &&
         parameter(instruction, "underflow") == "gradual" &&
         parameter(instruction, "kept_bits") == std::to_string(d.fraction_bits) &&
         f.a->fraction_bits + f.b->fraction_bits + 1 <= d.fraction_bits &&
         lowest_product_bit(f) >= lowest_bit(d) &&
         f.a->largest_exponent() + f.b->largest_exponent() + 1 <= d.largest_exponent();
}

}  // namespace

std::string parameter(const Instruction& instruction, const std::string& key) {
  for (const Parameter& p : instruction.algorithm.parameters()) {
    if (p.key == key) return p.value;
  }
  return "";
}

int ceil_log2(int x) {
  int n = 0;
  while ((1 << n) < x) ++n;
  return n;
}

bool has_rounded_steps(const Instruction& instruction) {
  return is_one_of(instruction.algorithm.name(), {"sequential-fma", "group-pairwise-sum"});
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
  return instruction.algorithm.name() == "split-fp8";
}

bool treats_signs_alike(const Instruction& instruction) {
  return is_one_of(instruction.algorithm.name(),
                   {"sequential-fma", "group-pairwise-sum", "fused-dot-add", "split-fp8",
                    "group-dot-fused-sum", "exact-dot-add"}) &&
         is_one_of(parameter(instruction, "round"), {"rz", "rne", "rna"}) &&
         is_one_of(parameter(instruction, "align_round"), {"", "rz"});
}

bool c_outweighs_cuts(const Instruction& instruction) {
  const DotFormats& f = instruction.formats;
  const std::string& name = instruction.algorithm.name();
  if (!is_one_of(name, {"fused-dot-add", "round-down-dot-add", "group-dot-fused-sum"}) ||
      !zero_is_lowest(instruction)) {
    return false;
  }
  if (name == "group-dot-fused-sum") {
    return step_outweighs(*f.c, f.k / number(instruction, "group"),
                          number(instruction, "fraction_bits"));
  }
  const int block = number(instruction, "block");
  const bool chained = block < f.k;  // later blocks start from numbers of d's format
  if (is_fused(instruction)) {
    const int places = number(instruction, "fraction_bits");
    return is_one_of(parameter(instruction, "align_round"), {"rz", "rd"}) &&
           has(instruction, "c_joins", "early") && has(instruction, "flush_inputs", "no") &&
           step_outweighs(*f.c, block, places) && (!chained || step_outweighs(*f.d, block, places));
  }
  // One other term, the products' sum, which loses less than a unit whatever the exponents.
  const auto outweighs = [&](const Format& c) {
    return number(instruction, "c_bits") >= c.fraction_bits &&
           number(instruction, "sum_bits") > c.fraction_bits;
  };
  return is_one_of(parameter(instruction, "sum_round"), {"rz", "rd"}) &&
         is_one_of(parameter(instruction, "c_round"), {"rz", "rd"}) && outweighs(*f.c) &&
         (!chained || outweighs(*f.d));
}

bool groups_outweigh_cuts(const Instruction& instruction) {
  if (instruction.algorithm.name() != "group-dot-fused-sum") return false;
  const DotFormats& f = instruction.formats;
  if (!has(instruction, "zero_terms", "left-out")) return true;
  // The least sum of a group: so many places below its scale factors' exponent.
  const int below = 2 * f.scale->fraction_bits - lowest_product_bit(f);
  const int others = f.k / number(instruction, "group");  // c for the group itself
  const int spare = number(instruction, "fraction_bits") - below;
  return spare >= 0 && ceil_log2(others) <= spare;
}

bool doubles_with_terms(const Instruction& instruction) {
  const DotFormats& f = instruction.formats;
  const std::string& name = instruction.algorithm.name();
  if (!has(instruction, "overflow", "infinity")) return false;
  if (name == "group-pairwise-sum" && never_underflows(f)) return true;
  if (!has(instruction, "underflow", "gradual") || has(instruction, "flush_inputs", "yes")) {
    return false;
  }
  // Terms are multiples of the least subnormal number; so are sums, which are exact below the least
  // normal number then, and above it one exponent rounds as the next does.
  const int kept = number(instruction, "kept_bits");
  const bool products = f.a->fraction_bits + f.b->fraction_bits + 1 <= kept;
  const bool multiples = products && f.c->fraction_bits <= kept;
  if (has_rounded_steps(instruction)) return multiples;
  if (!is_fused(instruction) && name != "split-fp8") return false;
  // All exponents are relative to the largest one.
  if (floor_above(instruction, f.d->least_exponent())) return false;
  if (!has(instruction, "zero_terms", "left-out") ||
      !has(instruction, "product_overflow", "none") ||
      (f.scale != nullptr && f.scale->fraction_bits > 0)) {
    return false;
  }
  const int places = number(instruction, "fraction_bits");
  const bool once = is_fused(instruction) && number(instruction, "block") == f.k;
  // Rounded toward zero once, a number below the least normal one gives no normal one.
  if (once && has(instruction, "round", "rz") && kept > 0) return true;
  // A subnormal result counts the least normal number's exponent, as its double does: the next
  // block must cut nothing from it.
  if (!once && places < kept) return false;
  // Where F is the number of kept bits, what is left of c after alignment is a multiple too.
  return multiples || (is_fused(instruction) && products && places <= kept);
}

bool cannot_overflow(const Instruction& instruction) {
  const DotFormats& f = instruction.formats;
  if (!has_rounded_steps(instruction) || !has(instruction, "overflow", "infinity") ||
      !is_one_of(parameter(instruction, "round"), {"rne", "rz"}) ||
      !has(instruction, "kept_bits", std::to_string(f.d->fraction_bits)) ||
      f.c->fraction_bits > f.d->fraction_bits ||
      f.c->largest_exponent() > f.d->largest_exponent()) {
    return false;
  }
  const int at_once =
      instruction.algorithm.name() == "group-pairwise-sum" ? number(instruction, "group") : 1;
  const int top = f.a->largest_exponent() + f.b->largest_exponent() + 2 + ceil_log2(at_once);
  return top <= f.d->largest_exponent() - f.d->fraction_bits - 2;
}

bool is_exact_near_overflow(const Instruction& instruction) {
  const DotFormats& f = instruction.formats;
  if (!is_fused(instruction) || f.scale != nullptr || number(instruction, "block") != f.k ||
      !f.d->has_infinity() || !has(instruction, "round", "rne") ||
      !has(instruction, "kept_bits", std::to_string(f.d->fraction_bits)) ||
      !has(instruction, "overflow", "infinity") || !has(instruction, "zero_terms", "left-out") ||
      !has(instruction, "align_round", "rz") || !has(instruction, "c_joins", "early") ||
      !has(instruction, "flush_inputs", "no") || !has(instruction, "product_overflow", "none")) {
    return false;
  }
  // The least number that rounds to infinity, less what products can add to c: c's size there.
  const Rational least = rational_power_of_two(f.d->largest_exponent() + 1) -
                         rational_power_of_two(f.d->largest_exponent() - f.d->fraction_bits - 1);
  const Rational c = least - f.k * largest(*f.a) * largest(*f.b);
  int exponent = f.c->largest_exponent();
  while (exponent >= f.c->least_exponent() && rational_power_of_two(exponent) > c) --exponent;
  if (exponent < f.c->least_exponent()) return false;
  int high =
      std::max(f.a->largest_exponent() + f.b->largest_exponent() + 1, f.c->largest_exponent());
  high = floor_above(instruction, high).value_or(high);
  const int lowest = std::min(lowest_product_bit(f), exponent - f.c->fraction_bits);
  return high - number(instruction, "fraction_bits") <= lowest;
}

bool adds_pairs(const Instruction& instruction, int within) {
  return instruction.algorithm.name() == "group-pairwise-sum" &&
         number(instruction, "group") % 2 == 0 && (within == 2 || instruction.formats.k == 2);
}

std::optional<std::string> only_rounding(const Instruction& instruction) {
  const std::string& name = instruction.algorithm.name();
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
