// Monotonicity: steps that are monotone in a term, and terms that outweigh what their exponents
// cut.

#include <algorithm>

#include "queries/theorems/known_design.h"
#include "queries/theorems/magnitudes.h"
#include "queries/theorems/plan_steps.h"
#include "queries/theorems/steps.h"
#include "queries/theorems/term_bits.h"
#include "spec/conversions/conversion_design.h"

namespace mmaspec {
namespace {

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

bool adds_c_last(const Instruction& instruction) {
  if (const auto* plan = instruction.algorithm.as<Composed>()) {
    return adds_c_outside(*plan->composition);
  }
  return c_is_last(instruction.algorithm, instruction.formats);
}

bool saturates(const Instruction& instruction) {
  const auto* sum = known<IntegerDotAdd>(instruction.algorithm, instruction.formats);
  if (sum == nullptr) return false;
  const auto& [overflow, group] = *sum;  // any
  return overflow == IntegerOverflow::saturate;
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

}  // namespace mmaspec
