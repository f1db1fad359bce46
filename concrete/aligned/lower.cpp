#include "concrete/aligned/lower.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "spec/formats/unpack.h"

namespace mmaspec::aligned {
namespace {

/// Range of the exponents of products and of zeros that count; doubles hold the powers of two that
/// the kernels build from them.
constexpr int kMostExponent = 520;
/// Lower bound for the largest exponent, below all exponents.
constexpr int kLeastFloor = -530;
/// Bounds of the exponents of a product that is a float.
constexpr int kMostExponentOfFloats = 100;

constexpr int kNearest = 0;  // in MXCSR's numbering

std::optional<int> processor_rounding(Rounding rounding) {
  switch (rounding) {
    case Rounding::nearest_even:
      return kNearest;
    case Rounding::down:
      return 1;
    case Rounding::up:
      return 2;
    case Rounding::toward_zero:
      return 3;
    case Rounding::nearest_away:
    case Rounding::to_odd:
      break;
  }
  return std::nullopt;
}

/// Whether a float holds each number, each infinity and a NaN of the format, for c and d.
bool is_accumulator(const Format& f) {
  return f == formats::f32 || f == formats::f16 || f == formats::bf16;
}

bool is_operand(const Format& f) {
  return !f.is_integer() && f.storage_bits <= 32 && f.exponent_bits <= 8 && f.fraction_bits <= 23 &&
         f.fraction_bits + f.exponent_bits < 32;
}

std::uint32_t u32(int x) { return static_cast<std::uint32_t>(x); }

Decoding decoding_of(const Format& f, int least_exponent, int zero_exponent, bool flushes) {
  const std::uint32_t hidden = std::uint32_t{1} << u32(f.fraction_bits);
  const std::uint32_t top = u32(f.field_maximum()) << u32(f.fraction_bits);
  const bool is_ieee = f.specials == Specials::ieee;
  std::uint32_t nan_from = kNone;
  if (is_ieee) nan_from = top + 1;
  if (f.specials == Specials::nan_all_ones) nan_from = top + hidden - 1;
  if (f.specials == Specials::nan_top_field) nan_from = top;
  return {.ignored_low_bits = u32(f.ignored_low_bits),
          .fraction_bits = u32(f.fraction_bits),
          .exponent_bits = u32(f.exponent_bits),
          .has_sign = f.has_sign ? 1U : 0U,
          .hidden = hidden,
          .hidden_of_zero = f.has_zero ? 0 : hidden,
          .least_field = f.has_zero ? 1 : 0,
          .bias = f.bias,
          .infinite = is_ieee ? top : kNone,
          .nan_from = nan_from,
          .nan_pattern = f.specials == Specials::nan_minus_zero
                             ? std::uint32_t{1} << u32(f.fraction_bits + f.exponent_bits)
                             : kNone,
          .flushes = flushes && f.has_zero ? 1U : 0U,
          .least_exponent = least_exponent,
          .zero_exponent = zero_exponent};
}

/// Bounds of the nonzero products of a, b and their scale factors.
struct Products {
  explicit Products(const DotFormats& f) {
    add(*f.a);
    add(*f.b);
    if (f.scale == nullptr) return;
    add(*f.scale);
    add(*f.scale);
  }
  void add(const Format& f) {
    ++factors;
    bits += f.precision();
    least_exponent += f.least_exponent();
    largest_exponent += f.largest_exponent();
    lowest_bit += f.least_exponent() - f.fraction_bits;
    significand *= 2 - std::ldexp(1, -f.fraction_bits);
    is_about_one = is_about_one && f.least_exponent() <= 0 && f.largest_exponent() >= 0;
  }

  int factors = 0;
  int bits = 0;            ///< of its significand
  int least_exponent = 0;  ///< with which it counts
  int largest_exponent = 0;
  int lowest_bit = 0;        ///< exponent of a unit of which it is a multiple
  bool is_about_one = true;  ///< the exponents of each factor include 0, so that products of some
                             ///< factors are within the bounds for all
  double significand = 1;    ///< upper bound of the product divided by 2^(its exponent)

