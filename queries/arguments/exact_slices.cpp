#include "queries/arguments/exact_slices.h"

#include "queries/arguments/known_design.h"
#include "queries/arguments/steps.h"
#include "spec/plans/ozaki.h"

namespace mmaspec {
namespace {

/// Whether sums of integers stay what they are, all partial sums being less than 2^digits.
bool keeps_integers(const Algorithm& algorithm, const DotFormats& f, int digits) {
  if (const auto* chain = known<Chained>(algorithm, f)) {
    return keeps_integers(*chain->step, chain->step_formats, digits);
  }
  const int top = digits - 1;  // the largest exponent
  if (f.a->least_exponent() > 0 || f.b->least_exponent() > 0 || top > f.d->largest_exponent()) {
    return false;
  }
  if (const auto* fused = known<FusedDotAdd>(algorithm, f)) {
    // Nothing is cut, rounded, subnormal or flushed, whatever the rounding.
    const auto& [places, floor, zero_terms, zero_exponent, block, result, align_rounding, c_joins,
                 normalized_products, flush_inputs, product_overflow, minus_zero] = *fused;
    return zero_terms == ZeroTerms::left_out && c_joins == AccumulatorJoins::early &&
           top <= places && (!floor || *floor <= places) && top <= result.fraction_bits() &&
           (!product_overflow || top < *product_overflow);
  }
  if (const auto* exact = known<ExactDotAdd>(algorithm, f)) {
    const auto& [block, result] = *exact;
    return top <= result.fraction_bits();
  }
  return false;
}

struct Slices {
  int slices;
  int bits;
  int reach;
  const Format* of;

  friend bool operator==(const Slices&, const Slices&) = default;
};

/// Of an ozaki1 plan all whose sums are exact.
std::optional<Slices> exact_slices(const Instruction& instruction) {
  const auto* plan = instruction.algorithm.as<Composed>();
  if (plan == nullptr) return std::nullopt;
  const auto* scheme = dynamic_cast<const Scheme<Ozaki1>*>(plan->composition.get());
  if (scheme == nullptr) return std::nullopt;
  const Inner& inner = scheme->inner();
  const int k = instruction.formats.k;
  const auto& [slices, asked, reach, of] = scheme->scheme();
  const int bits = bits_of_slices(scheme->scheme(), inner, k);
  if (!keeps_integers(inner.algorithm, inner.formats, 2 * bits + ceil_log2(k))) {
    return std::nullopt;
  }
  return Slices{slices, bits, reach, of};
}

}  // namespace

bool slices_are_summed_alike(const Instruction& first, const Instruction& second) {
  const auto slices = exact_slices(first);
  return slices && first.formats == second.formats && slices == exact_slices(second);
}

}  // namespace mmaspec
