#include "queries/errors/step_cuts.h"

#include <algorithm>

namespace mmaspec {
namespace {

/// By how many binades the exponent of c may exceed that of the largest term: c is subnormal in a
/// format whose least exponent is larger than d's, and is not normalized.
int places_lost_by_c(const DotFormats& f) {
  return std::clamp(f.c->least_exponent() - f.d->least_exponent(), 0, f.c->fraction_bits);
}

}  // namespace

std::optional<KnownRounding> known_rounding(const ResultFormat& result) {
  const auto& [format, rounding, underflow, overflow, kept] = result;
  const bool to_nearest = rounding == Rounding::nearest_even;
  if ((!to_nearest && rounding != Rounding::toward_zero) || overflow != Overflow::to_infinity) {
    return std::nullopt;
  }
  return KnownRounding{result.fraction_bits(), to_nearest, underflow != Underflow::gradual};
}

/// One fused sum of `count` products and c: F bits below the largest exponent are kept of each
/// term.
///
/// A cut removes less than 2^(e_max - F) from a term, and nothing from the term whose exponent is
/// e_max if F bits hold it. That term is at least 2^(e_max - z), where z is the number of leading
/// zeros of subnormal factors. So l >= e_max - z, and a cut is less than 2^(p - F + z) ulp.
std::optional<StepCuts> cuts_of_fused_sum(const DotFormats& f, const FusedDotAdd& design, int count,
                                          ErrorOf of) {
  // The caller handles which terms share a step; signs of zeros do not matter.
  const auto& [places, floor, zero_terms, zero_exponent, block, result, align_rounding, c_joins,
               normalized_products, flush_inputs, product_overflow, minus_zero, normalized_c] =
      design;
  const auto rounding = known_rounding(result);
  if (!rounding || rounding->flushes || zero_terms != ZeroTerms::left_out ||
      align_rounding != Rounding::toward_zero || c_joins != AccumulatorJoins::early ||
      flush_inputs || product_overflow) {
    return std::nullopt;
  }
  const Format& d = *f.d;
  const int in_product = f.a->fraction_bits + f.b->fraction_bits;
  // The leading bit of a normalized product is where others have a carry.
  if (places < in_product + (normalized_products ? 1 : 0)) return std::nullopt;
  if (f.scale != nullptr && f.scale->fraction_bits > 0) return std::nullopt;
  // No term loses more than itself, which is less than 2^(l + 1).
  const auto cut = [&d, F = places](int zeros) {
    return rational_power_of_two(std::min(d.fraction_bits - F + zeros, d.fraction_bits + 1));
  };
  // A normal product or c has the largest exponent. A subnormal c has d's least exponent, which l
  // is at least, or was normalized; F bits may not hold it.
  Rational cuts = (places < f.c->fraction_bits ? count + 1 : count) * cut(0);
  // A subnormal c that is not normalized has the largest exponent, by some binades above its
  // leading bit.
  if (!normalized_c) cuts = std::max(cuts, Rational((count + 1) * cut(places_lost_by_c(f))));
  // The floor is the largest exponent.
  if (floor) cuts = std::max(cuts, Rational((count + 1) * cut(*floor - d.least_exponent())));
  // No product has a larger exponent than the one that it counts with.
  if (of == ErrorOf::all && !normalized_products) {
    // One factor is subnormal; l is at least d's least exponent.
    const auto zeros = [&](const Format& subnormal, const Format& other) {
      const int most = subnormal.least_exponent() + other.largest_exponent() - d.least_exponent();
      return f.scale == nullptr ? std::min(subnormal.fraction_bits, most) : subnormal.fraction_bits;
    };
    cuts = std::max(cuts, Rational(count * cut(std::max(zeros(*f.a, *f.b), zeros(*f.b, *f.a)))));
    // Both factors are subnormal: then no product has a smaller exponent if all have the same scale
    // factors, and F bits hold all of each product. Only c is cut, unless its exponent cannot be
    // smaller either.
    const bool one_scale = f.scale == nullptr || f.scale_block % count == 0;
    const bool normalised = normalized_c && !(*f.c == d);
    const int least_c = f.c->least_exponent() - (normalised ? f.c->fraction_bits : 0);
    const bool c_stays = f.scale == nullptr && places >= f.c->fraction_bits &&
                         least_c >= f.a->least_exponent() + f.b->least_exponent();
    const int cut_terms = one_scale ? (c_stays ? 0 : 1) : count;
    const int least = f.a->least_exponent() + f.b->least_exponent() - d.least_exponent();
    const int both = f.scale == nullptr ? std::min(in_product, least) : in_product;
    cuts = std::max(cuts, Rational(cut_terms * cut(both)));
  }
  return StepCuts{cuts, *rounding};
}

/// NVFP4 and MXFP4: exact sums of groups are scaled and added with c in one fused sum.
std::optional<StepCuts> cuts_of_group_sum(const DotFormats& f, const GroupDotFusedSum& design) {
  const auto& [group, places, zero_terms, zero_exponent, result, exponent_floor,
               cancelled_groups_count] = design;
  const auto rounding = known_rounding(result);
  if (!rounding || rounding->flushes || zero_terms != ZeroTerms::left_out ||
      cancelled_groups_count || (exponent_floor && *exponent_floor > f.d->least_exponent())) {
    return std::nullopt;
  }
  const int groups = f.k / group;
  // A group's sum has the exponent of its scale factors and is a multiple of its least product. The
  // group with the largest exponent is not zero, nor is its largest product.
  const int zeros = f.a->fraction_bits + f.b->fraction_bits - f.a->least_exponent() -
                    f.b->least_exponent() + 2 * f.scale->fraction_bits;
  const Rational cut =
      rational_power_of_two(f.d->fraction_bits - places + std::max(zeros, places_lost_by_c(f)));
  return StepCuts{(groups + 1) * cut, *rounding};
}

/// One step of CDNA3: products are cut toward zero below their group's largest exponent; the
/// groups' sums and c are rounded down below the largest of all exponents.
///
/// As in a fused sum, a cut to F bits is less than 2^(p - F + z) ulp if the largest exponent is at
/// most l + z.
std::optional<StepCuts> cuts_of_round_down_sum(const DotFormats& f, const RoundDownDotAdd& design,
                                               ErrorOf of) {
  // Down or toward zero, less than a unit is cut. An overflow of products gives an infinite result.
  const auto& [count, groups, places, sum_bits, sum_rounding, all_c_bits, c_rounding, c_reach,
               product_overflow, zero_terms, zero, result, normalized_bits, overflow_joins] =
      design;
  const auto rounding = known_rounding(result);
  if (!rounding || rounding->flushes) return std::nullopt;
  const Format& d = *f.d;
  const int in_product = f.a->fraction_bits + f.b->fraction_bits;
  const int least = f.a->least_exponent() + f.b->least_exponent();
  if (places < in_product || sum_bits < in_product) return std::nullopt;
  const auto cut = [&](int bits, int zeros) {
    return rational_power_of_two(d.fraction_bits - bits + zeros);
  };
  // For c, which may also be left out.
  const int c_bits = std::min(all_c_bits, c_reach.value_or(all_c_bits));
  const auto all = [&, n = count + groups - 1, F = places, sum = sum_bits](int z) {
    return Rational(n * cut(F, z) + cut(sum, z) + cut(c_bits, z));
  };
  // A normal product or c has the largest exponent; or a product with one subnormal factor has it.
  const auto zeros = [&](const Format& subnormal, const Format& other) {
    return std::clamp(subnormal.least_exponent() + other.largest_exponent() - d.least_exponent(), 0,
                      subnormal.fraction_bits);
  };
  const int of_products = of != ErrorOf::all ? 0 : std::max(zeros(*f.a, *f.b), zeros(*f.b, *f.a));
  Rational cuts = all(std::max(of_products, places_lost_by_c(f)));
  // Both factors are subnormal: no product has a smaller exponent, and none is cut.
  if (of == ErrorOf::all) {
    cuts = std::max(cuts, cut(c_bits, std::clamp(least - d.least_exponent(), 0, in_product)));
  }
  // A zero has the largest exponent. If no product's exponent is smaller, all products are zeros.
  // (A zero whose exponent is at most that of a subnormal number counts like one.)
  const bool counts_as_subnormal =
      zero <= std::min({f.a->least_exponent(), f.b->least_exponent(), d.least_exponent()});
  if (zero_terms == ZeroTerms::operands_count && !(of == ErrorOf::counted && counts_as_subnormal)) {
    const int top = zero + std::max({zero, f.a->largest_exponent(), f.b->largest_exponent()});
    const int above = std::max({top, zero, d.least_exponent()}) - d.least_exponent();
    cuts = std::max(cuts,
                    top <= least && zero <= d.least_exponent() ? cut(c_bits, above) : all(above));
  }
  // The sum is at most count + 1 times the largest term, plus what was cut. Normalization loses
  // less than a unit of its last place.
  if (normalized_bits) {
    const Rational sum = (count + 1) * rational_power_of_two(d.fraction_bits + 1) + cuts;
    cuts += sum * rational_power_of_two(-*normalized_bits);
  }
  return StepCuts{cuts, *rounding};
}

}  // namespace mmaspec
