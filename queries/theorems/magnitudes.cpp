#include "queries/theorems/magnitudes.h"

#include <algorithm>
#include <cstdint>

#include "queries/theorems/term_bits.h"
#include "spec/formats/text.h"

namespace mmaspec {

int ceil_log2(int x) {
  int n = 0;
  while ((1 << n) < x) ++n;
  return n;
}

Rational largest_number(const Format& f) {
  return decode(f, f.largest_finite() << static_cast<unsigned>(f.ignored_low_bits)).value();
}

namespace {

/// An exponent n such that every finite product is less than 2^n.
int product_below(const DotFormats& f, std::optional<int> overflow) {
  int top = f.a->largest_exponent() + f.b->largest_exponent() + 2;
  if (f.scale != nullptr) top += 2 * (f.scale->largest_exponent() + 1);
  return overflow ? std::min(top, *overflow) : top;
}

/// An upper bound of its exponent, which may be larger if an operand is subnormal.
int exponent_below(const DotFormats& f, std::optional<int> overflow) {
  const int top = product_below(f, {});
  if (!overflow || f.scale != nullptr) return top;
  const int subnormal = std::max(f.a->least_exponent() + f.b->largest_exponent(),
                                 f.a->largest_exponent() + f.b->least_exponent()) +
                        1;
  return std::min(top, std::max(*overflow, subnormal));
}

Rational value_of(const Format& f, const Integer& magnitude) {
  return decode(f, magnitude << static_cast<unsigned>(f.ignored_low_bits)).value();
}

/// The largest product of significands >= 1 that is below 2.
Rational most_below_two(const DotFormats& f) {
  const int of_a = f.a->fraction_bits;
  const int of_b = f.b->fraction_bits;
  constexpr int kFew = 12;  // wider formats have too many significands to try
  if (of_a > kFew || of_b > kFew) return 2;
  const std::uint64_t least_a = std::uint64_t{1} << static_cast<unsigned>(of_a);
  const std::uint64_t least_b = std::uint64_t{1} << static_cast<unsigned>(of_b);
  std::uint64_t most = 0;
  for (std::uint64_t a = least_a; a < 2 * least_a; ++a) {
    const std::uint64_t b = std::min((2 * least_a * least_b - 1) / a, 2 * least_b - 1);
    if (b >= least_b) most = std::max(most, a * b);
  }
  return Rational(most) * rational_power_of_two(-of_a - of_b);
}

/// An upper bound of every finite product.
Rational largest_product(const DotFormats& f, std::optional<int> overflow) {
  const auto& power = rational_power_of_two;
  Rational largest = value_of(*f.a, f.a->largest_finite()) * value_of(*f.b, f.b->largest_finite());
  if (f.scale != nullptr) {
    const Rational scale = value_of(*f.scale, f.scale->largest_finite());
    largest *= scale * scale;
  }
  if (!overflow) return largest;
  if (f.scale != nullptr) return std::min(largest, power(*overflow));
  // For products of significands below 2, and of at least 2. A subnormal significand corresponds to
  // a normal one with fewer bits.
  const Rational both = (2 - power(-f.a->fraction_bits)) * (2 - power(-f.b->fraction_bits));
  const Rational below =
      std::max(Rational(both / 4), Rational(most_below_two(f) / 2)) * power(*overflow);
  return std::min(largest, below);
}

/// True if rounding never turns a number below the least normal number into that number, with
/// bounded and unbounded exponents alike: truncation, or rounding to odd (the largest subnormal's
/// significand is odd, if it has a bit).
bool never_reaches_the_normal(const ResultFormat& result) {
  return result.rounding == Rounding::toward_zero ||
         (result.rounding == Rounding::to_odd && result.fraction_bits() > 0);
}

}  // namespace

int products_below(const DotFormats& f, int count, std::optional<int> overflow) {
  return product_below(f, overflow) + ceil_log2(count);
}

bool stays_within(const ResultFormat& result, int at_once, const DotFormats& f,
                  std::optional<int> product_overflow) {
  const auto& [format, rounding, underflow, overflow, kept] = result;
  if (f.c->largest_exponent() > f.d->largest_exponent() ||
      f.c->fraction_bits > f.d->fraction_bits) {
    return false;
  }
  const bool nearest = rounding == Rounding::nearest_even || rounding == Rounding::nearest_away;
  // The largest number with this number of bits is odd.
  const bool rounds_in = rounding == Rounding::toward_zero || rounding == Rounding::to_odd ||
                         (nearest && result.fraction_bits() == f.d->fraction_bits);
  return rounds_in && products_below(f, at_once, product_overflow) <=
                          f.d->largest_exponent() - f.d->fraction_bits - 4;
}

bool stays_small(const FusedDotAdd& design, const DotFormats& f, int block, int steps,
                 bool c_takes_part) {
  const auto& power = rational_power_of_two;
  const Rational product = largest_product(f, design.product_overflow);
  const Rational exponent = power(exponent_below(f, design.product_overflow));
  // Cutting away from zero increases each term, and the sum of the products to which c is added, by
  // less than a unit of the cut.
  const bool cut_inward = design.align_rounding == Rounding::toward_zero;
  const Rational cut = cut_inward ? Rational(0) : power(-design.fraction_bits) * (block + 2);
  // Rounding toward zero maps all numbers below the successor of the largest number to the largest.
  const ResultFormat& result = design.result;
  const auto unused = static_cast<unsigned>(f.d->fraction_bits - result.fraction_bits());
  const Integer largest = (f.d->largest_finite() >> unused) << unused;
  const Rational limit = value_of(*f.d, largest);
  const Rational unit = power(f.d->largest_exponent() - result.fraction_bits());
  const bool inward = result.rounding == Rounding::toward_zero;
  Rational c = c_takes_part ? value_of(*f.c, f.c->largest_finite()) : Rational(0);
  for (int i = 0; i < steps; ++i) {
    const Rational sum = c + product * block + cut * std::max({c, exponent, Rational(1)});
    if (inward ? sum >= limit + unit : sum > limit) return false;
    // Rounded up to the next number, normal or subnormal.
    c = inward ? sum : sum * (1 + power(-result.fraction_bits())) + power(f.d->least_exponent());
  }
  return true;
}

bool products_are_exact(const ResultFormat& result, const DotFormats& f) {
  const int kept = result.fraction_bits();
  const int least = f.d->least_exponent();
  return f.scale == nullptr && f.a->fraction_bits + f.b->fraction_bits + 2 <= kept + 1 &&
         lowest_product_bit(f) >= (result.underflow == Underflow::gradual ? least - kept : least) &&
         products_below(f, 1) <= f.d->largest_exponent() + 1;
}

bool sums_are_exact(const ResultFormat& result, int count, const DotFormats& f) {
  if (count == 1) return products_are_exact(result, f);
  const int kept = result.fraction_bits();
  const int least = f.d->least_exponent();
  const int lowest = lowest_product_bit(f);
  return f.scale == nullptr && products_below(f, count) - lowest <= kept + 1 &&
         lowest >= (result.underflow == Underflow::gradual ? least - kept : least) &&
         products_below(f, count) <= f.d->largest_exponent();
}

bool never_subnormal(const DotFormats& f, bool c_takes_part) {
  int unit = lowest_product_bit(f);
  if (f.scale != nullptr) unit += 2 * lowest_bit(*f.scale);
  if (c_takes_part) unit = std::min(unit, lowest_bit(*f.c));
  return unit >= f.d->least_exponent();
}

bool never_subnormal_of_normal(const DotFormats& f, int product_unit) {
  const int least = f.d->least_exponent();
  const int bits = std::max(f.c->fraction_bits, f.d->fraction_bits);
  return f.c->least_exponent() >= least && product_unit - 1 - bits >= least;
}

ResultFormat plain(ResultFormat result, bool no_subnormals, bool no_overflow) {
  // Numbers that keep only the leading bit are never subnormal.
  const bool keeps_none = result.fraction_bits() == 0 && result.underflow == Underflow::flush;
  if (no_subnormals || keeps_none) result.underflow = Underflow::gradual;
  if (result.underflow == Underflow::flush_tiny && never_reaches_the_normal(result)) {
    result.underflow = Underflow::flush;
  }
  if (no_overflow) result.overflow = Overflow::to_infinity;
  // Rounding to nearest makes all overflows infinite; rounding toward zero makes none infinite.
  const bool nearest =
      result.rounding == Rounding::nearest_even || result.rounding == Rounding::nearest_away;
  if (result.overflow == Overflow::directed && nearest) result.overflow = Overflow::to_infinity;
  if (result.overflow == Overflow::directed && result.rounding == Rounding::toward_zero) {
    result.overflow = Overflow::saturate;
  }
  return result;
}

ResultFormat one_sided(ResultFormat result, int at_once, const DotFormats& f) {
  const bool one_side = result.rounding == Rounding::up || result.rounding == Rounding::down;
  ResultFormat inward = result;
  inward.rounding = Rounding::toward_zero;
  if (one_side && result.overflow == Overflow::directed && stays_within(inward, at_once, f)) {
    result.overflow = Overflow::to_infinity;
  }
  return result;
}

}  // namespace mmaspec
