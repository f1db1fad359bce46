#include "report/picture/placed_number.h"

#include <algorithm>

#include "spec/formats/text.h"

namespace mmaspec {
namespace {

/// The units of a number at a last place that is at most its own.
Integer units_at(const PlacedNumber& x, int exponent) {
  return x.units << static_cast<unsigned>(x.exponent - exponent);
}

}  // namespace

bool equal_values(const PlacedNumber& x, const PlacedNumber& y) {
  const int least = std::min(x.exponent, y.exponent);
  return units_at(x, least) == units_at(y, least);
}

bool is_below(const PlacedNumber& x, int exponent) {
  return x.is_zero() || static_cast<int>(bit_length(x.units)) + x.exponent <= exponent;
}

PlacedNumber negative(const PlacedNumber& x) { return {-x.units, x.exponent}; }

PlacedNumber product(const PlacedNumber& x, const PlacedNumber& y) {
  return {x.units * y.units, x.exponent + y.exponent};
}

PlacedNumber sum(const std::vector<PlacedNumber>& terms) {
  if (terms.empty()) return {};
  PlacedNumber total{0, terms[0].exponent};
  for (const PlacedNumber& t : terms) total.exponent = std::min(total.exponent, t.exponent);
  for (const PlacedNumber& t : terms) total.units += units_at(t, total.exponent);
  return total;
}

PlacedNumber cut(const PlacedNumber& x, int exponent, Rounding rounding) {
  if (x.exponent >= exponent) return {units_at(x, exponent), exponent};
  const auto places = static_cast<unsigned>(exponent - x.exponent);
  const bool negative = x.units < 0;
  const Integer magnitude = negative ? Integer(-x.units) : x.units;
  Integer kept = floor_shift_right(magnitude, places);
  const bool lost = (kept << places) != magnitude;
  switch (rounding) {
    case Rounding::toward_zero:
      break;
    case Rounding::down:
      if (lost && negative) ++kept;
      break;
    case Rounding::to_odd:
      if (lost && kept % 2 == 0) ++kept;
      break;
    default:
      throw std::logic_error("alignment rounds toward zero, down or to odd");
  }
  return {negative ? Integer(-kept) : kept, exponent};
}

PlacedNumber placed(const Format& format, const Integer& pattern) {
  const Decoded x = decode(format, pattern);
  if (!x.is_finite()) throw std::logic_error("a number that is not finite cannot be placed");
  return {x.negative ? Integer(-x.significand) : x.significand, x.exponent};
}

}  // namespace mmaspec
