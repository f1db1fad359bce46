#include "queries/arguments/magnitudes.h"

#include <algorithm>

#include "spec/formats/text.h"

namespace mmaspec {

int ceil_log2(int x) {
  int n = 0;
  while ((1 << n) < x) ++n;
  return n;
}

namespace {

/// A product that is not infinite is less than two to this power.
int product_below(const DotFormats& f, std::optional<int> overflow) {
  int top = f.a->largest_exponent() + f.b->largest_exponent() + 2;
  if (f.scale != nullptr) top += 2 * (f.scale->largest_exponent() + 1);
  return overflow ? std::min(top, *overflow) : top;
}

/// And has less than this exponent, which may be more where an operand is subnormal.
int exponent_below(const DotFormats& f, std::optional<int> overflow) {
  const int top = product_below(f, {});
  if (!overflow || f.scale != nullptr) return top;
  const int subnormal = std::max(f.a->least_exponent() + f.b->largest_exponent(),
                                 f.a->largest_exponent() + f.b->least_exponent()) +
                        1;
  return std::min(top, std::max(*overflow, subnormal));
}

/// Rounding makes nothing below the least normal number that number, whether exponents are bounded
/// or not: cut, or of the odd significand (the largest subnormal's is odd, if it has a bit).
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
  // The largest number of so many bits is odd.
  const bool rounds_in = rounding == Rounding::toward_zero || rounding == Rounding::to_odd ||
                         (nearest && result.fraction_bits() == f.d->fraction_bits);
  return rounds_in && products_below(f, at_once, product_overflow) <=
                          f.d->largest_exponent() - f.d->fraction_bits - 4;
}

bool stays_small(const FusedDotAdd& design, const DotFormats& f, int block, int steps,
                 bool c_takes_part) {
  const auto& power = rational_power_of_two;
  const Rational product = power(product_below(f, design.product_overflow));
  const Rational exponent = power(exponent_below(f, design.product_overflow));
  const Rational cut = power(-design.fraction_bits) * (block + 1);
  const Rational rounded = 1 + power(-design.result.fraction_bits());
  Rational c = c_takes_part ? power(f.c->largest_exponent() + 1) : Rational(0);
  for (int i = 0; i < steps; ++i) {
    // Each term grows by less than a unit of the cut where it is cut away from zero.
    c = (c + product * block + cut * std::max({c, exponent, Rational(1)})) * rounded;
    if (c > power(f.d->largest_exponent())) return false;
  }
  return true;
}

bool never_subnormal_of_normal(const DotFormats& f, int product_unit) {
  const int least = f.d->least_exponent();
  const int bits = std::max(f.c->fraction_bits, f.d->fraction_bits);
  return f.scale == nullptr && f.c->least_exponent() >= least && product_unit - 1 - bits >= least;
}

ResultFormat plain(ResultFormat result, bool no_subnormals, bool no_overflow) {
  if (no_subnormals) result.underflow = Underflow::gradual;
  if (result.underflow == Underflow::flush_tiny && never_reaches_the_normal(result)) {
    result.underflow = Underflow::flush;
  }
  if (no_overflow) result.overflow = Overflow::to_infinity;
  // Rounded to the nearest, what overflows in either direction is infinite; rounded to zero, none.
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
