#include "queries/theorems/redundant/idle.h"

#include "queries/theorems/known_design.h"
#include "queries/theorems/magnitudes.h"
#include "queries/theorems/redundant/aligned.h"
#include "queries/theorems/redundant/vector.h"
#include "queries/theorems/term_bits.h"

namespace mmaspec {
namespace {

/// Steps that each add a sum of products, rounded or not, to c or to the last result.
bool never_subnormal(bool flush_inputs, const DotFormats& f) {
  return never_subnormal(f, true) ||
         (flush_inputs && never_subnormal_of_normal(f, lowest_product_bit(f)));
}

Algorithm changed(const GroupPairwiseSum& design, const DotFormats& f) {
  if (!is_well_formed(design, f)) return design;
  GroupPairwiseSum other = design;
  const int at_once = 2 * design.group;
  other.step = one_sided(plain(design.step, never_subnormal(design.flush_inputs, f),
                               stays_within(design.step, at_once, f)),
                         at_once, f);
  return other;
}

Algorithm changed(const SequentialFma& design, const DotFormats& f) {
  if (!is_well_formed(design, f)) return design;
  // Two chains of one product each, added to zero: a pair of rounded products, in either order.
  if (design.chains == 2 && f.k == 2 && !design.flush_inputs) {
    return changed(GroupPairwiseSum{2, false, design.result}, f);
  }
  if (design.chains != 1) {
    // The number added to c is a rounded sum of the others, less than twice as large.
    SequentialFma other = design;
    other.result = one_sided(plain(design.result, never_subnormal(design.flush_inputs, f),
                                   stays_within(design.result, 2 * f.k, f)),
                             2 * f.k, f);
    return other;
  }
  // When rounding down, a product keeps the sign of its zero.
  if (design.result.rounding == Rounding::down && design.reversed == 1 && !design.flush_inputs &&
      products_are_exact(design.result, f)) {
    return changed(GroupPairwiseSum{1, false, design.result}, f);
  }
  SequentialFma other = design;
  other.result = one_sided(plain(design.result, never_subnormal(design.flush_inputs, f),
                                 stays_within(design.result, 1, f)),
                           1, f);
  return other;
}

Algorithm changed(const PairDotAdd& design, const DotFormats& f) {
  if (!is_well_formed(design, f)) return design;
  // Products, pairs and c are multiples of one number, rounded or not. A rounded pair is less than
  // twice its products.
  const auto& [fused, flush_inputs, step] = design;
  PairDotAdd other = design;
  // If rounding before the addition does not change any product and does not produce one that is
  // flushed, the products are summed exactly and the sum is rounded.
  const int unit = lowest_product_bit(f);
  if (products_are_exact(step, f) && (!flush_inputs || unit >= f.d->least_exponent())) {
    other.fused = true;
  }
  other.step = plain(step, never_subnormal(flush_inputs, f), stays_within(step, 4, f));
  return other;
}

Algorithm changed(const ExactDotAdd& design, const DotFormats& f) {
  if (!is_well_formed(design, f)) return design;
  // In both designs a zero sum is +0, unless rounding is down.
  if (design.block == 1 && design.result.rounding != Rounding::down &&
      products_are_exact(design.result, f)) {
    return changed(GroupPairwiseSum{1, false, design.result}, f);
  }
  ExactDotAdd other = design;
  other.result = one_sided(
      plain(design.result, never_subnormal(f, true), stays_within(design.result, design.block, f)),
      design.block, f);
  return other;
}

/// Exact products are not rounded, and a sum has no more bits than its terms.
Algorithm changed(const RoundedProductDotAdd& design, const DotFormats& f) {
  const auto& [block, product_bits, product_rounding, fraction_bits, sum_bits, flush_inputs,
               result] = design;
  if (!is_well_formed(design, f)) return design;
  RoundedProductDotAdd other{block,    product_bits, product_rounding,           fraction_bits,
                             sum_bits, flush_inputs, plain(result, false, false)};
  if (product_bits >= exact_product_bits(f)) {
    other.product_bits = exact_product_bits(f);
    other.product_rounding = Rounding::to_odd;
  }
  if (sum_bits && *sum_bits >= fraction_bits) other.sum_bits.reset();
  return other;
}

/// A d of f32 is not converted.
Algorithm changed(const F32Chain& design, const DotFormats& f) {
  [[maybe_unused]] const auto& [round] = design;
  if (!is_well_formed(design, f) || !(*f.d == formats::f32)) return design;
  if (f.scale == nullptr) return changed(unconverted(f).chain, f);
  return F32Chain{};
}

/// For designs with aligned sums, and for vector units.
template <typename D>
requires requires(const D& design, const DotFormats& f) { without_idle(design, f); }
Algorithm changed(const D& design, const DotFormats& f) {
  if (!is_well_formed(design, f)) return design;
  return without_idle(design, f);
}

template <typename D>
Algorithm changed(const D& design, const DotFormats&) {
  return design;
}

}  // namespace

Algorithm without_idle_parameters(const Algorithm& algorithm, const DotFormats& formats) {
  return std::visit([&](const auto& design) { return changed(design, formats); },
                    algorithm.design());
}

}  // namespace mmaspec
