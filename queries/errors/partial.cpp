// Bounds of intermediate results by operations, each of which moves a number by a bounded amount.
#include "queries/errors/partial.h"

#include <algorithm>

namespace mmaspec {

Partial without_error(const Rational& size, bool non_negative, bool non_positive) {
  return {size, 0, 0, 0, non_negative || size == 0, non_positive || size == 0};
}

Partial operator+(const Partial& x, const Partial& y) {
  return {x.size + y.size,
          x.below + y.below,
          x.above + y.above,
          x.squares + y.squares,
          x.non_negative && y.non_negative,
          x.non_positive && y.non_positive};
}

Partial operator*(int count, const Partial& x) {
  return {count * x.size,    count * x.below, count * x.above,
          count * x.squares, x.non_negative,  x.non_positive};
}

Partial scaled(const Partial& x, const Rational& factor) {
  return {factor * x.size, factor * x.below, factor * x.above, factor * factor * x.squares,
          x.non_negative,  x.non_positive};
}

Toward direction_of(Rounding rounding) {
  switch (rounding) {
    case Rounding::toward_zero:
      return Toward::zero;
    case Rounding::down:
      return Toward::down;
    case Rounding::up:
      return Toward::up;
    case Rounding::nearest_even:
    case Rounding::nearest_away:
    case Rounding::to_odd:
      break;
  }
  return Toward::either;
}

namespace {

/// True if the magnitudes of x's terms do not grow.
bool shrinks(const Partial& x, Toward direction) {
  return direction == Toward::zero || (direction == Toward::down && x.non_negative) ||
         (direction == Toward::up && x.non_positive);
}

}  // namespace

Partial moved(const Partial& x, const Rational& amount, Toward direction) {
  return moved(x, amount, direction, amount);
}

Partial moved(Partial x, const Rational& amount, Toward direction, const Rational& each) {
  const bool goes_up = direction != Toward::down && !(direction == Toward::zero && x.non_negative);
  const bool goes_down = direction != Toward::up && !(direction == Toward::zero && x.non_positive);
  if (!shrinks(x, direction)) x.size += amount;
  if (goes_down) x.below += amount;
  if (goes_up) x.above += amount;
  x.squares += amount * each;  // at least the sum of the squares
  if (direction == Toward::either && amount > 0) x.non_negative = x.non_positive = false;
  return x;
}

Partial either_of(const Partial& x, const Partial& y) {
  return {std::max(x.size, y.size),         std::max(x.below, y.below),
          std::max(x.above, y.above),       std::max(x.squares, y.squares),
          x.non_negative && y.non_negative, x.non_positive && y.non_positive};
}

Rational most_cut(const Partial& x, const Rational& unit, Toward direction) {
  return x.size == 0 ? Rational(0) : shrinks(x, direction) ? std::min(unit, x.size) : unit;
}

int ceil_exponent(const Rational& x) {
  const int n = floor_log2(x);
  return rational_power_of_two(n) == x ? n : n + 1;
}

// A magnitude of at most 2^n is either 2^n, which the format holds, or in a binade whose unit in
// the last place is at most 2^(n - 1 - p), where p is the number of kept fraction bits. Below the
// least normal number the unit is that of the least binade.
Partial rounded(Partial x, const ResultFormat& result, const std::optional<Rational>& cap,
                bool& may_overflow) {
  const auto& [format, rounding, underflow, overflow, kept] = result;
  if (cap) {
    const Rational beyond = x.non_negative ? x.above : x.non_positive ? x.below : x.error();
    x.size = std::min(x.size, Rational(*cap + beyond));
  }
  if (x.size == 0) return x;
  const int n = ceil_exponent(x.size);
  // The largest number of the format is at least this, and rounding does not cross it.
  if (n > format->largest_exponent()) may_overflow = true;
  const int binade = std::max(n - 1, format->least_exponent());
  Rational lost = rational_power_of_two(binade - result.fraction_bits());
  const bool to_nearest = rounding == Rounding::nearest_even || rounding == Rounding::nearest_away;
  if (to_nearest) lost /= 2;
  Partial y = moved(x, lost, direction_of(rounding));
  // Rounding does not cross a power of two, or zero.
  y.size = std::min(y.size, rational_power_of_two(std::max(n, format->least_exponent())));
  y.non_negative = x.non_negative;
  y.non_positive = x.non_positive;
  // Flushed: less than the least normal number.
  if (underflow != Underflow::gradual) {
    y = moved(y, rational_power_of_two(format->least_exponent()), Toward::zero);
  }
  return y;
}

}  // namespace mmaspec
