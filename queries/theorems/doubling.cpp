#include "queries/theorems/doubling.h"

#include <algorithm>

#include "queries/theorems/known_design.h"
#include "queries/theorems/magnitudes.h"
#include "queries/theorems/steps.h"
#include "queries/theorems/term_bits.h"

namespace mmaspec {
namespace {

/// All products are multiples of a unit u that is much larger than d's least normal number, so no
/// sum of them and a normal c is subnormal. (The sum is c, or at least u / 2, or c is at least u /
/// 4, and the sum is a multiple of c's last bit.)
bool never_underflows(const DotFormats& f) {
  const int bits = std::max(f.c->fraction_bits, f.d->fraction_bits);
  return lowest_product_bit(f) - 2 - bits >= f.d->least_exponent();
}

/// Conditions under which a design that cuts below the largest exponent treats all exponents
/// relative to that one.
bool has_relative_exponents(const FusedDotAdd& design, const DotFormats& f) {
  // Normal operands are not flushed. Whether c is added early or late, it is aligned with all other
  // terms.
  const auto& [places, floor, zero_terms, zero_exponent, block, result, align_rounding, c_joins,
               normalized_products, flush_inputs, product_overflow, minus_zero, normalized_c] =
      design;
  return (!floor || *floor < f.d->least_exponent()) && zero_terms == ZeroTerms::left_out &&
         !product_overflow && (f.scale == nullptr || f.scale->fraction_bits == 0);
}

/// Infinite results are excluded; subnormal ones are kept.
bool overflows_and_underflows_as_usual(const ResultFormat& result) {
  const auto& [format, rounding, underflow, overflow, kept] = result;
  return overflow == Overflow::to_infinity && underflow == Underflow::gradual;
}

// Terms are multiples of the least subnormal number, and so are sums. Below the least normal number
// sums are therefore exact, and above it every exponent rounds like the next.

bool doubles(const FusedDotAdd& design, const DotFormats& f) {
  const int kept = design.result.fraction_bits();
  const int places = design.fraction_bits;
  const bool once = design.block == f.k;
  if (!overflows_and_underflows_as_usual(design.result) || design.flush_inputs ||
      !has_relative_exponents(design, f)) {
    return false;
  }
  // If a number below the least normal one is rounded toward zero once, the result is not normal.
  if (once && design.result.rounding == Rounding::toward_zero && kept > 0) return true;
  // A subnormal result counts with the least normal number's exponent, and so does its double: the
  // next block must not cut anything from it.
  if (!once && places < kept) return false;
  // If F is the number of kept bits, the part of c that alignment keeps is also such a multiple.
  return product_bits(f) <= kept && (f.c->fraction_bits <= kept || places <= kept);
}

bool doubles(const SplitFp8& design, const DotFormats& f) {
  const auto& [half, chained_halves] = design;
  const int kept = half.result.fraction_bits();
  return overflows_and_underflows_as_usual(half.result) && !half.flush_inputs &&
         has_relative_exponents(half, f) && half.fraction_bits >= kept &&
         product_bits(half_formats(f)) <= kept && f.c->fraction_bits <= kept;
}

/// `result`: the rounding of every step.
bool doubles_in_rounded_steps(const ResultFormat& result, const DotFormats& f) {
  const int kept = result.fraction_bits();
  return overflows_and_underflows_as_usual(result) && product_bits(f) <= kept &&
         f.c->fraction_bits <= kept;
}

/// Cutting a c that is not subnormal depends only on its distance below the largest exponent. The
/// value of that exponent matters only for a subnormal c.
bool doubles(const FlooredDotAdd& design, const DotFormats& f) {
  const auto& [block, group, product_bits, c_bits, alternate, through_f32, result] = design;
  const int below = c_bits - product_bits;
  if (through_f32) {
    // The f32 result doubles. Its high part doubles if it is normal; if it is zero, that of the
    // double is zero or subnormal.
    const ResultFormat wide{&formats::f32};
    const bool keeps_all = result.fraction_bits() == f.d->fraction_bits;
    return block == f.k && keeps_all &&
           f.c->least_exponent() <= f.d->least_exponent() - 1 + below &&
           overflows_and_underflows_as_usual(result) && doubles_in_rounded_steps(wide, f);
  }
  // A zero c counts with its format's least exponent, which is at most that of any nonzero product.
  const bool relative = f.c->least_exponent() <= f.d->least_exponent() - 1 + below;
  // Between blocks no result is subnormal: each is c, or a multiple of a unit that is normal.
  const int least_unit = f.a->least_exponent() + f.b->least_exponent() + below - c_bits;
  const bool stays_normal = least_unit >= f.d->least_exponent() &&
                            c_bits >= std::max(f.c->fraction_bits, f.d->fraction_bits);
  return relative && (block == f.k || stays_normal) && doubles_in_rounded_steps(result, f);
}

/// If some product is nonzero, the sum is a multiple of a unit that is normal. If all products are
/// zero, each may subtract a unit of c's grid. Together these units are at most what rounding to
/// nearest restores: half of the distance between a power of two and the number below it.
bool doubles(const OnesComplementDotAdd& design, const DotFormats& f) {
  const auto& [block, product_bits, c_bits, zero_c_counts, through_f32, result] = design;
  const auto& [format, rounding, underflow, overflow, kept] = result;  // for any underflow, because
                                                                       // there is none
  return *f.c == *f.d && !through_f32 && !zero_c_counts && c_bits >= product_bits &&
         rounding == Rounding::nearest_even && overflow == Overflow::to_infinity &&
         result.fraction_bits() == f.d->fraction_bits &&
         f.a->least_exponent() + f.b->least_exponent() - product_bits >= f.d->least_exponent() &&
         ceil_log2(block) <= c_bits - f.d->fraction_bits - 2;
}

/// All terms are multiples of d's least subnormal number, and cutting keeps them such: a unit that
/// is cut to is a power of two. A sum below the least normal number is then exact, and
/// normalization cuts nothing from it. Above, everything is relative to the largest exponent.
///
/// Between blocks a result may be subnormal. It counts with the least normal number's exponent, and
/// so does its double. If that is the largest exponent, nothing is cut from any term. A distance
/// from which on c counts as zero (c_reach) is relative only if no such result exists: sums of
/// products are multiples of a normal number, or c alone, which is normal.
///
/// A product that counts as an infinity makes the result infinite or NaN, which is excluded.
bool doubles(const RoundDownDotAdd& design, const DotFormats& f) {
  const auto& [block, groups, product_bits_kept, sum_bits, sum_rounding, c_bits, c_rounding,
               c_reach, product_overflow, zero_terms, zero_exponent, result, normalized_bits,
               overflow_joins] = design;
  const int kept = result.fraction_bits();
  if (!overflows_and_underflows_as_usual(result) || !f.d->has_infinity() ||
      zero_terms != ZeroTerms::left_out || product_bits(f) > kept || f.c->fraction_bits > kept ||
      (normalized_bits && *normalized_bits < kept)) {
    return false;
  }
  if (block == f.k) return true;
  const bool keeps_c = c_bits >= std::max(kept, f.c->fraction_bits) && sum_bits >= kept;
  const int least_unit = f.a->least_exponent() + f.b->least_exponent() -
                         std::max({product_bits_kept, sum_bits, c_bits});
  return *f.c == *f.d && keeps_c && (!c_reach || least_unit >= f.d->least_exponent());
}

/// Without its scale factors, a product is a multiple of d's least subnormal number, and sums of a
/// block are exact below the least normal number. Its scale factors are powers of two: its scaled
/// products are normal, with few enough bits to be such multiples, and so is its scaled sum.
bool doubles_in_scaled_steps(const SequentialFma& design, const DotFormats& f) {
  const auto& [result, flush_inputs, reversed, chains] = design;
  return !flush_inputs && f.scale->fraction_bits == 0 && doubles_in_rounded_steps(result, f) &&
         lowest_product_bit(f) >= f.d->least_exponent() - result.fraction_bits();
}

/// The f32 number doubles: without scale factors as a chain of f32 results, with them as scaled
/// steps whose first scale factor makes nothing inexact. (Where the first product overflows, so
/// does d.) Its conversion doubles wherever it is at least d's least normal number. Below, a d that
/// is cut is not normal. A d that is rounded is exact if all terms are multiples of d's least
/// number, as products are that are normal in d's format and have no more bits; otherwise it may be
/// rounded up to the least normal number.
bool doubles(const F32Chain& chain, const DotFormats& f) {
  const auto& [round] = chain;
  const DotFormats inner = unconverted(f).formats;
  const ResultFormat step{&formats::f32};
  const bool is_cut = *f.d == formats::bf16 && round == Rounding::toward_zero;
  const bool is_exact_below =
      f.scale == nullptr && *f.c == *f.d && product_bits(f) <= f.d->fraction_bits;
  if (!(*f.d == formats::f32) && !is_cut && !is_exact_below) return false;
  if (f.scale == nullptr) return doubles_in_rounded_steps(step, inner);
  const int lowest = lowest_product_bit(f);
  return f.scale->fraction_bits == 0 && doubles_in_rounded_steps(step, inner) &&
         lowest >= lowest_bit(formats::f32) &&
         lowest + f.scale->least_exponent() >= lowest_bit(formats::f32);
}

}  // namespace

bool doubles_with_terms(const Instruction& instruction) {
  const DotFormats& f = instruction.formats;
  // Each step rounds the exact sum of intermediate results, in any order and chaining. If no
  // intermediate result is subnormal, none is flushed, and normal operands are not flushed either.
  const auto doubles_rounded = [&f](const ResultFormat& result, bool flush_inputs) {
    return (result.overflow == Overflow::to_infinity && never_underflows(f)) ||
           (!flush_inputs && doubles_in_rounded_steps(result, f));
  };
  if (const auto* fma = known<SequentialFma>(instruction.algorithm, f)) {
    const auto& [result, flush_inputs, reversed, chains] = *fma;
    return doubles_rounded(result, flush_inputs);
  }
  if (const auto* scaled = known_with_scales<SequentialFma>(instruction.algorithm, f)) {
    return doubles_in_scaled_steps(*scaled, f);
  }
  if (const auto* down = known<RoundDownDotAdd>(instruction.algorithm, f)) {
    return doubles(*down, f);
  }
  if (const auto* pairwise = known<GroupPairwiseSum>(instruction.algorithm, f)) {
    // Each product is normal, and rounded before it is added: to a multiple of the least subnormal
    // number that keeps its bits.
    const auto& [group, flush_inputs, step, minus_zero_products] = *pairwise;
    return doubles_rounded(step, flush_inputs) ||
           (!flush_inputs && overflows_and_underflows_as_usual(step) &&
            f.c->fraction_bits <= step.fraction_bits());
  }
  if (const auto* pairs = known<PairDotAdd>(instruction.algorithm, f)) {
    const auto& [fused, flush_inputs, step] = *pairs;
    return doubles_rounded(step, flush_inputs);
  }
  if (const auto* bulk = known<BulkNormalizedDotAdd>(instruction.algorithm, f)) {
    // Products have exponents relative to the largest one. A jammed term is a multiple of the least
    // subnormal number: of the product's last bit if that is kept, otherwise of the unit to which
    // it is jammed, which is larger. Sums of such terms are multiples, too.
    const auto& [block, guard_bits, dot, result, flush_c, numbers_alone] = *bulk;
    return dot == BulkResult::to_odd && doubles_rounded(result, flush_c);
  }
  if (const auto* exact = known<ExactDotAdd>(instruction.algorithm, f)) {
    const auto& [block, result] = *exact;  // for any block
    return f.scale == nullptr && doubles_rounded(result, false);
  }
  if (const auto* fused = known<FusedDotAdd>(instruction.algorithm, f)) return doubles(*fused, f);
  if (const auto* floored = known<FlooredDotAdd>(instruction.algorithm, f)) {
    return doubles(*floored, f);
  }
  if (const auto* complement = known<OnesComplementDotAdd>(instruction.algorithm, f)) {
    return doubles(*complement, f);
  }
  if (const auto* chain = known<F32Chain>(instruction.algorithm, f)) return doubles(*chain, f);
  const auto* split = known<SplitFp8>(instruction.algorithm, f);
  return split != nullptr && doubles(*split, f);
}

}  // namespace mmaspec
