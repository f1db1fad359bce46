#pragma once
/// Numbers on the axis of exponents.

#include <vector>

#include "spec/formats/round.h"

namespace mmaspec {

/// units * 2^exponent: a number, and the exponent of its last place.
struct PlacedNumber {
  Integer units = 0;
  int exponent = 0;

  bool is_zero() const { return units == 0; }
};

/// True if both are the same number, whatever their last places are.
bool equal_values(const PlacedNumber& x, const PlacedNumber& y);
/// |x| < 2^exponent.
bool is_below(const PlacedNumber& x, int exponent);

PlacedNumber negative(const PlacedNumber& x);
PlacedNumber product(const PlacedNumber& x, const PlacedNumber& y);
/// The exact sum, with the smallest of the exponents; 0 if there are no terms.
PlacedNumber sum(const std::vector<PlacedNumber>& terms);

/// The number rounded to a multiple of 2^exponent: toward zero, down or to odd. Throws
/// std::logic_error for another rounding.
PlacedNumber cut(const PlacedNumber& x, int exponent, Rounding rounding);

/// The number of a finite pattern, with the format's last place. Throws std::logic_error unless it
/// is finite.
PlacedNumber placed(const Format& format, const Integer& pattern);

}  // namespace mmaspec
