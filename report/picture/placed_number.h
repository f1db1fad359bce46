#pragma once
/// Numbers on the axis of exponents.

#include <vector>

#include "spec/formats/round.h"

namespace mmaspec {

/// units * 2^exponent: a number, and where its last place stands.
struct PlacedNumber {
  Integer units = 0;
  int exponent = 0;

  bool is_zero() const { return units == 0; }
};

/// Both are the same number, whatever their last places.
bool equal_values(const PlacedNumber& x, const PlacedNumber& y);
/// |x| < 2^exponent.
bool is_below(const PlacedNumber& x, int exponent);

PlacedNumber negative(const PlacedNumber& x);
PlacedNumber product(const PlacedNumber& x, const PlacedNumber& y);
/// The exact sum, placed at the least of the last places; 0 of none.
PlacedNumber sum(const std::vector<PlacedNumber>& terms);

/// The number as a multiple of 2^exponent, rounded so: toward zero, down or to odd. Throws
/// std::logic_error for another rounding.
PlacedNumber cut(const PlacedNumber& x, int exponent, Rounding rounding);

/// The number of a finite pattern, its last place that of the format. Throws std::logic_error
/// unless it is finite.
PlacedNumber placed(const Format& format, const Integer& pattern);

}  // namespace mmaspec
