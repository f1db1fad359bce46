#include "queries/errors/tree_error.h"

#include <algorithm>

#include "queries/theorems/known_design.h"
#include "queries/theorems/term_bits.h"

namespace mmaspec {
namespace {

// In this file l is the exponent of the largest term, at least d's least exponent; p is the number
// of d's fraction bits; an ulp is 2^(l - p). For ErrorOf::counted l is the largest exponent that a
// product counts with, if that is larger.

/// Bounds of an intermediate result: its magnitude is at most size * 2^(l + 1), and its distance
/// from the exact sum of its terms is at most `error` ulp.
struct Bounds {
  Rational size;
  Rational error;
};

Bounds operator+(const Bounds& x, const Bounds& y) { return {x.size + y.size, x.error + y.error}; }

/// The least n >= 0 with x <= 2^n.
int places_above(const Rational& x) {
  int n = 0;
  while (rational_power_of_two(n) < x) ++n;
  return n;
}

/// The steps of one design.
class Steps {
 public:
  Steps(const DotFormats& formats, const ResultFormat& result, ErrorOf of)
      : f_(formats), result_(result), of_(of) {}

  /// True if overflow gives infinity or NaN, and so does everything computed from it: the bound
  /// does not cover such results. Results that saturate may have any error.
  bool overflow_is_seen() const {
    const auto& [format, rounding, underflow, overflow, kept] = result_;
    return overflow == Overflow::to_infinity;
  }

  /// A term is less than 2^(l + 1). Flushing an operand loses its product.
  Bounds product(bool flush_inputs) const {
    const bool lost = flush_inputs && of_ != ErrorOf::normal_factors;
    return {1, lost ? ulps(1) : Rational(0)};
  }
  /// A flushed c is also less than its format's least normal number.
  Bounds accumulator(bool flush) const {
    const int above = f_.c->least_exponent() - f_.d->least_exponent();
    return {1, flush ? ulps(std::min(above, 1)) : Rational(0)};
  }
  /// A result as an operand of the next step: a subnormal one may be replaced by zero.
  Bounds operand(const Bounds& x, bool flush_inputs) const {
    const bool lost = flush_inputs && result_.underflow == Underflow::gradual;
    return {x.size, x.error + (lost ? ulps(0) : Rational(0))};
  }

  /// Rounded to a number of d's format. If 2^(l + 1 + n) is at least the number, its unit is that
  /// of the exponent l + n. That power of two is a number of the format or overflows, and rounding
  /// does not cross it. Below the least normal number the unit is that number's, which is at most
  /// as large.
  Bounds rounded(const Bounds& x) const {
    const int above = places_above(x.size);
    const bool to_nearest =
        result_.rounding == Rounding::nearest_even || result_.rounding == Rounding::nearest_away;
    Rational lost = ulps(above - result_.fraction_bits());
    if (to_nearest) lost /= 2;
    // Flushed numbers are less than the least normal number, which is at most 2^l.
    if (result_.underflow != Underflow::gradual) lost += ulps(0);
    return {std::min(rational_power_of_two(above), Rational(x.size + lost / ulps(1))),
            x.error + lost};
  }
  /// Rounded to f32 first, or to this number of its bits, and cut to d's format, which has the same
  /// exponents.
  Bounds rounded(const Bounds& x, bool through_f32) const {
    if (!through_f32) return rounded(x);
    const int above = places_above(x.size);
    const bool keeps_all = result_.fraction_bits() == f_.d->fraction_bits;
    const int wide = keeps_all ? formats::f32.fraction_bits : result_.fraction_bits();
    Rational lost = ulps(above - wide) + ulps(above - f_.d->fraction_bits);
    if (result_.underflow != Underflow::gradual) lost += ulps(0);
    return {rational_power_of_two(above), x.error + lost};
  }

  /// Cuts `terms` terms, each by less than a unit or by at most one, to `bits` below an exponent of
  /// at most l + `above`.
  Bounds cut(const Bounds& x, int terms, int bits, int above) const {
    const Rational lost = terms * ulps(above - bits);
    return {x.size + lost / ulps(1), x.error + lost};
  }

  /// By how many binades the exponent of a product may exceed l: the number of leading zeros in
  /// subnormal factors.
  int product_above() const {
    if (of_ != ErrorOf::all) return 0;
    const Format& a = *f_.a;
    const Format& b = *f_.b;
    const int d = f_.d->least_exponent();
    const auto one = [&](const Format& subnormal, const Format& other) {
      return std::min(subnormal.fraction_bits,
                      subnormal.least_exponent() + other.largest_exponent() - d);
    };
    const int both =
        std::min(a.fraction_bits + b.fraction_bits, a.least_exponent() + b.least_exponent() - d);
    return std::max({0, one(a, b), one(b, a), both});
  }
  /// The same for c: the exponent of a subnormal or zero c may be its format's least one; a
  /// result's may exceed l by its growth, plus one if it may reach its bound.
  int accumulator_above() const {
    return std::max(0, f_.c->least_exponent() - f_.d->least_exponent());
  }
  static int accumulator_above(const Bounds& result) { return places_above(result.size) + 1; }

