#include "spec/algorithms/symbolic.h"

namespace mmaspec {
namespace {

std::optional<Int> constant(const std::optional<int>& number) {
  return number ? std::optional(Int(*number)) : std::nullopt;
}

}  // namespace

SymbolicGroupPairwiseSum symbolic(const GroupPairwiseSum& design) {
  const auto& [group, flush_inputs, step, minus_zero_products] = design;
  return {group, flush_inputs, step, minus_zero_products};
}

SymbolicFusedDotAdd symbolic(const FusedDotAdd& design) {
  const auto& [fraction_bits, exponent_floor, zero_terms, zero_exponent, block, result,
               align_rounding, c_joins, normalized_products, flush_inputs, product_overflow,
               minus_zero, normalized_c] = design;
  return {fraction_bits,
          constant(exponent_floor),
          zero_terms,
          zero_exponent,
          block,
          result,
          align_rounding,
          c_joins,
          normalized_products,
          flush_inputs,
          constant(product_overflow),
          minus_zero,
          normalized_c};
}

SymbolicRoundDownDotAdd symbolic(const RoundDownDotAdd& design) {
  const auto& [block, groups, product_fraction_bits, sum_fraction_bits, sum_rounding,
               c_fraction_bits, c_rounding, c_reach, product_overflow, zero_terms, zero_exponent,
               result, normalized_bits, overflow_joins] = design;
  return {block,           groups,     product_fraction_bits,     sum_fraction_bits, sum_rounding,
          c_fraction_bits, c_rounding, constant(c_reach),         product_overflow,  zero_terms,
          zero_exponent,   result,     constant(normalized_bits), overflow_joins};
}

SymbolicGroupDotFusedSum symbolic(const GroupDotFusedSum& design) {
  const auto& [group, fraction_bits, zero_terms, zero_exponent, result, exponent_floor,
               cancelled_groups_count] = design;
  return {group,
          fraction_bits,
          zero_terms,
          zero_exponent,
          result,
          constant(exponent_floor),
          cancelled_groups_count};
}

SymbolicSplitFp8 symbolic(const SplitFp8& design) {
  const auto& [half, chained_halves] = design;
  return {symbolic(half), chained_halves};
}

SymbolicExactDotAdd symbolic(const ExactDotAdd& design) {
  const auto& [block, result] = design;
  return {block, result};
}

}  // namespace mmaspec
