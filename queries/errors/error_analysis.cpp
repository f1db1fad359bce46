#include "queries/errors/error_analysis.h"

#include <algorithm>

#include "queries/errors/partial_product_error.h"
#include "queries/errors/step_cuts.h"
#include "queries/errors/tree_error.h"
#include "queries/theorems/known_design.h"
#include "queries/theorems/magnitudes.h"
#include "queries/theorems/steps.h"

namespace mmaspec {
namespace {

/// The error of rounding a number of exponent l + above: less than one unit in its last place, or
/// half a unit.
Rational rounding_error(const DotFormats& f, const KnownRounding& r, int above) {
  const Rational unit = rational_power_of_two(above + f.d->fraction_bits - r.kept);
  return r.to_nearest ? Rational(unit / 2) : unit;
}

/// One fused sum of `count` products and c.
std::optional<Rational> fused_sum(const DotFormats& f, const FusedDotAdd& design, int count,
                                  ErrorOf of) {
  const auto step = cuts_of_fused_sum(f, design, count, of);
  if (!step) return std::nullopt;
  // The remaining parts add up to at most count + 1 times the largest term.
  return step->cuts + rounding_error(f, step->rounding, ceil_log2(count + 1));
}

/// A chain of blocks, each of which takes the last result as c and has an error of at most `step`.
/// `largest`: the j-th result is less than largest(j) times 2^(l + 1), so the next block's largest
/// exponent may be higher by the corresponding number of binades.
template <typename Largest>
std::optional<Rational> chain(const DotFormats& f, int blocks, const Rational& step,
                              const Largest& largest) {
  if (blocks > 1 && !(*f.c == *f.d)) return std::nullopt;
  Rational sum = 0;
  for (int j = 0; j < blocks; ++j) {
    sum += step * rational_power_of_two(j == 0 ? 0 : ceil_log2(largest(j)));
  }
  return sum;
}

/// Results of fused sums: 1 + j * block terms that were cut and rounded toward zero. For rounding
/// to nearest, a result differs from the last one by at most twice the amount added, because the
/// last one is a number of the same format.
std::optional<Rational> fused_chain(const DotFormats& f, const FusedDotAdd& design, int block,
                                    int blocks, ErrorOf of) {
  const auto step = fused_sum(f, design, block, of);
  if (!step) return std::nullopt;
  const int most = design.result.rounding == Rounding::toward_zero ? 1 : 2;
  return chain(f, blocks, *step, [=](int j) { return most * (1 + j * block); });
}

/// NVFP4 and MXFP4.
std::optional<Rational> group_sum(const DotFormats& f, const GroupDotFusedSum& design) {
  const auto step = cuts_of_group_sum(f, design);
  if (!step) return std::nullopt;
  return step->cuts + rounding_error(f, step->rounding, ceil_log2(f.k + 1));
}

/// One step of CDNA3.
std::optional<Rational> round_down_sum(const DotFormats& f, const RoundDownDotAdd& design,
                                       ErrorOf of) {
  const auto step = cuts_of_round_down_sum(f, design, of);
  if (!step) return std::nullopt;
  const auto& [cuts, rounding] = *step;
  // The sum is at most count + 1 times the largest term, plus what was cut.
  const Rational sum = (design.block + 1) * rational_power_of_two(f.d->fraction_bits + 1) + cuts;
  const Rational last_bits = rounding.to_nearest ? Rational(1, 2) : Rational(1);
  return cuts + last_bits * std::max(rational_power_of_two(f.d->fraction_bits - rounding.kept),
                                     Rational(sum * rational_power_of_two(-rounding.kept)));
}

/// Rounding down may increase the magnitude: the j-th result is at most 1 + j * block times the
/// largest term, plus the error so far.
std::optional<Rational> round_down_chain(const DotFormats& f, const RoundDownDotAdd& design,
                                         ErrorOf of) {
  const auto step = round_down_sum(f, design, of);
  if (!step) return std::nullopt;
  const int blocks = f.k / design.block;
  // That error is at most 2^l, half of 2^(l + 1); see below.
  const auto largest = [&](int j) {
    const int terms = 1 + j * design.block;
    return design.result.rounding == Rounding::toward_zero ? terms + 1 : 2 * terms;
  };
  const auto before_last = chain(f, blocks - 1, *step, largest);
  if (!before_last || *before_last > rational_power_of_two(f.d->fraction_bits)) return std::nullopt;
  return chain(f, blocks, *step, largest);
}

/// Products and sums are each rounded; subnormal operands and results may become zero.
std::optional<Rational> pairwise_sum(const DotFormats& f, const GroupPairwiseSum& design) {
  const auto& [group, flush_inputs, step, minus_zero_products] = design;
  const auto rounding = known_rounding(step);
  if (!rounding) return std::nullopt;
  // For rounding to nearest, a product and each level of a group's tree grow by a factor of at most
  // 1 + 2^-kept / 2; all levels together by a factor below two.
  const int levels = 1 + ceil_log2(group);
  if (rounding->to_nearest &&
      Integer(levels) > power_of_two(static_cast<unsigned>(rounding->kept))) {
    return std::nullopt;
  }
  // A product: rounded or, below d's least normal number, flushed.
  const Rational flushed =
      rounding->flushes ? rational_power_of_two(f.d->fraction_bits) : Rational(0);
  // Flushing an operand loses its term, which is less than 2^(l + 1).
  const Rational lost = flush_inputs ? rational_power_of_two(f.d->fraction_bits + 1) : Rational(0);
  const Rational products = f.k * (rounding_error(f, *rounding, 0) + flushed) + (f.k + 1) * lost;
  // The number of additions is that of products, each of a sum below four times K + 1 times the
  // largest term.
  const Rational additions = f.k * (rounding_error(f, *rounding, ceil_log2(f.k + 1) + 2) + flushed);
  return products + additions;
}

/// Two fused sums of half the products, chained or added, and c added at the end, both to nearest:
/// no sum exceeds four times K + 1 times the largest term.
std::optional<Rational> split_sum(const DotFormats& f, const SplitFp8& design, ErrorOf of) {
  const auto& [fused, chained_halves] = design;
  const DotFormats half = half_formats(f);
  const Rational addition = rational_power_of_two(ceil_log2(f.k + 1) + 2) / 2;
  if (!chained_halves) {
    const auto step = fused_sum(half, fused, f.k / 2, of);
    if (!step) return std::nullopt;
    return 2 * *step + 2 * addition;
  }
  const auto halves = fused_chain(half, fused, f.k / 2, 2, of);
  if (!halves) return std::nullopt;
  return *halves + addition;
}

std::optional<Rational> analysed(const Algorithm& algorithm, const DotFormats& f, ErrorOf of) {
  if (const auto* fused = known<FusedDotAdd>(algorithm, f)) {
    return fused_chain(f, *fused, fused->block, f.k / fused->block, of);
  }
  if (const auto* down = known<RoundDownDotAdd>(algorithm, f)) {
    return round_down_chain(f, *down, of);
  }
  if (const auto* split = known<SplitFp8>(algorithm, f)) return split_sum(f, *split, of);
  if (const auto* groups = known<GroupDotFusedSum>(algorithm, f)) return group_sum(f, *groups);
  if (const auto of_steps = tree_error(algorithm, f, of)) return of_steps;
  if (const auto* pairwise = known<GroupPairwiseSum>(algorithm, f)) {
    return pairwise_sum(f, *pairwise);
  }
  if (const auto* partial = known<PartialProductDotAdd>(algorithm, f)) {
    return partial_product_error(*partial, f);
  }
  // Zero products do not change the exact result or the largest term, and the analysis of the whole
  // treats zero like any other number.
  const auto* padded = known<Padded>(algorithm, f);
  if (padded == nullptr) return std::nullopt;
  // Zero factors would not count with an exponent.
  return analysed(*padded->whole, padded->whole_formats, of);
}

}  // namespace

std::optional<Rational> error_by_analysis(const Instruction& instruction, ErrorOf of) {
  return analysed(instruction.algorithm, instruction.formats, of);
}

}  // namespace mmaspec
