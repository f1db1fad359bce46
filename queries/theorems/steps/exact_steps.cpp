// Steps that round exact results, or keep a term or an integer as it is.

#include "queries/theorems/known_design.h"
#include "queries/theorems/magnitudes.h"
#include "queries/theorems/plan_steps.h"
#include "queries/theorems/steps.h"
#include "queries/theorems/steps/formats.h"
#include "queries/theorems/term_bits.h"

namespace mmaspec {

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

}  // namespace mmaspec
