#pragma once
/// Upper bounds of magnitudes in a unit that is a power of two.

#include "spec/formats/text.h"

namespace mmaspec {

/// |x| <= value units, or < if is_less.
struct Magnitude {
  Rational value = 0;
  bool is_less = false;

  friend Magnitude operator+(const Magnitude& x, const Magnitude& y) {
    return {x.value + y.value, x.is_less || y.is_less};
  }
  friend Magnitude operator+(const Magnitude& x, const Rational& y) {
    return {x.value + y, x.is_less};
  }

  /// The exponent of the largest power of two that |x| can reach, at least 0.
  int leading_exponent() const {
    if (value <= 1) return 0;
    const int e = floor_log2(value);
    return is_less && value == rational_power_of_two(e) ? e - 1 : e;
  }
};

}  // namespace mmaspec
