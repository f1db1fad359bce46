#include "queries/theorems/redundant/aligned.h"

#include <algorithm>
#include <optional>

#include "queries/theorems/magnitudes.h"
#include "queries/theorems/redundant/idle.h"
#include "queries/theorems/term_bits.h"
#include "spec/formats/text.h"

namespace mmaspec {
namespace {

/// Nonzero numbers of one kind: multiples of 2^unit with exponents of at least `least`.
struct Kind {
  int least;
  int unit;
  bool accumulates = false;  ///< it is c: if no other term is left, only c is rounded
};

Kind numbers_of(const Format& format) {
  return {format.least_exponent(), format.least_exponent() - format.fraction_bits};
}

/// If the leading bit determines the exponent, exponents go down to the unit.
Kind normalised(const Kind& kind) { return {kind.unit, kind.unit}; }

Kind products_of(const FusedDotAdd& design, const DotFormats& f) {
  const Kind a = numbers_of(*f.a);
  const Kind b = numbers_of(*f.b);
  Kind products{a.least + b.least, a.unit + b.unit};
  if (f.scale != nullptr) {
    const Kind scale = numbers_of(*f.scale);
    products.least += 2 * scale.least;
    products.unit += 2 * scale.unit;
  }
  return design.normalized_products ? normalised(products) : products;
}

/// How a sum is cut and rounded.
struct Cuts {
  int fraction_bits;  ///< kept by the cut
  Rounding alignment;
  const ResultFormat* result;
};

/// True if the result depends only on the terms although the largest exponent is raised to at most
/// `raised`.
bool is_idle(int raised, const Cuts& cuts, const std::vector<Kind>& kinds) {
  // The last bit that affects rounding toward zero; half of it if ties round away from zero.
  const ResultFormat& result = *cuts.result;
  int last = result.format->least_exponent() - result.fraction_bits();
  if (result.rounding == Rounding::nearest_away) --last;
  const bool alone_is_cut_as_rounded =
      cuts.alignment == Rounding::toward_zero && raised - cuts.fraction_bits <= last &&
      (result.rounding == Rounding::toward_zero || result.rounding == Rounding::nearest_away);
  const auto all = [&](auto fine) { return std::all_of(kinds.begin(), kinds.end(), fine); };
  const auto is_whole = [&](const Kind& kind) {
    return kind.least >= raised || kind.unit >= raised - cuts.fraction_bits;
  };
  // Either nothing is cut from any term, or terms are cut only if c is the only one, and not more
  // than rounding cuts.
  return all(is_whole) || (alone_is_cut_as_rounded && all([&](const Kind& kind) {
                             return kind.least >= raised || kind.accumulates;
                           }));
}

/// Products and the numbers that are added to them: c and, if there is another step, the previous
/// result, which is a multiple of the unit of products and c.
std::vector<Kind> with_accumulators(const Kind& products, const Kind& c, bool chained,
                                    const DotFormats& f) {
  std::vector<Kind> kinds{products, {c.least, c.unit, true}};
  if (!chained) return kinds;
  const int unit = std::min(products.unit, c.unit);
  const Kind d = numbers_of(*f.d);
  kinds.push_back({std::max(d.least, unit), std::max(d.unit, unit), true});
  return kinds;
}

/// The largest exponent that a zero among the operands can count as.
int most_of_zeros(int zero, const DotFormats& f) {
  int product = zero + std::max({zero, f.a->largest_exponent(), f.b->largest_exponent()});
  if (f.scale != nullptr) {
    // A zero operand, or a zero scale factor next to nonzero operands.
    const int scale = std::max(zero, f.scale->largest_exponent());
    const int operand_a = std::max(zero, f.a->largest_exponent());
    const int operand_b = std::max(zero, f.b->largest_exponent());
    product = std::max(product + 2 * scale, operand_a + operand_b + zero + scale);
  }
  return std::max(product, zero);
}

/// True if only terms raise the largest exponent above that of 1.
bool raises_little(ZeroTerms zero_terms, int zero_exponent, std::optional<int> floor,
                   const DotFormats& f) {
  return floor.value_or(0) <= 0 &&
         (zero_terms == ZeroTerms::left_out || most_of_zeros(zero_exponent, f) <= 0);
}

/// An upper bound of the largest exponent; `top` is that of the numbers that are added to products.
int most_of_all(const FusedDotAdd& design, const DotFormats& f, int top) {
  int product = f.a->largest_exponent() + f.b->largest_exponent();
  if (design.normalized_products) ++product;
  if (f.scale != nullptr) product += 2 * f.scale->largest_exponent();
  top = std::max(top, product);
  if (design.exponent_floor) top = std::max(top, *design.exponent_floor);
  if (design.zero_terms == ZeroTerms::operands_count) {
    top = std::max(top, most_of_zeros(design.zero_exponent, f));
  }
  return top;
}

/// True if nothing is cut from any term and no nonzero sum is rounded to zero, which would lose its
/// sign.
bool is_exact_sum(const FusedDotAdd& design, const DotFormats& f, const std::vector<Kind>& kinds) {
  const ResultFormat& result = design.result;
  const int top = std::max(f.c->largest_exponent(), f.d->largest_exponent());
  const int last = std::max(most_of_all(design, f, top) - design.fraction_bits,
                            f.d->least_exponent() - result.fraction_bits());
  return result.underflow == Underflow::gradual && !design.flush_inputs && !design.minus_zero &&
         !design.product_overflow && std::all_of(kinds.begin(), kinds.end(), [&](const Kind& kind) {
           return kind.unit >= last;
         });
}

/// True if no product is so large that it counts as an infinity; or if such a product is the only
/// one of a step, is not cut, and is so large that no finite c makes the sum finite, and overflow
/// gives infinity. A c that is cut away from zero is at most the power of two above its magnitude,
/// or at most half of the product.
bool overflows_anyway(const FusedDotAdd& design, const DotFormats& f) {
  const int overflow = *design.product_overflow;
  if (overflow >= products_below(f, 1)) return true;
  const int top = f.c->largest_exponent();
  return design.block == 1 && f.scale == nullptr &&
         design.result.overflow == Overflow::to_infinity &&
         design.fraction_bits > f.a->fraction_bits + f.b->fraction_bits &&
         top >= f.d->largest_exponent() && overflow >= top + 2 &&
         raises_little(design.zero_terms, design.zero_exponent, design.exponent_floor, f);
}

/// True if, whenever all nonzero terms have exponents below `raised`, a step's sum is flushed to
/// +0, wherever terms are cut: after rounding to the precision of the least normal number it is
/// below that number.
bool flushes_below(int raised, const FusedDotAdd& design, const DotFormats& f) {
  const ResultFormat& result = design.result;
  // If c is added after several products, it may have a larger exponent than they have.
  const bool one_sum = design.c_joins == AccumulatorJoins::early || design.block == 1;
  if (result.underflow == Underflow::gradual || !one_sum) return false;
  const auto& power = rational_power_of_two;
  const int significand = f.scale != nullptr ? 16 : 4;
  const int product = design.normalized_products ? 2 : significand;
  // Cutting away from zero increases each term by less than a unit of the cut.
  const Rational sum = (product * design.block + 2) * power(raised - 1) +
                       (design.block + 2) * power(raised - design.fraction_bits);
  const int least = f.d->least_exponent();
  return sum <= power(least) - power(least - result.fraction_bits());
}

/// A term that is cut, with cut_bits bits from its first to its last; and the other term, which is
/// not cut: its number of bits below its exponent, and of leading zeros.
struct TwoTerms {
  int cut_bits;
  int other_bits;
  int zeros;
};

/// If the sum of two terms is rounded up, it does not matter whether the smaller term, whose
/// negative remainder is cut at F bits below the larger one's exponent, is one unit larger or not.
/// Without that unit the sum is not a possible result, and with it the sum is not one either: the
/// remainder of the sum is from 1 to 2^cut_bits units, and all other parts are multiples of more
/// units than that: the larger term, and the neighbouring results, one bit below the lowest
/// possible leading bit.
bool hides_direction(int cut_fraction_bits, const TwoTerms& x, const ResultFormat& result) {
  const int multiple = std::min(cut_fraction_bits - x.other_bits,
                                cut_fraction_bits - x.zeros - 1 - result.fraction_bits());
  return result.rounding == Rounding::up && multiple >= x.cut_bits;
}

/// For a product next to a larger c.
TwoTerms product_and_c(int product_bits, int cut_fraction_bits, int last_of_products,
                       const DotFormats& f) {
  const int bits = std::max(f.c->fraction_bits, f.d->fraction_bits);
  // Next to a c of the least exponent no product is cut. If one is cut, c is normal.
  const int least = std::max(f.c->least_exponent(), f.d->least_exponent());
  const bool c_is_normal = least - cut_fraction_bits <= last_of_products;
  return {product_bits, bits, c_is_normal ? 0 : bits};
}

/// For c next to a larger product.
TwoTerms c_and_product(int product_bits, const DotFormats& f) {
  const int bits = std::max(f.c->fraction_bits, f.d->fraction_bits);
  return {bits + 1, product_bits - 1, product_bits - 1};
}

FusedDotAdd with_terms_alone(FusedDotAdd design, const DotFormats& f,
                             const std::vector<Kind>& kinds, int top_of_sums) {
  // The argument concerns the terms, their exponents and F. All other parameters affect the
  // operands before it, the sum after it, or special values separately.
  [[maybe_unused]] const auto& [fraction_bits, exponent_floor, zero_terms, zero_exponent, block,
                                result, align_rounding, c_joins, normalized_products, flush_inputs,
                                product_overflow, minus_zero, normalized_c] = design;
  const Cuts cuts{design.fraction_bits, design.align_rounding, &design.result};
  if (design.zero_terms == ZeroTerms::operands_count) {
    const int most = most_of_zeros(design.zero_exponent, f);
    const bool below_floor = design.exponent_floor && most <= *design.exponent_floor;
    if (below_floor || is_idle(most, cuts, kinds) || flushes_below(most, design, f)) {
      design.zero_terms = ZeroTerms::left_out;
    }
  }
  if (design.zero_terms == ZeroTerms::left_out) design.zero_exponent = FusedDotAdd{}.zero_exponent;
  if (design.exponent_floor && (is_idle(*design.exponent_floor, cuts, kinds) ||
                                flushes_below(*design.exponent_floor, design, f))) {
    design.exponent_floor.reset();
  }
  // Cutting a step's only product alone and then next to c, in the same direction and at a bit that
  // is not lower, is the same as cutting it once.
  const int last = most_of_all(design, f, top_of_sums) - design.fraction_bits;
  const bool cuts_no_product = products_of(design, f).unit >= last;
  // If no product is cut for any largest exponent, with or without c, their sum, which is aligned
  // to c's exponent last, is not cut either.
  if (design.block == 1 || cuts_no_product) design.c_joins = AccumulatorJoins::early;
  // If nothing is cut, the rounding of cuts and the exponents of products do not matter.
  if (std::all_of(kinds.begin(), kinds.end(),
                  [&](const Kind& kind) { return kind.unit >= last; })) {
    design.align_rounding = Rounding::toward_zero;
    design.normalized_products = false;
  }
  const int product_bits = f.a->fraction_bits + f.b->fraction_bits + 2 +
                           (f.scale != nullptr ? 2 * (f.scale->fraction_bits + 1) : 0);
  const bool terms_decide = !design.exponent_floor && design.zero_terms == ZeroTerms::left_out;
  if (design.block == 1 && terms_decide &&
      hides_direction(fraction_bits,
                      product_and_c(product_bits, fraction_bits, products_of(design, f).unit, f),
                      result) &&
      hides_direction(fraction_bits, c_and_product(product_bits, f), result)) {
    design.align_rounding = Rounding::toward_zero;
  }
  if (design.product_overflow && overflows_anyway(design, f)) design.product_overflow.reset();
  return design;
}

/// True if the sum of a step of at most `block` products always fits the kept bits, also below the
/// least normal number, so that nothing is ever rounded. The first of the kinds are products.
bool never_rounds(const FusedDotAdd& design, const DotFormats& f, const std::vector<Kind>& kinds,
                  int block, bool c_takes_part) {
  if (f.scale != nullptr) return false;
  const int kept = design.result.fraction_bits();
  // In units of the cut: a product is less than 4 * 2^F (2 * 2^F if normalized), c is less than 2 *
  // 2^F, and cutting away from zero does not exceed these.
  const int units = (design.normalized_products ? 2 : 4) * block + (c_takes_part ? 2 : 0);
  if (design.fraction_bits + ceil_log2(units) > kept + 1) return false;
  // The unit is at least what the largest exponent implies, and all terms are multiples of their
  // own units.
  const int quantum = f.d->least_exponent() - kept;
  const auto all = [&](auto least_unit) {
    return std::all_of(kinds.begin(), kinds.end(),
                       [&](const Kind& kind) { return least_unit(kind) >= quantum; });
  };
  // If zeros count, the numbers that are added to products count for the largest exponent.
  std::optional<int> lowest = design.exponent_floor;
  if (design.zero_terms == ZeroTerms::operands_count) {
    int of_c = design.zero_exponent;
    for (std::size_t i = 1; i < kinds.size(); ++i) of_c = std::min(of_c, kinds[i].least);
    lowest = std::max(lowest.value_or(of_c), of_c);
  }
  if (lowest && *lowest - design.fraction_bits >= quantum) return true;
  return all([&](const Kind& kind) { return kind.least - design.fraction_bits; }) ||
         all([](const Kind& kind) { return kind.unit; });
}

/// The result with its rounding set to a canonical value, if nothing is rounded and overflow does
/// not depend on the rounding. The largest number depends on the number of kept bits.
ResultFormat unrounded(ResultFormat result, bool no_overflow) {
  if (!no_overflow && result.overflow == Overflow::directed) return result;
  if (no_overflow || result.overflow == Overflow::to_infinity) {
    result.kept_fraction_bits = result.format->fraction_bits;
  }
  result.rounding = Rounding::toward_zero;
  return result;
}

/// Removes the exponent that zeros count as, if it is redundant.
RoundDownDotAdd with_products_and_c_alone(RoundDownDotAdd design, const DotFormats& f) {
  if (design.zero_terms == ZeroTerms::operands_count) {
    const int most = most_of_zeros(design.zero_exponent, f);
    const Kind products{f.a->least_exponent() + f.b->least_exponent(), lowest_product_bit(f)};
    std::vector<Kind> kinds = with_accumulators(products, numbers_of(*f.c), design.block < f.k, f);
    bool reached = true;
    for (Kind& kind : kinds) {
      if (design.c_reach && kind.accumulates) {
        reached = reached && kind.least >= most - *design.c_reach;
      }
      kind.accumulates = false;  // nothing may be cut
    }
    const Cuts cuts{
        std::min({design.product_fraction_bits, design.sum_fraction_bits, design.c_fraction_bits}),
        Rounding::down, &design.result};
    if (reached && is_idle(most, cuts, kinds)) design.zero_terms = ZeroTerms::left_out;
  }
  if (design.zero_terms == ZeroTerms::left_out) {
    design.zero_exponent = RoundDownDotAdd{}.zero_exponent;
  }
  return design;
}

/// The least number of bits of a sum from which on the number is redundant, because rounding down
/// to these bits and then rounding down again is the same as rounding once. c must be a multiple of
/// the sum's unit, and so must the results next to the sum. That holds if products lose bits next
/// to c: they are then less than half of a normal c, and the unit of a subnormal c is not finer
/// than d's. Returns a huge number if nothing is proved.
int idle_sum_bits(const RoundDownDotAdd& design, const DotFormats& f) {
  constexpr int kNone = 1 << 20;
  const bool rounds_down =
      design.sum_rounding == Rounding::down && design.result.rounding == Rounding::down;
  if (!rounds_down || design.normalized_bits || design.zero_terms != ZeroTerms::left_out ||
      f.c->least_exponent() != f.d->least_exponent()) {
    return kNone;
  }
  return std::max({design.product_fraction_bits + 3 + ceil_log2(design.block),
                   design.result.fraction_bits() + 1, design.c_fraction_bits});
}

/// Where c is added does not matter for two products in each half that are cut down. If one product
/// is cut next to c, it loses the same, earlier or later. Two products that are cut, or what they
/// may lose together, are less than the distance between c, a number with as many bits as results
/// have, and the midpoint to the next number.
bool joins_alike(const SplitFp8& design, const FusedDotAdd& half, const DotFormats& f,
                 const DotFormats& in_half) {
  const bool terms_decide = half.zero_terms == ZeroTerms::left_out &&
                            (!half.exponent_floor || *half.exponent_floor <= f.d->least_exponent());
  if (!terms_decide) return false;
  if (!design.chained_halves) return true;  // c is zero and does not have an exponent
  const Rounding rounding = design.half.result.rounding;
  const bool nearest = rounding == Rounding::nearest_even || rounding == Rounding::nearest_away;
  const int product_bits = in_half.a->fraction_bits + in_half.b->fraction_bits + 2;
  return f.k == 4 && nearest && half.align_rounding == Rounding::down &&
         half.fraction_bits >= design.half.result.fraction_bits() + product_bits + 5;
}

}  // namespace

RoundDownDotAdd without_idle(const RoundDownDotAdd& design, const DotFormats& f) {
  // Rounding down makes the products' sum larger by at most a unit, which is far below the last bit
  // of a c near the largest number that is not cut itself.
  const bool c_is_kept = raises_little(design.zero_terms, design.zero_exponent, {}, f) &&
                         design.c_fraction_bits >= f.d->fraction_bits &&
                         design.c_fraction_bits >= f.c->fraction_bits &&
                         design.sum_fraction_bits >= f.d->fraction_bits + 4 &&
                         design.normalized_bits.value_or(1000) >= f.d->fraction_bits + 4;
  RoundDownDotAdd other = design;
  const bool takes_part_as_it_is =
      c_is_kept && design.product_overflow > products_below(f, design.block);
  const int at_once = 4 * design.block;
  other.result = plain(design.result, never_subnormal(f, true),
                       takes_part_as_it_is && stays_within(design.result, at_once, f));
  if (takes_part_as_it_is) other.result = one_sided(other.result, at_once, f);
  // A c that is cut to zero anyway need not be left out.
  if (design.c_reach && design.c_rounding == Rounding::toward_zero &&
      *design.c_reach >= design.c_fraction_bits) {
    other.c_reach.reset();
  }
  other = with_products_and_c_alone(other, f);
  // If products are too small to count as infinities, the rule for such infinities does not matter.
  if (design.product_overflow >= products_below(f, 1)) other.overflow_joins = false;
  // A single product has the largest exponent.
  const int exact = f.a->fraction_bits + f.b->fraction_bits;
  if (design.block == 1) {
    other.product_fraction_bits = std::min(design.product_fraction_bits, exact);
  }
  // Cutting a group's only product alone and then next to the others, both toward zero, is the same
  // as cutting it once.
  if (design.groups == design.block && design.sum_rounding == Rounding::toward_zero) {
    other.groups = 1;
  }
  const int product_bits = exact + 2;
  if (design.block == 1 && !design.normalized_bits && other.zero_terms == ZeroTerms::left_out &&
      design.product_fraction_bits >= exact && design.c_fraction_bits >= f.d->fraction_bits &&
      design.c_fraction_bits >= f.c->fraction_bits && design.sum_fraction_bits >= exact &&
      hides_direction(
          design.sum_fraction_bits,
          product_and_c(product_bits, design.sum_fraction_bits, lowest_product_bit(f), f),
          design.result)) {
    other.sum_rounding = Rounding::toward_zero;
  }
  if (const int idle = idle_sum_bits(other, f); other.sum_fraction_bits > idle) {
    other.sum_fraction_bits = idle;
  }
  return other;
}

GroupDotFusedSum without_idle(const GroupDotFusedSum& design, const DotFormats& f) {
  // Terms are cut toward zero.
  GroupDotFusedSum other = design;
  other.result = one_sided(
      plain(design.result, never_subnormal(f, true), stays_within(design.result, f.k, f)), f.k, f);
  if (design.zero_terms == ZeroTerms::left_out) {
    other.zero_exponent = GroupDotFusedSum{}.zero_exponent;
    return other;
  }
  other.cancelled_groups_count = false;  // because all groups do

  constexpr int kFarBelow = -2000;
  const Kind scale = numbers_of(*f.scale);
  const Kind groups{2 * scale.least,
                    numbers_of(*f.a).unit + numbers_of(*f.b).unit + 2 * scale.unit};
  const std::vector<Kind> kinds = with_accumulators(groups, numbers_of(*f.c), false, f);
  const int zero = design.zero_exponent;
  const int most = std::max(zero, zero + std::max(zero, f.scale->largest_exponent()));
  const Cuts cuts{design.fraction_bits, Rounding::toward_zero, &design.result};
  if (zero > kFarBelow && is_idle(most, cuts, kinds)) other.zero_exponent = kFarBelow;
  return other;
}

Algorithm without_idle(const FusedDotAdd& design, const DotFormats& f) {
  const Kind products = products_of(design, f);
  // An accumulator of another format may be normalized first.
  const bool normalised_c = design.normalized_c && !(*f.c == *f.d);
  const Kind c = normalised_c ? normalised(numbers_of(*f.c)) : numbers_of(*f.c);
  const std::vector<Kind> kinds = with_accumulators(products, c, design.block < f.k, f);
  FusedDotAdd other = with_terms_alone(design, f, kinds,
                                       std::max(f.c->largest_exponent(), f.d->largest_exponent()));
  // Cutting down increases the sum of a step's terms by less than an eighth of the last bit of a c
  // near the largest number, which is not cut itself.
  const bool cuts_little =
      design.align_rounding == Rounding::toward_zero ||
      (raises_little(design.zero_terms, design.zero_exponent, design.exponent_floor, f) &&
       design.fraction_bits >= f.d->fraction_bits + 3 + ceil_log2(design.block + 2));
  const bool small =
      raises_little(design.zero_terms, design.zero_exponent, design.exponent_floor, f) &&
      stays_small(design, f, design.block, f.k / design.block, true);
  const auto no_overflow = [&](const ResultFormat& result) {
    return small || (cuts_little && stays_within(result, design.block, f, design.product_overflow));
  };
  if (*f.c == *f.d) other.normalized_c = true;  // the parameter has no effect
  if (never_rounds(design, f, kinds, design.block, true)) {
    const ResultFormat result = unrounded(design.result, true);
    other.result = unrounded(design.result, no_overflow(result));
  }
  const bool normal = never_subnormal(f, true) ||
                      (design.flush_inputs && never_subnormal_of_normal(f, products.unit));
  other.result = plain(other.result, normal, no_overflow(other.result));
  if (cuts_little) other.result = one_sided(other.result, design.block, f);
  if (is_exact_sum(other, f, kinds)) {
    return without_idle_parameters(ExactDotAdd{other.block, other.result}, f);
  }
  return other;
}

SplitFp8 without_idle(const SplitFp8& design, const DotFormats& f) {
  const DotFormats half = half_formats(f);
  const Kind products = products_of(design.half, half);
  // c is zero or the first half's sum: a multiple of the products' unit, rounded.
  const Kind d = numbers_of(*f.d);
  const Kind sums{std::max(d.least, products.unit), std::max(d.unit, products.unit)};
  FusedDotAdd other = with_terms_alone(design.half, half, {products, sums},
                                       products_below(half, design.half.block));
  if (joins_alike(design, other, f, half)) other.c_joins = AccumulatorJoins::early;
  const bool small = raises_little(design.half.zero_terms, design.half.zero_exponent,
                                   design.half.exponent_floor, half) &&
                     stays_small(design.half, half, f.k / 2, design.chained_halves ? 2 : 1, false);
  if (never_rounds(design.half, half, {products, sums}, f.k / 2, design.chained_halves)) {
    other.result = unrounded(design.half.result, small);
  }
  other.result = plain(other.result, never_subnormal(half, false), small);
  other.normalized_c = true;  // c of the halves has d's format
  return SplitFp8{other, design.chained_halves};
}

}  // namespace mmaspec