  /// Upper bound for log2 of a product.
  int beyond() const { return largest_exponent + factors; }
};

/// Number of bits of a sum of `count` terms below 2^bits.
int bits_of_sum(int count, int bits) { return bits + static_cast<int>(bit_length(Integer(count))); }

constexpr int kExactBits = 52;  // of a double; one bit is reserved for the sign

/// Makes the chain use floats and int32_t if everything is exact in these. `count`: number of terms
/// of a sum.
bool choose_floats(const Products& p, int count, Chain& chain) {
  const double largest_term = std::ceil(p.significand * std::ldexp(1, chain.fraction_bits)) + 1;
  const double most = std::numeric_limits<std::int32_t>::max();
  const int least_scale = -p.beyond() - 1;
  const bool exact =
      p.bits <= 24 && p.is_about_one && p.lowest_bit >= -kMostExponentOfFloats &&
      bits_of_sum(count, p.beyond()) <= kMostExponentOfFloats && largest_term <= most &&
      // A nonzero product is not scaled up by more than a power of two that a float holds ...
      chain.fraction_bits - p.least_exponent <= 127 &&
      // ... nor scaled down to zero if it must be rounded down to -1.
      (chain.floors == 0 || p.lowest_bit + least_scale >= -149);
  if (!exact) return false;
  chain.in_double = 0;
  const auto at_once = static_cast<std::uint32_t>(std::min(most / largest_term, 1e6));
  chain.at_once = at_once < 4 ? at_once : at_once / 4 * 4;  // as the kernels' loops require
  chain.least_scale = least_scale;
  return true;
}

/// Chooses whether aligned terms are floats or doubles; false: neither is exact.
bool choose_type(const Products& p, int count, Chain& chain) {
  const int fraction_bits = chain.fraction_bits;
  if (std::max(std::abs(p.least_exponent), std::abs(p.largest_exponent)) > kMostExponent ||
      std::abs(p.lowest_bit) > kMostExponent || fraction_bits < 0 || fraction_bits > 40 ||
      bits_of_sum(count + 1, fraction_bits + p.factors + 1) > kExactBits) {
    return false;
  }
  chain.in_double = 1;
  return choose_floats(p, count, chain) || p.bits <= 53;
}

/// True if each number of the format, subnormal ones included, can be decoded to a float.
bool is_float(const Format& f) {
  const bool as_f32 = f.has_zero && f.specials == Specials::ieee && f.bias == formats::f32.bias;
  return as_f32 || f.least_exponent() - f.fraction_bits >= -126;
}

/// A chain with floats for operands in a small range of exponents, if the chain for all operands
/// needs doubles. Most data are in that range, and floats take half the time. Scale factors without
/// a fraction are floats, except 2^-127 and NaN, whose exponents are outside the range.
void choose_narrow(const DotFormats& f, int count, Lowered& all) {
  const Chain& chain = all.chain;
  const bool scales = f.scale == nullptr || *f.scale == formats::ue8m0;
  if (chain.in_double == 0 || !scales || !is_float(*f.a) || !is_float(*f.b) ||
      all.a.zero_exponent != kNeverCounts) {
    return;
  }
  Products p(f);
  const int bits = f.a->fraction_bits + f.b->fraction_bits;
  const int most = (kMostExponentOfFloats - bits) / 2 - 2;
  if (most < 8) return;
  p.least_exponent = -2 * most;
  p.largest_exponent = 2 * most;
  p.lowest_bit = -2 * most - bits;
  Chain narrow = chain;
  if (chain.may_overflow != 0 && p.beyond() > chain.overflow_exponent) return;
  narrow.may_overflow = 0;
  if (!choose_floats(p, count, narrow)) return;
  all.narrow = narrow;
  all.narrow_exponent = most;
}

float float_of(const Format& f, std::uint64_t magnitude) {
  const auto fraction =
      static_cast<int>(magnitude & ((std::uint64_t{1} << u32(f.fraction_bits)) - 1));
  const auto field = static_cast<int>(magnitude >> u32(f.fraction_bits));
  return static_cast<float>(std::ldexp(std::ldexp(fraction, -f.fraction_bits) + (field > 0 ? 1 : 0),
                                       std::max(field, 1) - f.bias));
}

/// How exact sums are rounded; nullopt if processors do not support the rounding mode.
std::optional<Result> result_of(const ResultFormat& result) {
  const auto& [format, rounding, underflow, overflow, kept] = result;
  const std::optional<int> mode = processor_rounding(rounding);
  if (!mode || !is_accumulator(*format) || underflow == Underflow::flush_tiny) return std::nullopt;
  const Format& f = *format;
  const bool nearest = rounding == Rounding::nearest_even;
  const bool direct = f == formats::f32 && result.fraction_bits() == f.fraction_bits &&
                      (nearest || rounding == Rounding::toward_zero);
  const int unused = f.fraction_bits - result.fraction_bits();
  const double beyond = std::ldexp(1, f.largest_exponent() + 1);
  // The conversion to nearest rounds numbers from the midpoint on to 2^128.
  const double overflow_from = direct && nearest ? beyond - std::ldexp(1, 103) : beyond;
  const float largest = float_of(f, f.largest_pattern());
  const float largest_kept = float_of(f, f.largest_pattern() >> u32(unused) << u32(unused));
  const float infinity = std::numeric_limits<float>::infinity();
  const auto overflowed = [&, overflow = overflow, rounding = rounding](Rounding away) {
    const bool infinite = overflow == Overflow::to_infinity ||
                          (overflow == Overflow::directed && (nearest || rounding == away));
    return infinite ? infinity : largest_kept;
  };
  return Result{.rounding = *mode,
                .is_direct = direct ? 1U : 0U,
                .least_exponent = f.least_exponent(),
                .fraction_bits = result.fraction_bits(),
                .largest = largest,
                .overflow_from = overflow_from,
                .overflow_positive = overflowed(Rounding::up),
                .overflow_negative = -overflowed(Rounding::down),
                .flush_below = underflow == Underflow::flush
                                   ? static_cast<float>(std::ldexp(1, f.least_exponent()))
                                   : 0,
                .keeps_sign_of_underflow = 0};
}

/// The exponent that a zero counts as; nullopt if it is out of range.
std::optional<int> zero_of(ZeroTerms zero_terms, int zero_exponent, int factors) {
  if (zero_terms == ZeroTerms::left_out) return kNeverCounts;
  if (std::abs(zero_exponent) * factors > kMostExponent) return std::nullopt;
  return zero_exponent;
}

/// The precondition of lower() on operand formats, common to all families.
bool have_operands(const DotFormats& f) {
  const bool scaled = f.scale == nullptr || (is_operand(*f.scale) && !f.scale->has_sign);
  return is_operand(*f.a) && is_operand(*f.b) && scaled && is_accumulator(*f.c) &&
         is_accumulator(*f.d);
}

Accumulator accumulator_of(const Format& f, int least_exponent, int zero_exponent, bool flushes) {
  const float least = static_cast<float>(std::ldexp(1, f.least_exponent()));
  return {least_exponent, zero_exponent, flushes ? least : 0};
}

std::vector<int> in_order(int count) {
  std::vector<int> order;
  for (int k = 0; k < count; ++k) order.push_back(k);
  return order;
}

/// One fused sum of `count` products.
std::optional<Lowered> lower_fused(const FusedDotAdd& design, const DotFormats& f, int count) {
  const auto& [fraction_bits, exponent_floor, zero_terms, zero_exponent, block, result,
               align_rounding, c_joins, normalized_products, flush_inputs, product_overflow,
               minus_zero, normalized_c] = design;
  const Products products(f);
  const std::optional<Result> rounded = result_of(result);
  const std::optional<int> zero = zero_of(zero_terms, zero_exponent, products.factors);
  const bool cuts = align_rounding == Rounding::toward_zero || align_rounding == Rounding::down;
  if (!rounded || !zero || !cuts || c_joins != AccumulatorJoins::early || normalized_products ||
      product_overflow || minus_zero || !(*result.format == *f.d)) {
    return std::nullopt;
  }
  // c's leading bit is that of the float if the float is a normal number.
  const bool leading_counts = normalized_c && !(*f.c == *f.d);
  if (leading_counts && f.c->least_exponent() - f.c->fraction_bits < -126) return std::nullopt;

  Lowered all{};
  all.chain.family = Family::fused;
  all.chain.sums = 1;
  all.chain.products = u32(count);
  all.chain.floors = align_rounding == Rounding::down ? 1 : 0;
  all.chain.fraction_bits = fraction_bits;
  all.chain.floor = std::max(exponent_floor.value_or(kLeastFloor), kLeastFloor);
  if (all.chain.floor > kMostExponent || !choose_type(products, count, all.chain)) {
    return std::nullopt;
  }
  all.chain.first = accumulator_of(*f.c, leading_counts ? kLeastFloor : f.c->least_exponent(),
                                   *zero, flush_inputs);
  all.chain.later = accumulator_of(*f.d, f.d->least_exponent(), *zero, flush_inputs);
  all.chain.result = *rounded;
  all.formats = f;
  all.a = decoding_of(*f.a, f.a->least_exponent(), *zero, flush_inputs);
  all.b = decoding_of(*f.b, f.b->least_exponent(), *zero, flush_inputs);
  if (f.scale != nullptr) {
    all.scale = decoding_of(*f.scale, f.scale->least_exponent(), *zero, false);
  }
  all.order = in_order(count);
  all.nan = canonical_nan(*f.d).convert_to<std::uint64_t>();
  choose_narrow(f, count, all);
  return all;
}

std::optional<Lowered> lower_design(const FusedDotAdd& design, const DotFormats& f) {
  return lower_fused(design, f, design.block);
}

std::optional<Lowered> lower_design(const SplitFp8& design, const DotFormats& f) {
  const auto& [half, chained_halves] = design;
  const DotFormats of_half = half_formats(f);
  const bool c_is_exact = *f.d == formats::f32 || *f.c == *f.d;
  if (half.flush_inputs || !have_operands(of_half) || *f.d == formats::bf16 || !c_is_exact ||
      f.scale != nullptr || f.k % 4 != 0) {
    return std::nullopt;
  }
  std::optional<Lowered> all = lower_fused(half, of_half, of_half.k);
  const std::optional<Result> sum = result_of({f.d, Rounding::nearest_even});
  if (!all || !sum) return std::nullopt;
  all->narrow.reset();
  all->chain.family = Family::split;
  all->chain.sums = 2;
  all->chain.chained_halves = chained_halves ? 1 : 0;
  // The additions use the processor's rounding to nearest; the halves round by other means.
  if (all->chain.result.rounding != kNearest) {
    all->chain.result.is_direct = 0;
    all->chain.result.overflow_from = std::ldexp(1, f.d->largest_exponent() + 1);
  }
  all->chain.addition = *sum;
  all->chain.addition.keeps_sign_of_underflow = 1;
  all->formats = f;
  // Numbers are unchanged; exponents are those of the half's formats.
  all->a = decoding_of(*f.a, of_half.a->least_exponent(), all->a.zero_exponent, false);
  all->b = decoding_of(*f.b, of_half.b->least_exponent(), all->b.zero_exponent, false);
  all->order.clear();
  for (const int high : {0, 1}) {
    for (int k = 0; k < f.k; ++k) {
      if (k % 4 / 2 == high) all->order.push_back(k);
    }
  }
  return all;
}

std::optional<Lowered> lower_design(const RoundDownDotAdd& design, const DotFormats& f) {
  const auto& [block, groups, product_fraction_bits, sum_fraction_bits, sum_rounding,
               c_fraction_bits, c_rounding, c_reach, product_overflow, zero_terms, zero_exponent,
               result, normalized_bits, overflow_joins] = design;
  const Products products(f);
  std::optional<Result> rounded = result_of(result);
  const std::optional<int> zero = zero_of(zero_terms, zero_exponent, products.factors);
  const auto cuts = [](Rounding r) { return r == Rounding::toward_zero || r == Rounding::down; };
  if (!rounded || !zero || !cuts(sum_rounding) || !cuts(c_rounding) || f.scale != nullptr ||
      !(*result.format == *f.d) || groups > static_cast<int>(kMostSums) || block % groups != 0) {
    return std::nullopt;
  }
  // Only these rounding modes give +0 for a zero sum.
  if (result.rounding != Rounding::nearest_even && result.rounding != Rounding::toward_zero) {
    return std::nullopt;
  }
  const int bits = std::max(sum_fraction_bits, c_fraction_bits);
  const int of_dot = bits_of_sum(block, product_fraction_bits + products.factors + 1);
  const int shifted = bits - product_fraction_bits;
  if (std::max(of_dot + std::max(shifted, 0), bits + 2) + 1 > kExactBits ||
      std::abs(product_overflow) > kMostExponent ||
      (normalized_bits && *normalized_bits > kExactBits) || c_reach.value_or(0) > 5000) {
    return std::nullopt;
  }
  Lowered all{};
  all.chain.family = Family::round_down;
  all.chain.sums = u32(groups);
  all.chain.products = u32(block / groups);
  all.chain.floors = 0;
  all.chain.fraction_bits = product_fraction_bits;
  all.chain.floor = kLeastFloor;
  if (!choose_type(products, block, all.chain)) return std::nullopt;
  const bool may_overflow = products.beyond() > product_overflow;
  if (may_overflow) all.chain.in_double = 1;
  all.chain.first = accumulator_of(*f.c, f.c->least_exponent(), *zero, false);
  all.chain.later = accumulator_of(*f.d, f.d->least_exponent(), *zero, false);
  rounded->keeps_sign_of_underflow = 1;
  all.chain.result = *rounded;
  all.chain.sum_bits = sum_fraction_bits;
  all.chain.sum_floors = sum_rounding == Rounding::down ? 1 : 0;
  all.chain.c_bits = c_fraction_bits;
  all.chain.c_floors = c_rounding == Rounding::down ? 1 : 0;
  all.chain.c_reach = c_reach.value_or(1 << 20);
  all.chain.normalized_bits = normalized_bits.value_or(-1);
  all.chain.may_overflow = may_overflow ? 1 : 0;
  all.chain.overflow_exponent = product_overflow;
  all.chain.overflow_joins = overflow_joins ? 1 : 0;
  all.formats = f;
  all.a = decoding_of(*f.a, f.a->least_exponent(), *zero, false);
  all.b = decoding_of(*f.b, f.b->least_exponent(), *zero, false);
  for (int g = 0; g < groups; ++g) {
    for (int k = g; k < block; k += groups) all.order.push_back(k);
  }
  all.nan = quiet_nan(*f.d).convert_to<std::uint64_t>();
  choose_narrow(f, block, all);
  return all;
}

std::optional<Lowered> lower_design(const GroupDotFusedSum& design, const DotFormats& f) {
  const auto& [group, fraction_bits, zero_terms, zero_exponent, result, exponent_floor,
               cancelled_groups_count] = design;
  const std::optional<Result> rounded = result_of(result);
  const std::optional<int> zero = zero_of(zero_terms, zero_exponent, 2);
  const int sums = f.k / group;
  if (!rounded || !zero || f.scale == nullptr || sums > static_cast<int>(kMostGroups) ||
      f.k % group != 0 || f.scale_block % group != 0 || !(*result.format == *f.d)) {
    return std::nullopt;
  }
  // A group's sum, in units of the least product, is exact in a float.
  DotFormats elements = f;
  elements.scale = nullptr;
  const Products products(elements);
  const bool exact = products.is_about_one && products.lowest_bit >= -kMostExponentOfFloats &&
                     bits_of_sum(group, products.beyond()) <= kMostExponentOfFloats &&
                     bits_of_sum(group, products.beyond() - products.lowest_bit) <= 24;
  const int scale_bits = 2 * f.scale->precision();
  const int term_bits = bits_of_sum(group, products.beyond()) + 2 + fraction_bits;
  const int scale_exponent =
      std::max(std::abs(f.scale->least_exponent()), std::abs(f.scale->largest_exponent()));
  if (!exact || scale_bits + 24 > 53 || fraction_bits < 0 ||
      bits_of_sum(sums + 1, std::max(term_bits, fraction_bits + 2)) > kExactBits ||
      2 * scale_exponent > kMostExponent) {
    return std::nullopt;
  }
  Lowered all{};
  all.chain.family = Family::groups;
  all.chain.sums = u32(sums);
  all.chain.products = u32(group);
  all.chain.fraction_bits = fraction_bits;
  all.chain.floor = std::max(exponent_floor.value_or(kLeastFloor), kLeastFloor);
  if (all.chain.floor > kMostExponent) return std::nullopt;
  all.chain.leaves_zeros_out = zero_terms == ZeroTerms::left_out ? 1 : 0;
  all.chain.cancelled_count = cancelled_groups_count ? 1 : 0;
  all.chain.first = accumulator_of(*f.c, f.c->least_exponent(), *zero, false);
  all.chain.later = accumulator_of(*f.d, f.d->least_exponent(), *zero, false);
  all.chain.result = *rounded;
  all.formats = f;
  all.a = decoding_of(*f.a, f.a->least_exponent(), kNeverCounts, false);
  all.b = decoding_of(*f.b, f.b->least_exponent(), kNeverCounts, false);
  all.scale = decoding_of(*f.scale, f.scale->least_exponent(), *zero, false);
  all.order = in_order(f.k);
  all.nan = canonical_nan(*f.d).convert_to<std::uint64_t>();
  return all;
}

/// The chain of the lowered step.
std::optional<Lowered> lower_design(const Chained& design, const DotFormats& f) {
  std::optional<Lowered> step = lower(*design.step, design.step_formats);
  const DotFormats& own = design.step_formats;
  const bool same_scales = f.scale == own.scale && f.scale_block == own.scale_block;
  if (!step || !(*f.a == *own.a) || !(*f.b == *own.b) || !(*f.c == *own.c) || !(*f.d == *own.d) ||
      !same_scales) {
    return std::nullopt;
  }
  step->formats = f;
  return step;
}

template <typename Design>
std::optional<Lowered> lower_design(const Design&, const DotFormats&) {
  return std::nullopt;
}

}  // namespace

std::optional<Lowered> lower(const Algorithm& algorithm, const DotFormats& formats) {
  if (!have_operands(formats)) return std::nullopt;
  std::optional<Lowered> all = std::visit(
      [&](const auto& design) { return lower_design(design, formats); }, algorithm.design());
  if (!all || formats.k % static_cast<int>(all->step()) != 0) return std::nullopt;
  return all;
}

}  // namespace mmaspec::aligned
