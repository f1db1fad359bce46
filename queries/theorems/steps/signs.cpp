// Symmetry of signs, and sums of two products in either order.

#include "queries/theorems/known_design.h"
#include "queries/theorems/steps.h"
#include "spec/conversions/conversion_design.h"

namespace mmaspec {
namespace {

/// Whether rounding, underflow, overflow and kept bits depend only on the magnitude.
bool is_by_magnitude(const ResultFormat& result) {
  const auto& [format, rounding, underflow, overflow, kept] = result;
  return rounding == Rounding::toward_zero || rounding == Rounding::nearest_even ||
         rounding == Rounding::nearest_away || rounding == Rounding::to_odd;
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

}  // namespace

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

}  // namespace mmaspec
