#include "queries/theorems/redundant/vector.h"

#include <algorithm>

#include "queries/theorems/magnitudes.h"
#include "queries/theorems/redundant/idle.h"
#include "queries/theorems/term_bits.h"
#include "spec/formats/text.h"

namespace mmaspec {
namespace {

bool is_nearest(Rounding rounding) {
  return rounding == Rounding::nearest_even || rounding == Rounding::nearest_away;
}

/// The least exponent that a product of nonzero numbers counts with.
int least_product_exponent(const DotFormats& f) {
  return f.a->least_exponent() + f.b->least_exponent();
}

/// All numbers that a step adds to c, and all that it rounds, are normal or zero. If products are
/// jammed, all are multiples of the last kept bit, which is above the lowest bit of all.
bool never_subnormal(const BulkNormalizedDotAdd& design, const DotFormats& f) {
  const int unit = lowest_product_bit(f);
  if (std::min(unit, lowest_bit(*f.c)) >= f.d->least_exponent()) return true;
  return design.flush_c && never_subnormal_of_normal(f, unit);
}

/// A product with the largest exponent does not lose a bit, and neither does the last kept bit.
bool keeps_one_product(const BulkNormalizedDotAdd& design, const DotFormats& f) {
  return f.d->fraction_bits + design.guard_bits > f.a->fraction_bits + f.b->fraction_bits;
}

/// For two products. The product with the largest exponent is kept and is an even number of units.
/// The other one, rounded to odd, therefore rounds the sum to odd. Rounding that again, to a grid
/// that is coarse enough, gives the same as rounding once (S. Boldo and G. Melquiond, 2008).
bool jams_innocuously(const BulkNormalizedDotAdd& design, const DotFormats& f) {
  const int bits = f.d->fraction_bits + design.guard_bits;
  const int fraction = f.a->fraction_bits + f.b->fraction_bits;
  // The first product has as many leading zeros as its subnormal factor if the other product can
  // still lose bits. (Next to a product of two subnormal factors no product has a lower exponent.)
  int zeros = 0;
  const auto may_lose = [&](int exponent) { return exponent - bits > lowest_product_bit(f); };
  if (may_lose(f.a->least_exponent() + f.b->largest_exponent())) zeros = f.a->fraction_bits;
  if (may_lose(f.b->least_exponent() + f.a->largest_exponent())) {
    zeros = std::max(zeros, f.b->fraction_bits);
  }
  // A product that loses bits is then at most half of the first one: the sum has one more leading
  // zero.
  const bool pseudo_code = design.dot == BulkResult::pseudo_code;
  const Rounding rounding = pseudo_code ? Rounding::toward_zero : design.result.rounding;
  const int rounded = pseudo_code ? f.d->fraction_bits : design.result.fraction_bits();
  // For rounding to odd the same grid is coarse enough, and for directed rounding one of twice the
  // unit. For rounding to nearest, half a unit must be an even number.
  const int coarser = rounding == Rounding::to_odd ? 0 : is_nearest(rounding) ? 2 : 1;
  return design.block <= 2 && bits >= fraction + zeros + 2 && bits >= zeros + 1 + rounded + coarser;
}

/// True if every product's exponent is so large that a zero c's exponent never determines the grid.
/// The grid of c has `below` more bits than that of products.
bool no_product_is_below_zero(const OnesComplementDotAdd& design, const DotFormats& f) {
  const int below = design.c_bits - design.product_bits;
  return least_product_exponent(f) >=
         std::max(f.c->least_exponent(), f.d->least_exponent()) - below;
}

/// The number of fraction bits to which results are rounded.
int rounded_bits(const OnesComplementDotAdd& design) {
  const ResultFormat& result = design.result;
  const bool keeps_all = result.fraction_bits() == result.format->fraction_bits;
  return design.through_f32 && keeps_all ? formats::f32.fraction_bits : result.fraction_bits();
}

/// Where a zero c's exponent is the largest, products are so small that the result is flushed to
/// +0, whatever is cut. Even rounded up, they are below the least normal number.
bool flushes_what_is_below_zero(const OnesComplementDotAdd& design, const DotFormats& f) {
  if (design.result.underflow == Underflow::gradual || !(*f.c == *f.d)) return false;
  const auto& power = rational_power_of_two;
  const int least = f.d->least_exponent();
  const Rational largest_of_a = 2 - power(-f.a->fraction_bits);
  const Rational largest_of_b = 2 - power(-f.b->fraction_bits);
  const int top = least - (design.c_bits - design.product_bits) - 1;
  // A product in c's frame is one unit larger in magnitude if its sign differs.
  const Rational sum =
      design.block * (largest_of_a * largest_of_b * power(top) + power(least - design.c_bits));
  return sum <= power(least) - power(least - rounded_bits(design));
}

/// Where a zero c's exponent is the largest, no product is cut. The terms of the other sign lose
/// one unit each, which together is less than the products' last bit and less than the distance
/// between two neighbouring results or their midpoints. The result is then the same for every size
/// of the unit. A single product below half of the least normal number is flushed, if that is
/// allowed.
bool loses_little_below_zero(const OnesComplementDotAdd& design, const DotFormats& f) {
  const int least_c = std::max(f.c->least_exponent(), f.d->least_exponent());
  const int lost = least_c - design.c_bits + ceil_log2(design.block);
  const int between = f.d->least_exponent() - rounded_bits(design) - 2;
  int last = lowest_product_bit(f);
  if (design.block == 1 && design.result.underflow != Underflow::gradual && *f.c == *f.d &&
      rounded_bits(design) >= 2) {
    last = std::max(last, f.d->least_exponent() - 2 - f.a->fraction_bits - f.b->fraction_bits);
  }
  return lost < last && lost < between;
}

/// A sum with products is a multiple of a normal number. c alone, which is normal because
/// subnormals are flushed, loses a unit for each zero of the other sign: less than a quarter of the
/// distance between numbers with the kept bits.
bool loses_little_of_c(const OnesComplementDotAdd& design, const DotFormats& f) {
  const bool flushes_c = f.c->least_exponent() <= formats::f32.least_exponent();
  const int spare = design.c_bits - 2 - design.result.fraction_bits();
  return *f.c == *f.d && flushes_c && !design.through_f32 &&
         least_product_exponent(f) - design.product_bits >= f.d->least_exponent() && spare >= 0 &&
         ceil_log2(design.block) <= spare;
}

/// Rounding to nearest restores it.
bool never_subnormal(const OnesComplementDotAdd& design, const DotFormats& f) {
  return is_nearest(design.result.rounding) && loses_little_of_c(design, f);
}

/// For directed rounding the next number is the least normal one or the one below it, with bounded
/// and unbounded exponents alike. (For rounding to odd it is the one below, which is odd if it has
/// a bit.)
bool tells_tiny_alike(const OnesComplementDotAdd& design, const DotFormats& f) {
  const ResultFormat& result = design.result;
  const bool to_odd_of_one_bit = result.rounding == Rounding::to_odd && result.fraction_bits() == 0;
  return !is_nearest(result.rounding) && !to_odd_of_one_bit && loses_little_of_c(design, f);
}

/// The f32 of which d is the high part differs at most in its last bit. For rounding to nearest,
/// ties leave an even number or give the odd one above it, and rounding to odd does not carry
/// either. Otherwise results that are not flushed could be -0.
Rounding seen_in_high_part(const ResultFormat& result) {
  const bool keeps_all = result.fraction_bits() == result.format->fraction_bits;
  if (!keeps_all || result.underflow == Underflow::gradual) return result.rounding;
  if (result.rounding == Rounding::nearest_away) return Rounding::nearest_even;
  if (result.rounding == Rounding::to_odd) return Rounding::toward_zero;
  return result.rounding;
}

}  // namespace

Algorithm without_idle(const BulkNormalizedDotAdd& design, const DotFormats& f) {
  const auto& [block, guard_bits, dot, result, flush_c, numbers_alone] = design;
  BulkNormalizedDotAdd other = design;
  // In the pseudo-code, guard bits determine the position of the units of a subnormal sum. Normal
  // sums are cut.
  const bool to_odd = dot == BulkResult::to_odd;
  const bool normal = lowest_product_bit(f) >= f.d->least_exponent();
  if (!to_odd && !normal) {
    other.result = plain(result, false, false);
    return other;
  }
  // With zeros of both signs, the product is +0, and so is its sum with c.
  const bool one_product = block == 1 && keeps_one_product(design, f) && !flush_c &&
                           result.rounding != Rounding::down && f.d->has_infinity();
  if (one_product && to_odd) return without_idle_parameters(GroupPairwiseSum{1, false, result}, f);
  if (one_product && product_bits(f) <= f.d->fraction_bits &&
      products_below(f, 1) <= f.d->largest_exponent()) {
    return without_idle_parameters(ExactDotAdd{1, result}, f);
  }
  const bool alone = block == 1 && keeps_one_product(design, f);
  const bool jams_none = jams_nothing(design, f);
  if (jams_none && !flush_c && result.rounding != Rounding::down && f.d->has_infinity() &&
      sums_are_exact(result, block, f)) {
    return without_idle_parameters(GroupPairwiseSum{block, false, result}, f);
  }
  const bool rounds_once = alone || jams_none || jams_innocuously(design, f);
  // Two products are then an exact sum that is rounded, equal to the sum of exactly rounded
  // products.
  if (block == 2 && to_odd && rounds_once && !flush_c && result.rounding != Rounding::down &&
      f.d->has_infinity() && products_are_exact(result, f)) {
    return without_idle_parameters(GroupPairwiseSum{2, false, result}, f);
  }
  // Jamming increases a term to less than twice its size.
  const int at_once = 2 * block;
  other.result = one_sided(
      plain(result, never_subnormal(design, f), stays_within(result, at_once, f)), at_once, f);
  if (rounds_once) other.guard_bits = kReachesAll;
  return other;
}

OnesComplementDotAdd without_idle(const OnesComplementDotAdd& design, const DotFormats& f) {
  const auto& [block, product_bits, c_bits, zero_c_counts, through_f32, result] = design;
  OnesComplementDotAdd other = design;
  if (no_product_is_below_zero(design, f) || flushes_what_is_below_zero(design, f) ||
      loses_little_below_zero(design, f)) {
    other.zero_c_counts = false;
  }
  if (through_f32) other.result.rounding = seen_in_high_part(result);
  if (result.underflow == Underflow::flush_tiny && tells_tiny_alike(design, f)) {
    other.result.underflow = Underflow::flush;
  }
  // A term that exceeds a product by a unit has the opposite sign of c.
  other.result = one_sided(
      plain(other.result, never_subnormal(design, f), stays_within(result, block, f)), block, f);
  return other;
}

FlooredDotAdd without_idle(const FlooredDotAdd& design, const DotFormats& f) {
  const auto& [block, group, product_bits, c_bits, halves_alternate, through_f32, result] = design;
  FlooredDotAdd other = design;
  if (through_f32) other.result.rounding = seen_in_high_part(result);
  // Rounding down makes a group of products larger by a unit. For all groups together that is less
  // than a quarter of the last bit of a c near the largest number.
  const int spare = c_bits - f.d->fraction_bits - 2;
  const bool adds_little = spare >= 0 && ceil_log2(block / group) <= spare;
  const int at_once = 2 * block;
  other.result = plain(other.result, false, adds_little && stays_within(result, at_once, f));
  if (adds_little) other.result = one_sided(other.result, at_once, f);
  return other;
}

PartialProductDotAdd without_idle(const PartialProductDotAdd& design, const DotFormats& f) {
  const auto& [block, group, first_phase, phases, a_bits, b_bits, aligned_bits, fraction_bits,
               minus_one_wraps, result] = design;
  PartialProductDotAdd other = design;
  other.result = plain(result, false, false);
  // The largest exponent is at least d's least one, or all terms are zeros: no bit of a sum is
  // below the least subnormal number's.
  const bool exact_where_tiny =
      f.c->least_exponent() >= f.d->least_exponent() && fraction_bits <= result.fraction_bits();
  if (exact_where_tiny && other.result.underflow == Underflow::flush_tiny) {
    other.result.underflow = Underflow::flush;
  }
  return other;
}

IntegerDotAdd without_idle(const IntegerDotAdd& design, const DotFormats& f) {
  const auto& [overflow, group] = design;
  if (overflow == IntegerOverflow::wrap) return design;
  const Integer least_a = f.a->least_integer();
  const Integer least_b = f.b->least_integer();
  const Integer largest_a = f.a->largest_integer();
  const Integer largest_b = f.b->largest_integer();
  const auto [least, largest] =
      std::minmax({Integer(least_a * least_b), Integer(least_a * largest_b),
                   Integer(largest_a * least_b), Integer(largest_a * largest_b)});
  const Integer lowest = f.c->least_integer() + f.k * std::min(least, Integer(0));
  const Integer highest = f.c->largest_integer() + f.k * std::max(largest, Integer(0));
  if (lowest >= f.d->least_integer() && highest <= f.d->largest_integer()) return IntegerDotAdd{};
  // Sums only grow, and a sum that has saturated stays saturated, at whichever step that happens;
  // no sum is below d's least number.
  if (least >= 0 && lowest >= f.d->least_integer()) return {overflow, f.k};
  return design;
}

FixedPointDotAdd without_idle(const FixedPointDotAdd& design, const DotFormats& f) {
  [[maybe_unused]] const auto& [product_rounding, overflow, group] = design;
  FixedPointDotAdd other = design;
  if (lowest_product_exponent(f) + f.d->point >= 0) {
    other.product_rounding = Rounding::toward_zero;
  }
  // Patterns of infinities and NaNs count, with the exponent after the largest number's. A product
  // is rounded by at most one unit.
  const int below = f.a->largest_exponent() + f.b->largest_exponent() + 4 + f.d->point;
  const Integer product = power_of_two(static_cast<unsigned>(std::max(below, 0))) + 1;
  const auto scale = static_cast<unsigned>(f.d->point - f.c->point);
  const Integer largest = (f.c->largest_integer() << scale) + f.k * product;
  const Integer least = f.c->least_integer() * power_of_two(scale) - f.k * product;
  if (least >= f.d->least_integer() && largest <= f.d->largest_integer()) {
    other.overflow = IntegerOverflow::wrap;
    other.group = 1;
  }
  return other;
}

}  // namespace mmaspec