  const DotFormats& formats() const { return f_; }

 private:
  /// 2^(l + n) in ulp.
  Rational ulps(int n) const { return rational_power_of_two(n + f_.d->fraction_bits); }

  const DotFormats& f_;
  const ResultFormat& result_;
  const ErrorOf of_;
};

Bounds fma_chains(const Steps& steps, const SequentialFma& design) {
  const auto& [result, flush_inputs, reversed, chains] = design;  // in any order
  const Bounds c = steps.accumulator(flush_inputs);
  const auto chain = [&, flush = flush_inputs](Bounds d, int products) {
    for (int k = 0; k < products; ++k)
      d = steps.rounded(steps.operand(d, flush) + steps.product(flush));
    return d;
  };
  if (chains == 1) return chain(c, steps.formats().k);
  const Bounds one = chain({0, 0}, steps.formats().k / chains);
  Bounds dot = one;
  for (int i = 1; i < chains; ++i) {
    dot = steps.rounded(steps.operand(dot, flush_inputs) + steps.operand(one, flush_inputs));
  }
  return steps.rounded(c + steps.operand(dot, flush_inputs));
}

/// Each block is a chain from zero of unscaled products, whose sums are exact below d's least
/// normal number. So its bounds are relative to its largest product, and the scale factors, powers
/// of two, do not change them.
std::optional<Bounds> scaled_chains(const Steps& steps, const SequentialFma& design) {
  const auto& [result, flush_inputs, reversed, chains] = design;
  const DotFormats& f = steps.formats();
  if (flush_inputs || f.scale->fraction_bits != 0 || !holds_unscaled_products(result, f)) {
    return std::nullopt;
  }
  Bounds block{0, 0};
  for (int k = 0; k < f.scale_block; ++k) block = steps.rounded(block + steps.product(false));
  block = steps.rounded(block);
  Bounds d = steps.accumulator(false);
  for (int i = 0; i < f.k / f.scale_block; ++i) d = steps.rounded(d + block);
  return d;
}

/// Chains in f32, whose unit is at most that of d at each exponent that counts, and a conversion.
/// With scale factors: as scaled_chains(), where the first scale factor makes nothing inexact.
/// Where it overflows, so does the result.
std::optional<Bounds> f32_chains(const DotFormats& f, const F32Chain& chain, ErrorOf of) {
  const auto& [round] = chain;
  const ResultFormat step{&formats::f32};
  const ResultFormat result{f.d, round};
  const Steps steps(f, step, of);
  const auto whole = [&]() -> std::optional<Bounds> {
    if (f.scale == nullptr) return fma_chains(steps, unconverted(f).chain);
    if (lowest_product_bit(f) + f.scale->least_exponent() < lowest_bit(formats::f32)) {
      return std::nullopt;
    }
    return *f.d == formats::f32 ? scaled_chains(steps, unconverted(f).chain) : std::nullopt;
  }();
  if (!whole || *f.d == formats::f32) return whole;
  return Steps(f, result, of).rounded(*whole);
}

Bounds pairs(const Steps& steps, const PairDotAdd& design) {
  const auto& [fused, flush_inputs, step] = design;
  const Bounds product = steps.product(flush_inputs);
  const Bounds rounded = steps.operand(steps.rounded(product), flush_inputs);
  const Bounds pair = steps.rounded(fused ? product + product : rounded + rounded);
  Bounds d = steps.accumulator(flush_inputs);
  for (int k = 0; k < steps.formats().k; k += 2) {
    d = steps.rounded(steps.operand(d, flush_inputs) + steps.operand(pair, flush_inputs));
  }
  return d;
}

/// `count` equal terms, added exactly.
Bounds times(int count, const Bounds& x) { return {count * x.size, count * x.error}; }

/// A chain of blocks, each of which takes the last result as c.
template <typename Block>
std::optional<Bounds> chain_of_blocks(const Steps& steps, int blocks, const Bounds& c,
                                      const Block& block) {
  const DotFormats& f = steps.formats();
  if (blocks > 1 && !(*f.c == *f.d)) return std::nullopt;
  Bounds d = block(c, steps.accumulator_above());
  for (int i = 1; i < blocks; ++i) {
    const int above = std::max(steps.accumulator_above(), Steps::accumulator_above(d));
    d = block(d, above);
  }
  return d;
}

/// Each product is cut below its group's exponent, and each group's sum and c below the largest of
/// all, which has more bits than products have.
std::optional<Bounds> floored(const Steps& steps, const FlooredDotAdd& design) {
  const auto& [block, group, product_bits, c_bits, alternate, through_f32, result] = design;
  const int below = c_bits - product_bits;
  return chain_of_blocks(steps, steps.formats().k / block, steps.accumulator(false),
                         [&, n = block, cuts = block + block / group + 1, bits = c_bits,
                          wide = through_f32](const Bounds& c, int c_above) {
                           const int above = std::max(steps.product_above() + below, c_above);
                           return steps.rounded(
                               steps.cut(times(n, steps.product(false)) + c, cuts, bits, above),
                               wide);
                         });
}

/// A term of c's sign is cut by less than a unit; a term of the other sign grows by at most one.
std::optional<Bounds> ones_complement(const Steps& steps, const OnesComplementDotAdd& design) {
  const auto& [block, product_bits, c_bits, zero_c_counts, through_f32, result] = design;
  const int below = c_bits - product_bits;
  // Subnormals of formats with f32's exponents count as zeros; this assumes it for all formats.
  return chain_of_blocks(
      steps, steps.formats().k / block, steps.accumulator(true),
      [&, n = block, bits = c_bits, wide = through_f32](const Bounds& c, int c_above) {
        const int above = std::max(steps.product_above() + below, c_above);
        const Bounds terms = times(n, steps.product(true)) + steps.operand(c, true);
        return steps.rounded(steps.cut(terms, n + 1, bits, above), wide);
      });
}

/// Products are jammed below their largest exponent, by at most a unit. Their sum is rounded and
/// added.
std::optional<Bounds> bulk(const Steps& steps, const BulkNormalizedDotAdd& design) {
  const auto& [block, guard_bits, dot, result, flush_c, numbers_alone] = design;
  if (dot != BulkResult::to_odd) return std::nullopt;
  const int bits = steps.formats().d->fraction_bits + guard_bits;
  const Bounds sum = steps.rounded(
      steps.cut(times(block, steps.product(false)), block, bits, steps.product_above()));
  return chain_of_blocks(steps, steps.formats().k / block, steps.accumulator(flush_c),
                         [&, flushed = flush_c](const Bounds& c, int) {
                           return steps.rounded(sum + steps.operand(c, flushed));
                         });
}

/// The same if all products of a sum have the same scale factors, and none is jammed.
std::optional<Bounds> scaled_bulk(const Steps& steps, const BulkNormalizedDotAdd& design) {
  const auto& [block, guard_bits, dot, result, flush_c, numbers_alone] = design;
  if (dot != BulkResult::to_odd || !jams_nothing(design, steps.formats())) return std::nullopt;
  const Bounds sum = steps.rounded(times(block, steps.product(false)));
  return chain_of_blocks(steps, steps.formats().k / block, steps.accumulator(flush_c),
                         [&, flushed = flush_c](const Bounds& c, int) {
                           return steps.rounded(sum + steps.operand(c, flushed));
                         });
}

std::optional<Bounds> exact_sums(const Steps& steps, const ExactDotAdd& design) {
  [[maybe_unused]] const auto& [block, result] = design;
  return chain_of_blocks(steps, steps.formats().k / block, steps.accumulator(false),
                         [&, n = block](const Bounds& c, int) {
                           return steps.rounded(times(n, steps.product(false)) + c);
                         });
}

std::optional<Bounds> bounds(const Algorithm& algorithm, const DotFormats& f, ErrorOf of) {
  const auto steps = [&](const ResultFormat& result) -> std::optional<Steps> {
    const Steps all(f, result, of);
    return all.overflow_is_seen() ? std::optional(all) : std::nullopt;
  };
  if (const auto* fma = known<SequentialFma>(algorithm, f)) {
    const auto s = steps(fma->result);
    return s ? std::optional(fma_chains(*s, *fma)) : std::nullopt;
  }
  if (const auto* scaled = known_with_scales<SequentialFma>(algorithm, f)) {
    const auto s = steps(scaled->result);
    return s ? scaled_chains(*s, *scaled) : std::nullopt;
  }
  if (const auto* chain = known<F32Chain>(algorithm, f)) return f32_chains(f, *chain, of);
  if (const auto* design = known<PairDotAdd>(algorithm, f)) {
    const auto s = steps(design->step);
    return s ? std::optional(pairs(*s, *design)) : std::nullopt;
  }
  if (const auto* design = known<FlooredDotAdd>(algorithm, f)) {
    const auto s = steps(design->result);
    return s ? floored(*s, *design) : std::nullopt;
  }
  if (const auto* design = known<OnesComplementDotAdd>(algorithm, f)) {
    const auto s = steps(design->result);
    return s ? ones_complement(*s, *design) : std::nullopt;
  }
  if (const auto* design = known<BulkNormalizedDotAdd>(algorithm, f)) {
    const auto s = steps(design->result);
    return s ? bulk(*s, *design) : std::nullopt;
  }
  if (const auto* design = known_with_scales<BulkNormalizedDotAdd>(algorithm, f)) {
    const auto s = steps(design->result);
    return s ? scaled_bulk(*s, *design) : std::nullopt;
  }
  if (const auto* design = known<ExactDotAdd>(algorithm, f)) {
    const auto s = f.scale == nullptr ? steps(design->result) : std::nullopt;
    return s ? exact_sums(*s, *design) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Rational> tree_error(const Algorithm& algorithm, const DotFormats& formats,
                                   ErrorOf of) {
  const auto result = bounds(algorithm, formats, of);
  return result ? std::optional(result->error) : std::nullopt;
}

}  // namespace mmaspec
