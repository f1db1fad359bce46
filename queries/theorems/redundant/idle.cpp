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

/// Rounding to a result, then flushing it, and flushing what is below the least normal number are
/// the same for products and for sums of results and c: none is between the least normal number and
/// the one below it. A product has as few bits as a result below its leading one. The others are
/// multiples of the least subnormal number, if c is.
bool tells_tiny_alike(const ResultFormat& step, const DotFormats& f) {
  const int kept = step.fraction_bits();
  return f.scale == nullptr && product_bits(f) + 1 <= kept &&
         lowest_bit(*f.c) >= f.d->least_exponent() - kept;
}

/// The step with the underflow of rounding first, if the other one is the same.
ResultFormat flushed_alike(ResultFormat step, const DotFormats& f) {
  if (step.underflow == Underflow::flush_tiny && tells_tiny_alike(step, f)) {
    step.underflow = Underflow::flush;
  }
  return step;
}

Algorithm changed(const SequentialFma& design, const DotFormats& f);

Algorithm changed(const GroupPairwiseSum& design, const DotFormats& f) {
  if (!is_well_formed(design, f)) return design;
  const auto& [group, flush_inputs, step, minus_zero_products] = design;
  const bool down = step.rounding == Rounding::down;  // a product keeps the sign of its zero
  if (group == 1 && !flush_inputs && (minus_zero_products || down) && products_are_exact(step, f)) {
    return changed(SequentialFma{step}, f);
  }
  GroupPairwiseSum other = design;
  const int at_once = 2 * group;
  other.step = one_sided(plain(flushed_alike(step, f), never_subnormal(flush_inputs, f),
                               stays_within(step, at_once, f)),
                         at_once, f);
  // A flushed c is never -0, so that its sum with a zero is c for zeros of both signs. The same is
  // true of results if none is flushed: a sum of two numbers that is zero is +0.
  const bool no_minus_zero = flush_inputs && (group == f.k || never_subnormal(flush_inputs, f));
  if (down || no_minus_zero) other.minus_zero_products = false;
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
  const ResultFormat alike = other.fused ? step : flushed_alike(step, f);
  other.step = plain(alike, never_subnormal(flush_inputs, f), stays_within(step, 4, f));
  return other;
}

Algorithm changed(const ExactDotAdd& design, const DotFormats& f) {
  if (!is_well_formed(design, f)) return design;
  // In both designs a zero sum is +0, unless rounding is down.
  if (design.result.rounding != Rounding::down && sums_are_exact(design.result, design.block, f)) {
    return changed(GroupPairwiseSum{design.block, false, design.result}, f);
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

/// Its rules for designs without scale factors need finite numbers of the formats alone.
Algorithm changed(const BulkNormalizedDotAdd& design, const DotFormats& f) {
  if (is_well_formed(design, f)) return without_idle(design, f);
  BulkNormalizedDotAdd other = design;
  if (is_well_formed_with_scales(design, f) && jams_nothing(design, f)) {
    other.guard_bits = kReachesAll;
  }
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
