#include "queries/theorems/steps.h"

#include <algorithm>

#include "queries/theorems/known_design.h"
#include "queries/theorems/magnitudes.h"
#include "queries/theorems/plan_steps.h"
#include "queries/theorems/term_bits.h"
#include "spec/conversions/conversion_design.h"
#include "spec/formats/text.h"

namespace mmaspec {
namespace {

/// True if all numbers of the format are within the other format's range.
bool within_range(const Format& f, const Format& of) {
  return largest_number(f) <= largest_number(of);
}

/// Rounding to nearest even, gradual underflow, infinities, all bits kept.
bool is_ieee(const ResultFormat& result) { return result == ResultFormat{result.format}; }

/// Whether rounding, underflow, overflow and kept bits depend only on the magnitude.
bool is_by_magnitude(const ResultFormat& result) {
  const auto& [format, rounding, underflow, overflow, kept] = result;
  return rounding == Rounding::toward_zero || rounding == Rounding::nearest_even ||
         rounding == Rounding::nearest_away || rounding == Rounding::to_odd;
}

/// One step of c in a fused sum of `others` terms and c. If the largest exponent rises from e to e
/// + 1, each other term loses at most one bit, 2^(e - F), and c gains 2^(e - c's fraction bits). If
/// c = 0 had no exponent and its successor has e, the other terms lose less than 2^(e - F) each,
/// and c gains as much as before. From a negative c to the next larger one the exponent falls, with
/// the same bounds.
bool step_outweighs(const Format& c, int others, int places) {
  const int spare = places - c.fraction_bits;
  return spare >= 0 && ceil_log2(others) <= spare;
}

/// True if zeros do not have an exponent, or one that is at most that of the next c: `least`, or,
/// in later blocks, the least exponent of d's format.
bool zero_is_lowest(ZeroTerms zero_terms, int zero_exponent, int least, const DotFormats& f) {
  return zero_terms == ZeroTerms::left_out ||
         zero_exponent <= std::min(least, f.d->least_exponent());
}

/// True if F bits below the largest exponent include the lowest bit of the smallest term.
bool cuts_nothing(const FusedDotAdd& design, const DotFormats& f) {
  // Which terms share a block and how a sum is rounded does not affect what is cut. Minus zeros
  // count as zeros.
  const auto& [places, floor, zero_terms, zero_exponent, block, result, align_rounding, c_joins,
               normalized_products, flush_inputs, product_overflow, minus_zero, normalized_c] =
      design;
  if (f.scale != nullptr || zero_terms != ZeroTerms::left_out ||
      c_joins != AccumulatorJoins::early || normalized_products || flush_inputs ||
      product_overflow) {
    return false;
  }
  int high = std::max(f.a->largest_exponent() + f.b->largest_exponent(), f.c->largest_exponent());
  if (floor) high = std::max(high, *floor);
  return places >= high - std::min(lowest_product_bit(f), lowest_bit(*f.c));
}

/// True if every product is a number of d's format.
bool holds_products(const GroupPairwiseSum& design, const DotFormats& f) {
  const auto& [group, flush_inputs, step, minus_zero_products] = design;
  const auto& [format, rounding, underflow, overflow, kept] = step;
  return !flush_inputs && !minus_zero_products && underflow == Underflow::gradual &&
         product_bits(f) <= step.fraction_bits() &&
         lowest_product_bit(f) >= f.d->least_exponent() - step.fraction_bits() &&
         largest_number(*f.a) * largest_number(*f.b) <= largest_number(*f.d);
}

bool rounded_steps(const Algorithm& algorithm, const DotFormats& f) {
  if (const auto* fma = known<SequentialFma>(algorithm, f)) {
    // Every rounding is monotone for all parameters; so are flushing, sums of chains, and any
    // order.
    [[maybe_unused]] const auto& [result, flush_inputs, reversed, chains] = *fma;
    return true;
  }
  if (const auto* scaled = known_with_scales<SequentialFma>(algorithm, f)) {
    // The scaled sums of the blocks do not depend on c, which passes through one addition after
    // another.
    [[maybe_unused]] const auto& [result, flush_inputs, reversed, chains] = *scaled;
    return true;
  }
  if (const auto* pairwise = known<GroupPairwiseSum>(algorithm, f)) {
    [[maybe_unused]] const auto& [group, flush_inputs, step, minus_zero_products] =
        *pairwise;  // so is flushing
    return true;
  }
  if (const auto* pairs = known<PairDotAdd>(algorithm, f)) {
    // Whatever the pairs' sums are, c passes through one addition after another. Infinities of both
    // signs give a NaN, which the statement excludes.
    [[maybe_unused]] const auto& [fused, flush_inputs, step] = *pairs;
    return true;
  }
  if (const auto* exact = known<ExactDotAdd>(algorithm, f)) {
    [[maybe_unused]] const auto& [block, result] = *exact;
    return true;
  }
  if (const auto* bulk = known<BulkNormalizedDotAdd>(algorithm, f)) {
    // Whatever the blocks' sums are, c passes through one addition after another. Flushing is
    // monotone, too.
    [[maybe_unused]] const auto& [block, guard_bits, dot, result, flush_c, numbers_alone] = *bulk;
    return true;
  }
  if (const auto* converted = known<F32Chain>(algorithm, f)) {
    [[maybe_unused]] const auto& [round] = *converted;
    // As both forms of SequentialFma, and every conversion is monotone.
    return true;
  }
  // c passes through one step after another.
  const auto* chain = known<Chained>(algorithm, f);
  return chain != nullptr && rounded_steps(*chain->step, chain->step_formats);
}

bool c_is_last(const Algorithm& algorithm, const DotFormats& f) {
  if (const auto* split = known<SplitFp8>(algorithm, f)) {
    [[maybe_unused]] const auto& [half, chained_halves] = *split;  // c is in neither half
    return true;
  }
  const auto* bulk = known<BulkNormalizedDotAdd>(algorithm, f);
  if (bulk == nullptr) bulk = known_with_scales<BulkNormalizedDotAdd>(algorithm, f);
  if (bulk != nullptr) {
    // Whatever the products' sum is, c is added to it; flushing and every rounding are monotone.
    [[maybe_unused]] const auto& [block, guard_bits, dot, result, flush_c, numbers_alone] = *bulk;
    return block == f.k;
  }
  // A chain of monotone functions: an infinite c gives the same infinity, or NaN.
  const auto* chain = known<Chained>(algorithm, f);
  return chain != nullptr && c_is_last(*chain->step, chain->step_formats);
}

ResultFormat conversion_in(const F32Chain& chain, const DotFormats& f) {
  const auto& [round] = chain;
  return {f.d, round};
}

bool signs_alike(const FusedDotAdd& design) {
  // Which terms are left out or flushed, and which exponents count, depends on magnitudes; signs of
  // zeros do not matter.
  const auto& [places, floor, zero_terms, zero_exponent, block, result, align_rounding, c_joins,
               normalized_products, flush_inputs, product_overflow, minus_zero, normalized_c] =
      design;
  return is_by_magnitude(result) && align_rounding == Rounding::toward_zero;
}

bool signs_alike(const Algorithm& algorithm, const DotFormats& f) {
  if (const auto* fma = known<SequentialFma>(algorithm, f)) {
    // Subnormals are flushed by magnitude; the order does not depend on signs.
    const auto& [result, flush_inputs, reversed, chains] = *fma;
    return is_by_magnitude(result);
  }
  if (const auto* scaled = known_with_scales<SequentialFma>(algorithm, f)) {
    // Scale factors have no signs.
    const auto& [result, flush_inputs, reversed, chains] = *scaled;
    return is_by_magnitude(result);
  }
  if (const auto* pairwise = known<GroupPairwiseSum>(algorithm, f)) {
    const auto& [group, flush_inputs, step, minus_zero_products] = *pairwise;
    return is_by_magnitude(step);
  }
  if (const auto* fused = known<FusedDotAdd>(algorithm, f)) return signs_alike(*fused);
  if (const auto* split = known<SplitFp8>(algorithm, f)) {
    const auto& [half, chained_halves] = *split;  // additions round to nearest even
    return signs_alike(half);
  }
  if (const auto* groups = known<GroupDotFusedSum>(algorithm, f)) {
    const auto& [group, places, zero_terms, zero_exponent, result, exponent_floor,
                 cancelled_groups_count] = *groups;
    return is_by_magnitude(result);  // alignment rounds toward zero
  }
  if (const auto* exact = known<ExactDotAdd>(algorithm, f)) {
    const auto& [block, result] = *exact;
    return is_by_magnitude(result);
  }
  if (const auto* pairs = known<PairDotAdd>(algorithm, f)) {
    const auto& [fused, flush_inputs, step] = *pairs;  // flushed by magnitude
    return is_by_magnitude(step);
  }
  if (const auto* bulk = known<BulkNormalizedDotAdd>(algorithm, f)) {
    // Magnitudes are aligned, and c is flushed by its magnitude. The pseudo-code mixes signs with
    // digits.
    const auto& [block, guard_bits, dot, result, flush_c, numbers_alone] = *bulk;
    return dot == BulkResult::to_odd && is_by_magnitude(result);
  }
  if (const auto* complement = known<OnesComplementDotAdd>(algorithm, f)) {
    // Everything is cut in the frame of c's sign, which is negated with c, also for zero. This
    // requires that every zero has a negative, and that no step gets a zero that another step
    // produced.
    const auto& [block, product_bits, c_bits, zero_c_counts, through_f32, result] = *complement;
    const auto has_minus_zero = [](const Format& x) {
      return x.has_sign && (x.specials == Specials::ieee || x.specials == Specials::nan_all_ones ||
                            x.specials == Specials::none);
    };
    return block == f.k && is_by_magnitude(result) && has_minus_zero(*f.a) && has_minus_zero(*f.c);
  }
  if (const auto* converted = known<F32Chain>(algorithm, f)) {
    // All steps round to nearest; scale factors have no signs.
    return is_by_magnitude(conversion_in(*converted, f));
  }
  // Only the ones' complement depends on the sign of a zero c.
  const auto* chain = known<Chained>(algorithm, f);
  return chain != nullptr && chain->step->as<OnesComplementDotAdd>() == nullptr &&
         signs_alike(*chain->step, chain->step_formats);
}

bool c_outweighs(const FusedDotAdd& design, const DotFormats& f) {
  // The floor is a constant lower bound for exponents. How products get exponents, or overflow,
  // does not depend on c. Every rounding of the sum is monotone.
  const auto& [places, floor, zero_terms, zero_exponent, block, result, align_rounding, c_joins,
               normalized_products, flush_inputs, product_overflow, minus_zero, normalized_c] =
      design;
  // A c of a format other than d's may be normalized.
  const bool normalised = normalized_c && !(*f.c == *f.d);
  const int least = normalised ? lowest_bit(*f.c) : f.c->least_exponent();
  return c_joins == AccumulatorJoins::early && !flush_inputs &&
         zero_is_lowest(zero_terms, zero_exponent, least, f) &&
         step_outweighs(*f.c, block, places) &&
         (block == f.k || step_outweighs(*f.d, block, places));
}

bool c_outweighs(const RoundDownDotAdd& design, const DotFormats& f) {
  // The products' sum is one number, however it is computed, and loses less than a unit. Cutting
  // the normalized sum is monotone.
  const auto& [block, groups, product_bits, sum_bits, sum_rounding, c_bits, c_rounding, c_reach,
               product_overflow, zero_terms, zero_exponent, result, normalized_bits,
               overflow_joins] = design;
  const auto outweighs = [&c = c_bits, &sum = sum_bits](const Format& format) {
    return c >= format.fraction_bits && sum > format.fraction_bits;
  };
  return zero_is_lowest(zero_terms, zero_exponent, f.c->least_exponent(), f) && outweighs(*f.c) &&
         (block == f.k || outweighs(*f.d));
}

bool c_outweighs(const GroupDotFusedSum& design, const DotFormats& f) {
  const auto& [group, places, zero_terms, zero_exponent, result, exponent_floor,
               cancelled_groups_count] = design;
  return zero_is_lowest(zero_terms, zero_exponent, f.c->least_exponent(), f) &&
         step_outweighs(*f.c, f.k / group, places);
}

bool c_outweighs(const FlooredDotAdd& design, const DotFormats& f) {
  // Groups are summed before c is used, and lose at most a unit if the unit of the grid doubles. If
  // c's exponent is the largest, all of c is on the grid. Otherwise the grid is the same for the
  // next c, and rounding down (or up to 0 if c is less than a unit) is monotone. Which products
  // share a step, and how a sum is rounded, does not matter.
  const auto& [block, group, product_bits, c_bits, halves_alternate, through_f32, result] = design;
  return *f.c == *f.d && c_bits >= product_bits && step_outweighs(*f.c, block / group, c_bits);
}

/// Groups of products do not depend on c. A group is rounded to A and then to F bits, each time to
/// nearest: by at most 2^(e - F) for the largest exponent e. If c's exponent raises e by one, a
/// group changes by at most 3 * 2^(e - F), and c, which F bits hold, by at least 2^(e - c's
/// fraction bits). Subnormal c are zeros, whose exponent is one below that of their successor.
/// Patterns of infinities count as the numbers that follow the largest one.
bool c_outweighs(const PartialProductDotAdd& design, const DotFormats& f) {
  const auto& [block, group, first_phase, phases, a_bits, b_bits, aligned_bits, fraction_bits,
               minus_one_wraps, result] = design;
  const int spare = fraction_bits - f.c->fraction_bits;
  return *f.c == *f.d && !minus_one_wraps && spare >= 0 && ceil_log2(3 * (block / group)) <= spare;
}

bool c_outweighs(const Algorithm& algorithm, const DotFormats& f) {
  if (const auto* partial = known<PartialProductDotAdd>(algorithm, f)) {
    return c_outweighs(*partial, f);
  }
  if (const auto* floored = known<FlooredDotAdd>(algorithm, f)) return c_outweighs(*floored, f);
  if (const auto* fused = known<FusedDotAdd>(algorithm, f)) return c_outweighs(*fused, f);
  if (const auto* down = known<RoundDownDotAdd>(algorithm, f)) return c_outweighs(*down, f);
  if (const auto* groups = known<GroupDotFusedSum>(algorithm, f)) return c_outweighs(*groups, f);
  // A chain of monotone functions: an infinite c gives the same infinity, or NaN.
  const auto* chain = known<Chained>(algorithm, f);
  return chain != nullptr && c_outweighs(*chain->step, chain->step_formats);
}

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

}  // namespace

bool is_monotone_conversion(const Instruction& instruction) {
  const DotFormats& f = instruction.formats;
  const Conversion* conversion = conversion_of(instruction.algorithm);
  if (conversion == nullptr || !is_conversion(f)) return false;
  // Every rounding is monotone. With the same random bits, so is stochastic rounding: the part of a
  // unit that is added grows with the number's binade. Negative results that become +0 stay in
  // order, too, and so do subnormal numbers that become zeros of their sign.
  [[maybe_unused]] const auto& [round, overflow, infinity_is_largest, nan_is_largest, exponent,
                                random_bits, random, tiny_is_zero, relu, flush_operand,
                                flush_result] = *conversion;
  // An infinity that becomes the largest number must not be below a number that overflows. A NaN
  // may become any number, because it is not one of the operands.
  const bool infinity_stays = !infinity_is_largest || overflow == Overflow::saturate;
  return f.d->has_sign && infinity_stays;
}

bool has_rounded_steps(const Instruction& instruction) {
  return rounded_steps(instruction.algorithm, instruction.formats);
}

bool has_ieee_steps(const Instruction& instruction) {
  if (const auto* fma = known<SequentialFma>(instruction.algorithm, instruction.formats)) {
    const auto& [result, flush_inputs, reversed, chains] = *fma;  // in any order
    return !flush_inputs && chains == 1 && is_ieee(result);
  }
  if (const auto* scaled =
          known_with_scales<SequentialFma>(instruction.algorithm, instruction.formats)) {
    const auto& [result, flush_inputs, reversed, chains] = *scaled;
    return !flush_inputs && is_ieee(result) && holds_unscaled_products(result, instruction.formats);
  }
  if (const auto* pairs = known<GroupPairwiseSum>(instruction.algorithm, instruction.formats)) {
    const auto& [group, flush_inputs, step, minus_zero_products] = *pairs;
    return !flush_inputs && !minus_zero_products && is_ieee(step);
  }
  if (const auto* pair = known<PairDotAdd>(instruction.algorithm, instruction.formats)) {
    // One pair: with several pairs, sums of both signs could be infinite.
    const auto& [fused, flush_inputs, step] = *pair;
    return fused && !flush_inputs && is_ieee(step) && instruction.formats.k == 2;
  }
  return false;
}

namespace {

/// For designs without IEEE 754 steps: if all products are zero, d equals a c of d's format.
bool leaves_c(const Algorithm& algorithm, const DotFormats& f) {
  const auto keeps_all = [&f](const ResultFormat& result) {
    const auto& [format, rounding, underflow, overflow, kept] = result;
    return *f.c == *f.d && f.d->has_infinity() && underflow == Underflow::gradual &&
           result.fraction_bits() == f.d->fraction_bits;
  };
  if (const auto* bulk = known<BulkNormalizedDotAdd>(algorithm, f)) {
    // The products' sum is +0 for every rounding.
    const auto& [block, guard_bits, dot, result, flush_c, numbers_alone] = *bulk;
    return !flush_c && keeps_all(result);
  }
  if (const auto* exact = known<ExactDotAdd>(algorithm, f)) {
    // The exact sum is c, for any block.
    const auto& [block, result] = *exact;
    return f.scale == nullptr && keeps_all(result);
  }
  if (const auto* floored = known<FlooredDotAdd>(algorithm, f)) {
    // c's exponent is the largest, and its last bit is on the grid. The high part of an f32
    // contains all of a bf16.
    const auto& [block, group, product_bits, c_bits, halves_alternate, through_f32, result] =
        *floored;
    return keeps_all(result) && c_bits >= f.c->fraction_bits && c_bits >= product_bits;
  }
  if (const auto* converted = known<F32Chain>(algorithm, f)) {
    [[maybe_unused]] const auto& [round] = *converted;
    // The steps are IEEE 754's: their sum is c, which f32 holds. d's format is c's, so that it is
    // converted without rounding. A scaled zero is a zero.
    return *f.c == *f.d;
  }
  return false;
}

/// For the chains in f32 whose last number is converted: each step that a product goes through
/// rounds an exact result once. Scale factors are positive.
bool is_chain_of_rounded_results(const Algorithm& algorithm, const DotFormats& f) {
  const auto* converted = known<F32Chain>(algorithm, f);
  if (converted == nullptr) return false;
  [[maybe_unused]] const auto& [round] = *converted;  // every rounding is monotone
  return f.scale == nullptr || holds_unscaled_products({&formats::f32}, unconverted(f).formats);
}

}  // namespace

bool rounds_exact_sums(const Instruction& instruction) {
  const DotFormats& f = instruction.formats;
  const auto* bulk = known<BulkNormalizedDotAdd>(instruction.algorithm, f);
  if (bulk == nullptr) bulk = known_with_scales<BulkNormalizedDotAdd>(instruction.algorithm, f);
  if (bulk != nullptr) {
    [[maybe_unused]] const auto& [block, guard_bits, dot, result, flush_c, numbers_alone] = *bulk;
    return dot == BulkResult::to_odd && jams_nothing(*bulk, f);
  }
  const auto* exact = known<ExactDotAdd>(instruction.algorithm, f);
  if (exact == nullptr) return false;
  [[maybe_unused]] const auto& [block, result] = *exact;  // every rounding is monotone
  return f.scale == nullptr;
}

bool adds_c_last(const Instruction& instruction) {
  if (const auto* plan = instruction.algorithm.as<Composed>()) {
    return adds_c_outside(*plan->composition);
  }
  return c_is_last(instruction.algorithm, instruction.formats);
}

bool rounds_each_exact_result(const Instruction& instruction) {
  const auto of = [](const DotFormats& formats, const Algorithm& algorithm) {
    return rounds_each_exact_result({"", "", "", formats, algorithm, {}});
  };
  if (is_chain_of_rounded_results(instruction.algorithm, instruction.formats)) return true;
  if (const auto* plan = instruction.algorithm.as<Composed>()) {
    const Inner* inner = rises_with_inner(*plan->composition);
    return inner != nullptr && of(inner->formats, inner->algorithm);
  }
  if (const auto* chain = known<Chained>(instruction.algorithm, instruction.formats)) {
    return of(chain->step_formats, *chain->step);
  }
  return has_ieee_steps(instruction) || rounds_exact_sums(instruction);
}

bool saturates(const Instruction& instruction) {
  const auto* sum = known<IntegerDotAdd>(instruction.algorithm, instruction.formats);
  if (sum == nullptr) return false;
  const auto& [overflow, group] = *sum;  // any
  return overflow == IntegerOverflow::saturate;
}

bool keeps_exact_integers(const Instruction& instruction) {
  const auto* sum = known<IntegerDotAdd>(instruction.algorithm, instruction.formats);
  if (sum == nullptr) return false;
  const auto& [overflow, group] = *sum;
  return overflow == IntegerOverflow::wrap || group == instruction.formats.k;
}

bool keeps_c(const Instruction& instruction) {
  const DotFormats& f = instruction.formats;
  if (known<IntegerDotAdd>(instruction.algorithm, f) != nullptr) return *f.c == *f.d;
  return leaves_c(instruction.algorithm, f) ||
         (has_ieee_steps(instruction) && (f.d->has_infinity() || within_range(*f.c, *f.d)));
}

bool treats_signs_alike(const Instruction& instruction) {
  const Conversion* conversion = conversion_of(instruction.algorithm);
  if (conversion != nullptr && is_conversion(instruction.formats)) {
    // Stochastic rounding adds to the magnitude. All else keeps the sign.
    const bool has_direction =
        conversion->round == Rounding::down || conversion->round == Rounding::up;
    return has_two_zeros_and_nan(instruction.formats) && !conversion->relu &&
           (conversion->random_bits > 0 || !has_direction);
  }
  return signs_alike(instruction.algorithm, instruction.formats);
}

bool c_outweighs_cuts(const Instruction& instruction) {
  return c_outweighs(instruction.algorithm, instruction.formats);
}

bool groups_outweigh_cuts(const Instruction& instruction) {
  const DotFormats& f = instruction.formats;
  const auto* groups = known<GroupDotFusedSum>(instruction.algorithm, f);
  if (groups == nullptr) return false;
  const auto& [group, places, zero_terms, zero_exponent, result, exponent_floor,
               cancelled_groups_count] = *groups;
  if (zero_terms == ZeroTerms::operands_count) return true;
  // A lower bound of a group's nonzero sum: this number of binades below its scale factors'
  // exponent.
  const int below = 2 * f.scale->fraction_bits - lowest_product_bit(f);
  const int others = f.k / group;  // c replaces the group itself
  const int spare = places - below;
  return spare >= 0 && ceil_log2(others) <= spare;
}

namespace {

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

bool keeps_subnormals(const Instruction& instruction) {
  if (has_ieee_steps(instruction)) return true;
  const DotFormats& f = instruction.formats;
  if (const auto* exact = known<ExactDotAdd>(instruction.algorithm, f)) {
    // The exact sum is the term, which the first block rounds; later blocks add zeros to it.
    const auto& [block, result] = *exact;
    return f.scale == nullptr && is_ieee(result);
  }
  if (const auto* bulk = known<BulkNormalizedDotAdd>(instruction.algorithm, f)) {
    // The products' sum is the term, rounded once, or zero. c is added to it.
    const auto& [block, guard_bits, dot, result, flush_c, numbers_alone] = *bulk;
    return dot == BulkResult::to_odd && jams_nothing(*bulk, f) && !flush_c && is_ieee(result);
  }
  const auto* converted = known<F32Chain>(instruction.algorithm, f);
  if (converted == nullptr) return false;
  [[maybe_unused]] const auto& [round] = *converted;
  if (f.scale == nullptr) return true;
  // The first scale factor makes no product inexact: its last bit is still one of f32. A product
  // that overflows there is too large for a subnormal result.
  const int lowest = lowest_product_bit(f) + f.scale->least_exponent();
  return f.scale->fraction_bits == 0 && lowest >= lowest_bit(formats::f32) &&
         holds_unscaled_products({&formats::f32}, unconverted(f).formats);
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

bool adds_pairs(const Instruction& instruction, int within) {
  const bool alone = within == 2 || instruction.formats.k == 2;
  if (const auto* pairs = known<PairDotAdd>(instruction.algorithm, instruction.formats)) {
    // Sums, rounded or exact, of two products that were flushed and rounded alike.
    [[maybe_unused]] const auto& [fused, flush_inputs, step] = *pairs;
    return alone;
  }
  const auto* pairwise = known<GroupPairwiseSum>(instruction.algorithm, instruction.formats);
  if (pairwise == nullptr) return false;
  const auto& [group, flush_inputs, step, minus_zero_products] =
      *pairwise;  // a power of two: its pairs are 2i, 2i + 1
  return group % 2 == 0 && alone;
}

namespace {

/// True if every subnormal number of c's format is below half of the least number of d's.
bool subnormals_are_tiny(const DotFormats& f) {
  return f.c->least_exponent() <= f.d->least_exponent() - f.d->fraction_bits - 1;
}

/// True if no number of c's format is subnormal in d's.
bool has_no_subnormal_results(const DotFormats& f) {
  return f.c->least_exponent() - f.c->fraction_bits >= f.d->least_exponent();
}

}  // namespace

std::optional<ResultFormat> only_rounding(const Instruction& instruction) {
  const DotFormats& f = instruction.formats;
  if (const Conversion* conversion = conversion_of(instruction.algorithm)) {
    const auto& [round, overflow, infinity_is_largest, nan_is_largest, exponent, random_bits,
                 random, tiny_is_zero, relu, flush_operand, flush_result] = *conversion;
    const bool to_nearest = round == Rounding::nearest_even || round == Rounding::nearest_away;
    // The number is rounded to the zero of its sign, as is the zero that replaces it.
    const bool operand_stays = !flush_operand || (subnormals_are_tiny(f) &&
                                                  (to_nearest || round == Rounding::toward_zero));
    const bool result_stays = !flush_result || has_no_subnormal_results(f);
    const bool plain = is_conversion(f) && f.d->has_sign && f.d->has_nan() &&
                       !infinity_is_largest && exponent == 0 && random_bits == 0 && !relu &&
                       operand_stays && result_stays;
    // Rounding to nearest gives an infinity beyond the largest number.
    const bool is_infinite = overflow == Overflow::directed && to_nearest;
    return plain ? std::optional(ResultFormat{f.d, round, Underflow::gradual,
                                              is_infinite ? Overflow::to_infinity : overflow})
                 : std::nullopt;
  }
  if (const auto* fma = known<SequentialFma>(instruction.algorithm, f)) {
    const auto& [result, flush_inputs, reversed, chains] = *fma;
    return f.k == 1 && !flush_inputs && chains == 1 ? std::optional(result) : std::nullopt;
  }
  if (const auto* exact = known<ExactDotAdd>(instruction.algorithm, f)) {
    const auto& [block, result] = *exact;
    return block == f.k ? std::optional(result) : std::nullopt;
  }
  if (const auto* fused = known<FusedDotAdd>(instruction.algorithm, f)) {
    const bool once = fused->block == f.k && cuts_nothing(*fused, f);
    return once ? std::optional(fused->result) : std::nullopt;
  }
  if (const auto* pairwise = known<GroupPairwiseSum>(instruction.algorithm, f)) {
    const bool once = f.k == 1 && holds_products(*pairwise, f);
    return once ? std::optional(pairwise->step) : std::nullopt;
  }
  // Zero products do not change the exact result.
  const auto* padded = known<Padded>(instruction.algorithm, f);
  if (padded == nullptr) return std::nullopt;
  Instruction whole = instruction;
  whole.algorithm = *padded->whole;
  whole.formats = padded->whole_formats;
  return only_rounding(whole);
}

bool is_correctly_rounded(const Instruction& instruction) {
  return only_rounding(instruction) == ResultFormat{instruction.formats.d};
}

namespace {

/// True for conversions of finite operands to one of the two neighbours, or to the number itself if
/// d's format holds it, by one of these:
/// - Stochastic rounding. Less than one unit is added to the exact magnitude, and the sum is cut to
///   units. A number below half the least one may become zero.
/// - Rounding of a number unless it is subnormal, where these are below the least number of d's
///   format: the zero that replaces them is a neighbour.
bool is_rounded_to_a_neighbour(const Instruction& instruction) {
  const DotFormats& f = instruction.formats;
  const Conversion* conversion = conversion_of(instruction.algorithm);
  if (conversion == nullptr || !is_conversion(f) || !has_two_zeros_and_nan(f)) return false;
  [[maybe_unused]] const auto& [round, overflow, infinity_is_largest, nan_is_largest, exponent,
                                random_bits, random, tiny_is_zero, relu, flush_operand,
                                flush_result] = *conversion;
  return exponent == 0 && !relu && !flush_result && (!flush_operand || subnormals_are_tiny(f));
}

/// True for stochastic rounding in which no number that rounding to nearest keeps finite becomes
/// infinite: half a unit or less is added, and a tie beyond the largest number of a format with
/// infinities is infinite to nearest, too.
bool adds_at_most_half(const Instruction& instruction) {
  const DotFormats& f = instruction.formats;
  const Conversion* conversion = conversion_of(instruction.algorithm);
  if (conversion == nullptr || !is_conversion(f) || !has_two_zeros_and_nan(f)) return false;
  const int bits = conversion->random_bits;
  if (bits == 0 || conversion->exponent != 0) return false;
  return conversion->overflow == Overflow::saturate ||
         (f.d->has_infinity() && 2 * conversion->random <= 1 << bits);
}

}  // namespace

bool is_faithfully_rounded(const Instruction& instruction) {
  if (is_rounded_to_a_neighbour(instruction)) return true;
  const auto once = only_rounding(instruction);
  if (!once) return false;
  // Beyond the largest number, the neighbours are infinity and the largest number; either is
  // allowed.
  const auto& [format, rounding, underflow, overflow, kept] = *once;
  switch (rounding) {
    case Rounding::toward_zero:
    case Rounding::nearest_even:
    case Rounding::down:
    case Rounding::up:
    case Rounding::nearest_away:
    case Rounding::to_odd:
      return underflow == Underflow::gradual &&
             once->fraction_bits() == instruction.formats.d->fraction_bits;
  }
  return false;
}

bool overflows_no_earlier(const Instruction& instruction) {
  if (adds_at_most_half(instruction)) return true;
  const auto once = only_rounding(instruction);
  if (!once || !is_faithfully_rounded(instruction)) return false;
  const auto& [format, rounding, underflow, overflow, kept] = *once;
  return overflow == Overflow::saturate || rounding == Rounding::toward_zero ||
         rounding == Rounding::nearest_even;
}

}  // namespace mmaspec
