#include "queries/error_analysis.h"

#include <algorithm>
#include <string>

#include "queries/steps.h"

namespace mmaspec {
namespace {

// In what follows l is the exponent of the largest term, at least d's least exponent, and an ulp is
// 2^(l - p), p the fraction bits of d. All errors are in such ulp.

/// What is known of an algorithm by its parameters.
class Parameters {
 public:
  explicit Parameters(const Instruction& instruction) : instruction_(instruction) {}

  bool is(const std::string& key, const std::string& value) const {
    return parameter(instruction_, key) == value;
  }
  int number(const std::string& key) const { return std::stoi(parameter(instruction_, key)); }
  std::optional<int> optional_number(const std::string& key) const {
    const std::string value = parameter(instruction_, key);
    return value.empty() || value == "none" ? std::nullopt : std::optional(std::stoi(value));
  }
  bool to_nearest() const { return is("round", "rne"); }

 private:
  const Instruction& instruction_;
};

/// A number of exponent l + above is rounded: less than one unit of its last place, or half.
Rational rounding_error(const DotFormats& f, const Parameters& p, int above) {
  const Rational unit = rational_power_of_two(above + f.d->fraction_bits - p.number("kept_bits"));
  return p.to_nearest() ? Rational(unit / 2) : unit;
}

bool is_known_rounding(const Parameters& p) {
  return (p.is("round", "rz") || p.is("round", "rne")) && p.is("overflow", "infinity");
}

/// Zero operands have no exponent that could count, and sums overflow to infinity.
bool is_known_fused_sum(const Parameters& p) {
  return is_known_rounding(p) && p.is("zero_terms", "left-out") && p.is("underflow", "gradual");
}

/// One fused sum of `count` products and c: F bits below the largest exponent stay of each term.
///
/// A cut takes less than 2^(e_max - F) from a term, and nothing from the one whose exponent is
/// e_max if F bits hold it. That one is at least 2^(e_max - z), where z places are lost to leading
/// zeros of subnormal factors; so l >= e_max - z, and a cut is less than 2^(p - F + z) ulp.
std::optional<Rational> fused_sum(const DotFormats& f, const Parameters& p, int count,
                                  bool normal_factors) {
  if (!is_known_fused_sum(p) || !p.is("align_round", "rz") || !p.is("c_joins", "early") ||
      !p.is("flush_inputs", "no") || !p.is("product_overflow", "none")) {
    return std::nullopt;
  }
  const Format& d = *f.d;
  const int places = p.number("fraction_bits");
  const int in_product = f.a->fraction_bits + f.b->fraction_bits;
  if (places < in_product) return std::nullopt;
  if (f.scale != nullptr && f.scale->fraction_bits > 0) return std::nullopt;
  // And no term loses more than itself, which is less than 2^(l + 1).
  const auto cut = [&](int zeros) {
    return rational_power_of_two(std::min(d.fraction_bits - places + zeros, d.fraction_bits + 1));
  };
  // A normal product or c has the largest exponent. c: a subnormal one has d's least exponent,
  // which l is at least, or was normalised; F bits may not hold it.
  Rational cuts = (places < f.c->fraction_bits ? count + 1 : count) * cut(0);
  // The floor is the largest exponent.
  if (const auto floor = p.optional_number("floor")) {
    cuts = std::max(cuts, Rational((count + 1) * cut(*floor - d.least_exponent())));
  }
  if (!normal_factors && !p.is("normalize_products", "yes") && f.a->has_zero && f.b->has_zero) {
    // One factor is subnormal; l is d's least exponent at least.
    const auto zeros = [&](const Format& subnormal, const Format& other) {
      const int most = subnormal.least_exponent() + other.largest_exponent() - d.least_exponent();
      return f.scale == nullptr ? std::min(subnormal.fraction_bits, most) : subnormal.fraction_bits;
    };
    cuts = std::max(cuts, Rational(count * cut(std::max(zeros(*f.a, *f.b), zeros(*f.b, *f.a)))));
    // Both are: no product has a smaller exponent then, if all have the same scale factors, and F
    // bits hold all of each: only c is cut, unless its exponent cannot be smaller either.
    const bool one_scale = f.scale == nullptr || count <= f.scale_block;
    const int least_c = f.c->least_exponent() - (*f.c == d ? 0 : f.c->fraction_bits);
    const bool c_stays = f.scale == nullptr && places >= f.c->fraction_bits &&
                         least_c >= f.a->least_exponent() + f.b->least_exponent();
    const int cut_terms = one_scale ? (c_stays ? 0 : 1) : count;
    const int least = f.a->least_exponent() + f.b->least_exponent() - d.least_exponent();
    const int both = f.scale == nullptr ? std::min(in_product, least) : in_product;
    cuts = std::max(cuts, Rational(cut_terms * cut(both)));
  }
  // What is left adds up to no more than count + 1 times the largest term.
  return cuts + rounding_error(f, p, ceil_log2(count + 1));
}

/// A chain of blocks, each of which takes the last one's result as c.
///
/// The j-th result is at most 1 + j * block times the largest term where it was cut and rounded
/// toward zero, and less than twice that where to nearest: so many places may the next block's
/// largest exponent lie higher.
std::optional<Rational> chain(const DotFormats& f, const Parameters& p, int block, int blocks,
                              const std::optional<Rational>& step) {
  if (!step) return std::nullopt;
  Rational sum = 0;
  for (int j = 0; j < blocks; ++j) {
    const int above = j == 0 ? 0 : ceil_log2(1 + j * block) + (p.to_nearest() ? 1 : 0);
    sum += *step * rational_power_of_two(above);
  }
  if (blocks > 1 && !(*f.c == *f.d)) return std::nullopt;
  return sum;
}

/// NVFP4 and MXFP4: exact sums of groups, scaled, and added with c in one fused sum.
std::optional<Rational> group_sum(const DotFormats& f, const Parameters& p) {
  if (!is_known_fused_sum(p)) return std::nullopt;
  const int places = p.number("fraction_bits");
  const int groups = f.k / p.number("group");
  // A group's sum has the exponent of its scale factors and is a multiple of its least product.
  const int zeros = f.a->fraction_bits + f.b->fraction_bits - f.a->least_exponent() -
                    f.b->least_exponent() + 2 * f.scale->fraction_bits;
  // The group of the largest exponent is not zero, nor is its largest product.
  const Rational cut = rational_power_of_two(f.d->fraction_bits - places + zeros);
  return (groups + 1) * cut + rounding_error(f, p, ceil_log2(f.k + 1));
}

/// One step of CDNA3: products cut toward zero below their group's largest exponent, the groups'
/// sums and c rounded down below that of all.
///
/// As in a fused sum, a cut to F bits is less than 2^(p - F + z) ulp, if the largest exponent is
/// l + z at most.
std::optional<Rational> round_down_sum(const DotFormats& f, const Parameters& p, int count) {
  if (!is_known_rounding(p) || !p.is("underflow", "gradual")) return std::nullopt;
  const Format& d = *f.d;
  const int places = p.number("product_bits");
  const int in_product = f.a->fraction_bits + f.b->fraction_bits;
  const int least = f.a->least_exponent() + f.b->least_exponent();
  if (places < in_product || p.number("sum_bits") < in_product) return std::nullopt;
  const auto cut = [&](int bits, int zeros) {
    return rational_power_of_two(d.fraction_bits - bits + zeros);
  };
  // Of c, which may be left out as well.
  const auto reach = p.optional_number("c_reach");
  const int c_bits = std::min(p.number("c_bits"), reach.value_or(p.number("c_bits")));
  const auto all = [&](int zeros) {
    return Rational((count + p.number("groups") - 1) * cut(places, zeros) +
                    cut(p.number("sum_bits"), zeros) + cut(c_bits, zeros));
  };
  // A normal product or c has the largest exponent; or a product with one subnormal factor.
  const auto zeros = [&](const Format& subnormal, const Format& other) {
    return std::clamp(subnormal.least_exponent() + other.largest_exponent() - d.least_exponent(), 0,
                      subnormal.fraction_bits);
  };
  Rational cuts = all(std::max(zeros(*f.a, *f.b), zeros(*f.b, *f.a)));
  // Both are subnormal: no product has a smaller exponent, and none is cut.
  cuts = std::max(cuts, cut(c_bits, std::clamp(least - d.least_exponent(), 0, in_product)));
  // A zero has it. Where no product's exponent is smaller, all products are zeros.
  if (p.is("zero_terms", "operands-count")) {
    const int zero = p.number("zero_exponent");
    const int top = zero + std::max({zero, f.a->largest_exponent(), f.b->largest_exponent()});
    const int above = std::max({top, zero, d.least_exponent()}) - d.least_exponent();
    cuts = std::max(cuts,
                    top <= least && zero <= d.least_exponent() ? cut(c_bits, above) : all(above));
  }
  // The sum is count + 1 times the largest term at most, and what was cut.
  const Rational sum = (count + 1) * rational_power_of_two(d.fraction_bits + 1) + cuts;
  const Rational last_bits = p.to_nearest() ? Rational(1, 2) : Rational(1);
  return cuts + last_bits * std::max(rational_power_of_two(d.fraction_bits - p.number("kept_bits")),
                                     Rational(sum * rational_power_of_two(-p.number("kept_bits"))));
}

/// K products, each added to the sum so far and rounded to nearest: no partial sum is more than
/// twice K + 1 times the largest term.
std::optional<Rational> fma_chain(const DotFormats& f, const Parameters& p) {
  if (!is_known_rounding(p) || !p.is("underflow", "gradual")) return std::nullopt;
  Rational sum = 0;
  for (int j = 0; j < f.k; ++j) sum += rounding_error(f, p, ceil_log2(j + 2) + (j > 0 ? 1 : 0));
  return sum;
}

/// Products and sums that are each rounded; subnormal operands and results may become zero.
std::optional<Rational> pairwise_sum(const DotFormats& f, const Parameters& p) {
  if (!is_known_rounding(p)) return std::nullopt;
  const bool flushes = p.is("underflow", "flush");
  // A product: rounded, or, below d's least normal number, flushed.
  const Rational flushed = flushes ? rational_power_of_two(f.d->fraction_bits) : Rational(0);
  // A flushed operand takes its term along, which is less than 2^(l + 1).
  const Rational lost =
      p.is("flush_inputs", "yes") ? rational_power_of_two(f.d->fraction_bits + 1) : Rational(0);
  const Rational products = f.k * (rounding_error(f, p, 0) + flushed) + (f.k + 1) * lost;
  // As many additions as products, each of a sum below four times K + 1 times the largest term.
  const Rational additions = f.k * (rounding_error(f, p, ceil_log2(f.k + 1) + 2) + flushed);
  return products + additions;
}

/// Two fused sums of half the products, chained or added, and c added at the end, both to nearest:
/// no sum is more than four times K + 1 times the largest term.
std::optional<Rational> split_sum(const DotFormats& f, const Parameters& p, bool normal_factors) {
  DotFormats half = f;
  half.c = f.d;
  const std::optional<Rational> step = fused_sum(half, p, f.k / 2, normal_factors);
  if (!step) return std::nullopt;
  const Rational addition = rational_power_of_two(ceil_log2(f.k + 1) + 2) / 2;
  if (p.is("halves", "added")) return 2 * *step + 2 * addition;
  return *chain(half, p, f.k / 2, 2, step) + addition;
}

}  // namespace

std::optional<Rational> error_by_analysis(const Instruction& instruction, bool normal_factors) {
  const DotFormats& f = instruction.formats;
  const Parameters p(instruction);
  const std::string& name = instruction.algorithm.name();
  if (name == "fused-dot-add") {
    const int block = p.number("block");
    return chain(f, p, block, f.k / block, fused_sum(f, p, block, normal_factors));
  }
  if (name == "round-down-dot-add") {
    const int block = p.number("block");
    const int blocks = f.k / block;
    const auto step = round_down_sum(f, p, block);
    // What is rounded down may be larger for it; but by the largest term at most, here.
    const auto before_last = chain(f, p, block, blocks - 1, step);
    if (!before_last || *before_last > rational_power_of_two(f.d->fraction_bits)) {
      return std::nullopt;
    }
    return chain(f, p, block, blocks, step);
  }
  if (name == "split-fp8") return split_sum(f, p, normal_factors);
  if (name == "group-dot-fused-sum") return group_sum(f, p);
  if (name == "sequential-fma") return fma_chain(f, p);
  if (name == "group-pairwise-sum") return pairwise_sum(f, p);
  return std::nullopt;
}

}  // namespace mmaspec
