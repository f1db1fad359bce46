#include "queries/arguments/idle/vector.h"

#include <algorithm>

#include "queries/arguments/idle/idle.h"
#include "queries/arguments/magnitudes.h"
#include "queries/arguments/term_bits.h"
#include "spec/formats/text.h"

namespace mmaspec {
namespace {

bool is_nearest(Rounding rounding) {
  return rounding == Rounding::nearest_even || rounding == Rounding::nearest_away;
}

/// The least exponent that a product of numbers that are not zero is counted with.
int least_product_exponent(const DotFormats& f) {
  return f.a->least_exponent() + f.b->least_exponent();
}

/// Everything that a step adds to c, and what it rounds, is normal or zero. Where products are
/// jammed, all are multiples of the last bit that is kept, which is above the lowest of all.
bool never_subnormal(const BulkNormalizedDotAdd& design, const DotFormats& f) {
  const int unit = lowest_product_bit(f);
  if (std::min(unit, lowest_bit(*f.c)) >= f.d->least_exponent()) return true;
  return design.flush_c && never_subnormal_of_normal(f, unit);
}

/// A product that has the largest exponent loses no bit, nor does the last one that is kept.
bool keeps_one_product(const BulkNormalizedDotAdd& design, const DotFormats& f) {
  return f.d->fraction_bits + design.guard_bits > f.a->fraction_bits + f.b->fraction_bits;
}

/// Two products. The one of the largest exponent is kept, an even number of units, so that the
/// other one, rounded to odd, rounds the sum to odd, and that is rounded again, to a grid that is
/// coarse enough to come out the same (S. Boldo and G. Melquiond, 2008).
bool jams_innocuously(const BulkNormalizedDotAdd& design, const DotFormats& f) {
  const int bits = f.d->fraction_bits + design.guard_bits;
  const int fraction = f.a->fraction_bits + f.b->fraction_bits;
  // The first product has as many zeros in front as a subnormal factor of it, where the other one
  // can still lose anything. (Beside a product of two such nothing has a lower exponent.)
  int zeros = 0;
  const auto may_lose = [&](int exponent) { return exponent - bits > lowest_product_bit(f); };
  if (may_lose(f.a->least_exponent() + f.b->largest_exponent())) zeros = f.a->fraction_bits;
  if (may_lose(f.b->least_exponent() + f.a->largest_exponent())) {
    zeros = std::max(zeros, f.b->fraction_bits);
  }
  // What loses anything is then at most half of the first: the sum has one more zero in front.
  const bool pseudo_code = design.dot == BulkResult::pseudo_code;
  const Rounding rounding = pseudo_code ? Rounding::toward_zero : design.result.rounding;
  const int rounded = pseudo_code ? f.d->fraction_bits : design.result.fraction_bits();
  // To odd the same grid is coarse enough, to one side one of twice the unit; half a unit is to be
  // an even number where it is to the nearest.
  const int coarser = rounding == Rounding::to_odd ? 0 : is_nearest(rounding) ? 2 : 1;
  return design.block <= 2 && bits >= fraction + zeros + 2 && bits >= zeros + 1 + rounded + coarser;
}

/// Products of an exponent that a zero c's would exceed are none. So many places lie between.
bool no_product_is_below_zero(const OnesComplementDotAdd& design, const DotFormats& f) {
  const int below = design.c_bits - design.product_bits;
  return least_product_exponent(f) >=
         std::max(f.c->least_exponent(), f.d->least_exponent()) - below;
}

/// The fraction bits that results are rounded to.
int rounded_bits(const OnesComplementDotAdd& design) {
  const ResultFormat& result = design.result;
  const bool keeps_all = result.fraction_bits() == result.format->fraction_bits;
  return design.through_f32 && keeps_all ? formats::f32.fraction_bits : result.fraction_bits();
}

/// Where a zero c's exponent decides, products come to so little that the result is flushed: +0,
/// whatever is cut. Rounded up, they are still below the least normal number.
bool flushes_what_is_below_zero(const OnesComplementDotAdd& design, const DotFormats& f) {
  if (design.result.underflow == Underflow::gradual || !(*f.c == *f.d)) return false;
  const auto& power = rational_power_of_two;
  const int least = f.d->least_exponent();
  const Rational largest_of_a = 2 - power(-f.a->fraction_bits);
  const Rational largest_of_b = 2 - power(-f.b->fraction_bits);
  const int top = least - (design.c_bits - design.product_bits) - 1;
  // A product in c's frame is a unit more where its sign is the other one.
  const Rational sum =
      design.block * (largest_of_a * largest_of_b * power(top) + power(least - design.c_bits));
  return sum <= power(least) - power(least - rounded_bits(design));
}

/// Where a zero c's exponent decides, no product is cut; what the terms of the other sign lose, a
/// unit each, is less than the products' last bit, and than what lies between two numbers that are
/// results, or half way between such: it decides the same, however large a unit is. Of a product
/// alone that is less than half of the least normal number the result is flushed, if it may be.
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

/// A sum with products is a multiple of a normal number. c alone, normal as all others are flushed,
/// loses a unit for each zero of the other sign: less than a quarter of what lies between the
/// numbers of as many bits as are kept.
bool loses_little_of_c(const OnesComplementDotAdd& design, const DotFormats& f) {
  const bool flushes_c = f.c->least_exponent() <= formats::f32.least_exponent();
  const int spare = design.c_bits - 2 - design.result.fraction_bits();
  return *f.c == *f.d && flushes_c && !design.through_f32 &&
         least_product_exponent(f) - design.product_bits >= f.d->least_exponent() && spare >= 0 &&
         ceil_log2(design.block) <= spare;
}

/// To the nearest it is rounded back.
bool never_subnormal(const OnesComplementDotAdd& design, const DotFormats& f) {
  return is_nearest(design.result.rounding) && loses_little_of_c(design, f);
}

/// To one side the next number is the least normal one or the one below it, whether exponents are
/// bounded or not. (To odd that is the one below, which is odd if it has a bit.)
bool tells_tiny_alike(const OnesComplementDotAdd& design, const DotFormats& f) {
  const ResultFormat& result = design.result;
  const bool to_odd_of_one_bit = result.rounding == Rounding::to_odd && result.fraction_bits() == 0;
  return !is_nearest(result.rounding) && !to_odd_of_one_bit && loses_little_of_c(design, f);
}

/// The f32 of which d is the high part has its last bit changed, if any: to the nearest, ties leave
/// an even number or make the odd one above it, and to odd none is carried either. Results that
/// are not flushed might be -0 otherwise.
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
  // The pseudo-code says by guard bits where the units of a subnormal sum lie. Normal ones are cut.
  const bool to_odd = dot == BulkResult::to_odd;
  const bool normal = lowest_product_bit(f) >= f.d->least_exponent();
  if (!to_odd && !normal) {
    other.result = plain(result, false, false);
    return other;
  }
  // Zeros of both signs make +0 of the product, and of its sum with c.
  const bool one_product = block == 1 && keeps_one_product(design, f) && !flush_c &&
                           result.rounding != Rounding::down && f.d->has_infinity();
  if (one_product && to_odd) return without_idle_parameters(GroupPairwiseSum{1, false, result}, f);
  if (one_product && product_bits(f) <= f.d->fraction_bits &&
      products_below(f, 1) <= f.d->largest_exponent()) {
    return without_idle_parameters(ExactDotAdd{1, result}, f);
  }
  const bool alone = block == 1 && keeps_one_product(design, f);
  const bool rounds_once = alone || jams_nothing(design, f) || jams_innocuously(design, f);
  // Two products are then a sum that is rounded, as their exact rounded values are.
  if (block == 2 && to_odd && rounds_once && !flush_c && result.rounding != Rounding::down &&
      f.d->has_infinity() && products_are_exact(result, f)) {
    return without_idle_parameters(GroupPairwiseSum{2, false, result}, f);
  }
  // What is jammed is less than twice as large.
  const int at_once = 2 * block;
  other.result = one_sided(
      plain(result, never_subnormal(design, f), stays_within(result, at_once, f)), at_once, f);
  constexpr int kReachesAll = 64;  // for all formats that it may be enough for
  if (rounds_once) {
    other.guard_bits = std::max(guard_bits, kReachesAll);
  }
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
  // What is a unit more than a product has the other sign than c.
  other.result = one_sided(
      plain(other.result, never_subnormal(design, f), stays_within(result, block, f)), block, f);
  return other;
}

FlooredDotAdd without_idle(const FlooredDotAdd& design, const DotFormats& f) {
  const auto& [block, group, product_bits, c_bits, halves_alternate, through_f32, result] = design;
  FlooredDotAdd other = design;
  if (through_f32) other.result.rounding = seen_in_high_part(result);
  // Rounded down, a group of products becomes a unit larger, which is less than a quarter of the
  // last bit of a c near the largest number for all groups together.
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
  // Sums only grow, and one that has saturated stays so, wherever on the way that was; none is
  // below d's least number.
  if (least >= 0 && lowest >= f.d->least_integer()) return {overflow, f.k};
  return design;
}

}  // namespace mmaspec
