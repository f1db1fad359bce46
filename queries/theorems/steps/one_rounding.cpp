// Designs in which the exact result is all that is rounded.

#include <algorithm>

#include "queries/theorems/known_design.h"
#include "queries/theorems/magnitudes.h"
#include "queries/theorems/steps.h"
#include "queries/theorems/term_bits.h"
#include "spec/conversions/conversion_design.h"

namespace mmaspec {
namespace {

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
