#include "queries/arguments/error_analysis.h"

#include <algorithm>

#include "queries/arguments/known_design.h"
#include "queries/arguments/steps.h"

namespace mmaspec {
namespace {

// In what follows l is the exponent of the largest term, at least d's least exponent, and an ulp is
// 2^(l - p), p the fraction bits of d. All errors are in such ulp. For ErrorOf::counted l is the
// largest exponent that a product counts, its factors' exponents together, if that is larger: it is
// so where leading zeros of subnormal factors make the product smaller than its exponent says.

/// A rounding that the analysis knows: to nearest even or toward zero, overflowing to infinity (of
/// which nothing is said).
struct KnownRounding {
  int kept;  ///< fraction bits
  bool to_nearest;
  bool flushes;  ///< subnormal results become zeros
};

std::optional<KnownRounding> known_rounding(const ResultFormat& result) {
  const auto& [format, rounding, underflow, overflow, kept] = result;
  const bool to_nearest = rounding == Rounding::nearest_even;
  if ((!to_nearest && rounding != Rounding::toward_zero) || overflow != Overflow::to_infinity) {
    return std::nullopt;
  }
  return KnownRounding{result.fraction_bits(), to_nearest, underflow != Underflow::gradual};
}

/// A number of exponent l + above is rounded: less than one unit of its last place, or half.
Rational rounding_error(const DotFormats& f, const KnownRounding& r, int above) {
  const Rational unit = rational_power_of_two(above + f.d->fraction_bits - r.kept);
  return r.to_nearest ? Rational(unit / 2) : unit;
}

/// How many places the exponent that c counts may lie above that of the largest term: c is
/// subnormal in a format of a larger least exponent than d's, and not normalised.
int places_lost_by_c(const DotFormats& f) {
  return std::clamp(f.c->least_exponent() - f.d->least_exponent(), 0, f.c->fraction_bits);
}

/// One fused sum of `count` products and c: F bits below the largest exponent stay of each term.
///
/// A cut takes less than 2^(e_max - F) from a term, and nothing from the one whose exponent is
/// e_max if F bits hold it. That one is at least 2^(e_max - z), where z places are lost to leading
/// zeros of subnormal factors; so l >= e_max - z, and a cut is less than 2^(p - F + z) ulp.
std::optional<Rational> fused_sum(const DotFormats& f, const FusedDotAdd& design, int count,
                                  ErrorOf of) {
  // What shares a step is the caller's matter; signs of zeros make no difference.
  const auto& [places, floor, zero_terms, zero_exponent, block, result, align_rounding, c_joins,
               normalized_products, flush_inputs, product_overflow, minus_zero] = design;
  const auto rounding = known_rounding(result);
  if (!rounding || rounding->flushes || zero_terms != ZeroTerms::left_out ||
      align_rounding != Rounding::toward_zero || c_joins != AccumulatorJoins::early ||
      flush_inputs || product_overflow) {
    return std::nullopt;
  }
  const Format& d = *f.d;
  const int in_product = f.a->fraction_bits + f.b->fraction_bits;
  // A normalised product has its leading bit where others have a carry.
  if (places < in_product + (normalized_products ? 1 : 0)) return std::nullopt;
  if (f.scale != nullptr && f.scale->fraction_bits > 0) return std::nullopt;
  // And no term loses more than itself, which is less than 2^(l + 1).
  const auto cut = [&d, F = places](int zeros) {
    return rational_power_of_two(std::min(d.fraction_bits - F + zeros, d.fraction_bits + 1));
  };
  // A normal product or c has the largest exponent. c: a subnormal one has d's least exponent,
  // which l is at least, or was normalised; F bits may not hold it.
  Rational cuts = (places < f.c->fraction_bits ? count + 1 : count) * cut(0);
  // The floor is the largest exponent.
  if (floor) cuts = std::max(cuts, Rational((count + 1) * cut(*floor - d.least_exponent())));
  // No product has a larger exponent than what it counts.
  if (of == ErrorOf::all && !normalized_products) {
    // One factor is subnormal; l is d's least exponent at least.
    const auto zeros = [&](const Format& subnormal, const Format& other) {
      const int most = subnormal.least_exponent() + other.largest_exponent() - d.least_exponent();
      return f.scale == nullptr ? std::min(subnormal.fraction_bits, most) : subnormal.fraction_bits;
    };
    cuts = std::max(cuts, Rational(count * cut(std::max(zeros(*f.a, *f.b), zeros(*f.b, *f.a)))));
    // Both are: no product has a smaller exponent then, if all have the same scale factors, and F
    // bits hold all of each: only c is cut, unless its exponent cannot be smaller either.
    const bool one_scale = f.scale == nullptr || f.scale_block % count == 0;
    const int least_c = f.c->least_exponent() - (*f.c == d ? 0 : f.c->fraction_bits);
    const bool c_stays = f.scale == nullptr && places >= f.c->fraction_bits &&
                         least_c >= f.a->least_exponent() + f.b->least_exponent();
    const int cut_terms = one_scale ? (c_stays ? 0 : 1) : count;
    const int least = f.a->least_exponent() + f.b->least_exponent() - d.least_exponent();
    const int both = f.scale == nullptr ? std::min(in_product, least) : in_product;
    cuts = std::max(cuts, Rational(cut_terms * cut(both)));
  }
  // What is left adds up to no more than count + 1 times the largest term.
  return cuts + rounding_error(f, *rounding, ceil_log2(count + 1));
}

/// A chain of blocks, each of which takes the last one's result as c, and errs by no more than
/// `step`. `largest`: the j-th result is less than that many times 2^(l + 1); so many places may
/// the next block's largest exponent lie higher.
template <typename Largest>
std::optional<Rational> chain(const DotFormats& f, int blocks, const Rational& step,
                              const Largest& largest) {
  if (blocks > 1 && !(*f.c == *f.d)) return std::nullopt;
  Rational sum = 0;
  for (int j = 0; j < blocks; ++j) {
    sum += step * rational_power_of_two(j == 0 ? 0 : ceil_log2(largest(j)));
  }
  return sum;
}

/// Results of fused sums: 1 + j * block terms that were cut and rounded toward zero; to nearest, a
/// result comes no further from the last one than twice what was added to it, since that one is a
/// number of the same format.
std::optional<Rational> fused_chain(const DotFormats& f, const FusedDotAdd& design, int block,
                                    int blocks, ErrorOf of) {
  const auto step = fused_sum(f, design, block, of);
  if (!step) return std::nullopt;
  const int most = design.result.rounding == Rounding::toward_zero ? 1 : 2;
  return chain(f, blocks, *step, [=](int j) { return most * (1 + j * block); });
}

/// NVFP4 and MXFP4: exact sums of groups, scaled, and added with c in one fused sum.
std::optional<Rational> group_sum(const DotFormats& f, const GroupDotFusedSum& design) {
  const auto& [group, places, zero_terms, zero_exponent, result] = design;
  const auto rounding = known_rounding(result);
  if (!rounding || rounding->flushes || zero_terms != ZeroTerms::left_out) return std::nullopt;
  const int groups = f.k / group;
  // A group's sum has the exponent of its scale factors and is a multiple of its least product. The
  // group of the largest exponent is not zero, nor is its largest product.
  const int zeros = f.a->fraction_bits + f.b->fraction_bits - f.a->least_exponent() -
                    f.b->least_exponent() + 2 * f.scale->fraction_bits;
  const Rational cut =
      rational_power_of_two(f.d->fraction_bits - places + std::max(zeros, places_lost_by_c(f)));
  return (groups + 1) * cut + rounding_error(f, *rounding, ceil_log2(f.k + 1));
}

/// One step of CDNA3: products cut toward zero below their group's largest exponent, the groups'
/// sums and c rounded down below that of all.
///
/// As in a fused sum, a cut to F bits is less than 2^(p - F + z) ulp, if the largest exponent is
/// l + z at most.
std::optional<Rational> round_down_sum(const DotFormats& f, const RoundDownDotAdd& design,
                                       ErrorOf of) {
  // Down or toward zero, less than a unit is cut; an overflow of products is an infinite result.
  const auto& [count, groups, places, sum_bits, sum_rounding, all_c_bits, c_rounding, c_reach,
               product_overflow, zero_terms, zero, result] = design;
  const auto rounding = known_rounding(result);
  if (!rounding || rounding->flushes) return std::nullopt;
  const Format& d = *f.d;
  const int in_product = f.a->fraction_bits + f.b->fraction_bits;
  const int least = f.a->least_exponent() + f.b->least_exponent();
  if (places < in_product || sum_bits < in_product) return std::nullopt;
  const auto cut = [&](int bits, int zeros) {
    return rational_power_of_two(d.fraction_bits - bits + zeros);
  };
  // Of c, which may be left out as well.
  const int c_bits = std::min(all_c_bits, c_reach.value_or(all_c_bits));
  const auto all = [&, n = count + groups - 1, F = places, sum = sum_bits](int z) {
    return Rational(n * cut(F, z) + cut(sum, z) + cut(c_bits, z));
  };
  // A normal product or c has the largest exponent; or a product with one subnormal factor.
  const auto zeros = [&](const Format& subnormal, const Format& other) {
    return std::clamp(subnormal.least_exponent() + other.largest_exponent() - d.least_exponent(), 0,
                      subnormal.fraction_bits);
  };
  const int of_products = of != ErrorOf::all ? 0 : std::max(zeros(*f.a, *f.b), zeros(*f.b, *f.a));
  Rational cuts = all(std::max(of_products, places_lost_by_c(f)));
  // Both are subnormal: no product has a smaller exponent, and none is cut.
  if (of == ErrorOf::all) {
    cuts = std::max(cuts, cut(c_bits, std::clamp(least - d.least_exponent(), 0, in_product)));
  }
  // A zero has it. Where no product's exponent is smaller, all products are zeros. (A zero that
  // counts no more than a subnormal number counts as one.)
  const bool counts_as_subnormal =
      zero <= std::min({f.a->least_exponent(), f.b->least_exponent(), d.least_exponent()});
  if (zero_terms == ZeroTerms::operands_count && !(of == ErrorOf::counted && counts_as_subnormal)) {
    const int top = zero + std::max({zero, f.a->largest_exponent(), f.b->largest_exponent()});
    const int above = std::max({top, zero, d.least_exponent()}) - d.least_exponent();
    cuts = std::max(cuts,
                    top <= least && zero <= d.least_exponent() ? cut(c_bits, above) : all(above));
  }
  // The sum is count + 1 times the largest term at most, and what was cut.
  const Rational sum = (count + 1) * rational_power_of_two(d.fraction_bits + 1) + cuts;
  const Rational last_bits = rounding->to_nearest ? Rational(1, 2) : Rational(1);
  return cuts + last_bits * std::max(rational_power_of_two(d.fraction_bits - rounding->kept),
                                     Rational(sum * rational_power_of_two(-rounding->kept)));
}

/// What is rounded down may be larger for it: the j-th result is at most 1 + j * block times the
/// largest term, and the error up to there.
std::optional<Rational> round_down_chain(const DotFormats& f, const RoundDownDotAdd& design,
                                         ErrorOf of) {
  const auto step = round_down_sum(f, design, of);
  if (!step) return std::nullopt;
  const int blocks = f.k / design.block;
  // That error is at most 2^l, half of 2^(l + 1); see below.
  const auto largest = [&](int j) {
    const int terms = 1 + j * design.block;
    return design.result.rounding == Rounding::toward_zero ? terms + 1 : 2 * terms;
  };
  const auto before_last = chain(f, blocks - 1, *step, largest);
  if (!before_last || *before_last > rational_power_of_two(f.d->fraction_bits)) return std::nullopt;
  return chain(f, blocks, *step, largest);
}

/// K products, each added to the sum so far and rounded: no partial sum is more than twice K + 1
/// times the largest term.
std::optional<Rational> fma_chain(const DotFormats& f, const SequentialFma& design) {
  const auto& [result, flush_inputs, reversed, chains] = design;  // in whatever order
  const auto rounding = known_rounding(result);
  if (!rounding || rounding->flushes || flush_inputs || chains != 1) return std::nullopt;
  Rational sum = 0;
  for (int j = 0; j < f.k; ++j) {
    sum += rounding_error(f, *rounding, ceil_log2(j + 2) + (j > 0 ? 1 : 0));
  }
  return sum;
}

/// Products and sums that are each rounded; subnormal operands and results may become zero.
std::optional<Rational> pairwise_sum(const DotFormats& f, const GroupPairwiseSum& design) {
  const auto& [group, flush_inputs, step] = design;
  const auto rounding = known_rounding(step);
  if (!rounding) return std::nullopt;
  // To nearest, a product and each level of a group's tree grow by 1 + 2^-kept / 2 at most: so many
  // of them by less than two.
  const int levels = 1 + ceil_log2(group);
  if (rounding->to_nearest &&
      Integer(levels) > power_of_two(static_cast<unsigned>(rounding->kept))) {
    return std::nullopt;
  }
  // A product: rounded, or, below d's least normal number, flushed.
  const Rational flushed =
      rounding->flushes ? rational_power_of_two(f.d->fraction_bits) : Rational(0);
  // A flushed operand takes its term along, which is less than 2^(l + 1).
  const Rational lost = flush_inputs ? rational_power_of_two(f.d->fraction_bits + 1) : Rational(0);
  const Rational products = f.k * (rounding_error(f, *rounding, 0) + flushed) + (f.k + 1) * lost;
  // As many additions as products, each of a sum below four times K + 1 times the largest term.
  const Rational additions = f.k * (rounding_error(f, *rounding, ceil_log2(f.k + 1) + 2) + flushed);
  return products + additions;
}

/// Two fused sums of half the products, chained or added, and c added at the end, both to nearest:
/// no sum is more than four times K + 1 times the largest term.
std::optional<Rational> split_sum(const DotFormats& f, const SplitFp8& design, ErrorOf of) {
  const auto& [fused, chained_halves] = design;
  DotFormats half = f;
  half.c = f.d;
  const Rational addition = rational_power_of_two(ceil_log2(f.k + 1) + 2) / 2;
  if (!chained_halves) {
    const auto step = fused_sum(half, fused, f.k / 2, of);
    if (!step) return std::nullopt;
    return 2 * *step + 2 * addition;
  }
  const auto halves = fused_chain(half, fused, f.k / 2, 2, of);
  if (!halves) return std::nullopt;
  return *halves + addition;
}

std::optional<Rational> analysed(const Algorithm& algorithm, const DotFormats& f, ErrorOf of) {
  if (const auto* fused = known<FusedDotAdd>(algorithm, f)) {
    return fused_chain(f, *fused, fused->block, f.k / fused->block, of);
  }
  if (const auto* down = known<RoundDownDotAdd>(algorithm, f)) {
    return round_down_chain(f, *down, of);
  }
  if (const auto* split = known<SplitFp8>(algorithm, f)) return split_sum(f, *split, of);
  if (const auto* groups = known<GroupDotFusedSum>(algorithm, f)) return group_sum(f, *groups);
  if (const auto* fma = known<SequentialFma>(algorithm, f)) return fma_chain(f, *fma);
  if (const auto* pairwise = known<GroupPairwiseSum>(algorithm, f)) {
    return pairwise_sum(f, *pairwise);
  }
  // Zero products change neither the exact result nor the largest term, and zero is a number like
  // any other to the analysis of the whole.
  const auto* padded = known<Padded>(algorithm, f);
  if (padded == nullptr) return std::nullopt;
  // Zero factors count no exponent.
  return analysed(*padded->whole, padded->whole_formats, of);
}

}  // namespace

std::optional<Rational> error_by_analysis(const Instruction& instruction, ErrorOf of) {
  return analysed(instruction.algorithm, instruction.formats, of);
}

}  // namespace mmaspec
