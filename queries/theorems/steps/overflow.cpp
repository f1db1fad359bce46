// Steps that cannot overflow, give no NaN, or are exact near the largest number.

#include <algorithm>

#include "queries/theorems/known_design.h"
#include "queries/theorems/magnitudes.h"
#include "queries/theorems/steps.h"
#include "queries/theorems/steps/formats.h"
#include "queries/theorems/term_bits.h"
#include "spec/formats/text.h"

namespace mmaspec {
namespace {

/// `result` of every step; each step adds up to `at_once` products to c. True if these are at most
/// a quarter ulp of the largest number.
bool stays_below_overflow(const ResultFormat& result, int at_once, const DotFormats& f) {
  const auto& [format, rounding, underflow, overflow, kept] = result;
  const bool rounds_in = rounding == Rounding::nearest_even || rounding == Rounding::toward_zero;
  const int top = f.a->largest_exponent() + f.b->largest_exponent() + 2 + ceil_log2(at_once);
  return rounds_in && overflow == Overflow::to_infinity &&
         result.fraction_bits() == f.d->fraction_bits && within_range(*f.c, *f.d) &&
         top <= f.d->largest_exponent() - f.d->fraction_bits - 2;
}

/// Let M be d's largest exponent, and let the products of a step be less than 2^top in total, each
/// rounded once.
///
/// If |c| >= 2^(M - 1), c's exponent is the largest. Groups are less than a quarter of the unit
/// that alignment keeps, and count as zeros; F bits hold c, so that the step's result is c.
/// Otherwise the rounded terms add up to less than 2^M. A sum of -1 units that wraps needs products
/// of at least a quarter of that unit, because F bits of c alone are at least 2^F units: the result
/// is less than 2^(top + A + 29).
bool partial_products_stay_small(const PartialProductDotAdd& design, const DotFormats& f) {
  const auto& [block, group, first_phase, phases, a_bits, b_bits, aligned_bits, fraction_bits,
               minus_one_wraps, result] = design;
  // A pattern of an infinity is a number with one more exponent; rounding at most doubles.
  const int top = f.a->largest_exponent() + f.b->largest_exponent() + 5 + ceil_log2(block);
  const int largest = f.d->largest_exponent();
  constexpr int kWrapped = 29;  // -1 units count as -2^27 units
  const int room = aligned_bits + (minus_one_wraps ? kWrapped : 2);
  return *f.c == *f.d && result.fraction_bits() == f.d->fraction_bits &&
         fraction_bits >= std::max(f.d->fraction_bits, 1) &&
         ceil_log2(block / group + 1) <= fraction_bits && top + room <= largest - 1 &&
         top <= largest - 3;
}

}  // namespace

bool cannot_overflow(const Instruction& instruction) {
  const DotFormats& f = instruction.formats;
  if (const auto* partial = known<PartialProductDotAdd>(instruction.algorithm, f)) {
    return partial_products_stay_small(*partial, f);
  }
  if (const auto* fma = known<SequentialFma>(instruction.algorithm, f)) {
    const auto& [result, flush_inputs, reversed, chains] = *fma;  // zeros do not overflow
    if (chains == 1) return stays_below_overflow(result, 1, f);
    // Their sum is added to c at once. It passed through fewer than 2 K roundings, each of which
    // increases it by at most half a unit: by a factor below two if K is at most half of 2^bits.
    const bool grows_little =
        Integer(2 * f.k) <= power_of_two(static_cast<unsigned>(result.fraction_bits()));
    return grows_little && stays_below_overflow(result, 2 * f.k, f);
  }
  if (const auto* pairwise = known<GroupPairwiseSum>(instruction.algorithm, f)) {
    const auto& [group, flush_inputs, step, minus_zero_products] =
        *pairwise;  // zeros do not overflow
    return stays_below_overflow(step, group, f);
  }
  if (const auto* bulk = known<BulkNormalizedDotAdd>(instruction.algorithm, f)) {
    // Rounding a product or a sum of products does not cross the power of two above its bound.
    [[maybe_unused]] const auto& [block, guard_bits, dot, result, flush_c, numbers_alone] = *bulk;
    return dot == BulkResult::to_odd && stays_below_overflow(result, block, f);
  }
  if (const auto* floored = known<FlooredDotAdd>(instruction.algorithm, f)) {
    // When rounding down, a negative product is at most the power of two above its magnitude, and
    // so is a group's sum, except for a unit of c's grid. All of these are less than a quarter ulp,
    // too.
    const auto& [block, group, product_bits, c_bits, halves_alternate, through_f32, result] =
        *floored;
    const int least_c = f.a->largest_exponent() + f.b->largest_exponent() + c_bits - product_bits;
    return !through_f32 && *f.c == *f.d && c_bits >= product_bits &&
           least_c <= f.c->largest_exponent() &&
           ceil_log2(block / group) <= c_bits - f.d->fraction_bits - 2 &&
           stays_below_overflow(result, 2 * block, f);
  }
  return false;
}

bool makes_no_nan(const Instruction& instruction) {
  const DotFormats& f = instruction.formats;
  if (const auto* converted = known<F32Chain>(instruction.algorithm, f);
      converted != nullptr && f.scale == nullptr) {
    [[maybe_unused]] const auto& [round] = *converted;
    // No conversion of a number gives a NaN.
    return f.d->has_infinity() && stays_below_overflow({&formats::f32}, 1, unconverted(f).formats);
  }
  if (known<BulkNormalizedDotAdd>(instruction.algorithm, f) != nullptr) {
    // No factor is flushed.
    return f.d->has_infinity() && cannot_overflow(instruction);
  }
  const auto* fma = known<SequentialFma>(instruction.algorithm, f);
  const auto* pairwise = known<GroupPairwiseSum>(instruction.algorithm, f);
  const bool flushes =
      fma != nullptr ? fma->flush_inputs : pairwise == nullptr || pairwise->flush_inputs;
  return cannot_overflow(instruction) && f.d->has_infinity() && !flushes;  // infinity * 0 otherwise
}

bool is_exact_near_overflow(const Instruction& instruction) {
  const DotFormats& f = instruction.formats;
  const auto* fused = known<FusedDotAdd>(instruction.algorithm, f);
  if (fused == nullptr) return false;
  const auto& [places, floor, zero_terms, zero_exponent, block, result, align_rounding, c_joins,
               normalized_products, flush_inputs, product_overflow, minus_zero, normalized_c] =
      *fused;
  if (f.scale != nullptr || block != f.k || !f.d->has_infinity() || !is_ieee(result) ||
      zero_terms != ZeroTerms::left_out || align_rounding != Rounding::toward_zero ||
      c_joins != AccumulatorJoins::early || flush_inputs || product_overflow) {
    return false;
  }
  // The least number that rounds to infinity, minus what products can add to c: a lower bound for
  // c's magnitude there.
  const Rational least = rational_power_of_two(f.d->largest_exponent() + 1) -
                         rational_power_of_two(f.d->largest_exponent() - f.d->fraction_bits - 1);
  const Rational c = least - f.k * largest_number(*f.a) * largest_number(*f.b);
  int exponent = f.c->largest_exponent();
  while (exponent >= f.c->least_exponent() && rational_power_of_two(exponent) > c) --exponent;
  if (exponent < f.c->least_exponent()) return false;
  // The exponents of normalized products may be larger by one.
  int high =
      std::max(f.a->largest_exponent() + f.b->largest_exponent() + 1, f.c->largest_exponent());
  if (floor) high = std::max(high, *floor);
  const int lowest = std::min(lowest_product_bit(f), exponent - f.c->fraction_bits);
  return high - places <= lowest;
}

}  // namespace mmaspec
