#pragma once

#include <random>

#include "concrete/dot/model.h"

namespace mmaspec {

/// Draws finite inputs of a dot-add: products and c near one exponent or near where other terms are
/// cut, fractions at ties and at their ends, zeros, subnormal numbers, and any numbers.
class InputsNearCuts {
 public:
  /// `places`: the number of bits below the largest exponent that the design keeps, or d's fraction
  /// bits.
  InputsNearCuts(const DotFormats& formats, int places, unsigned seed)
      : f_(formats), places_(places), random_(seed) {}

  DotValues next();
  /// Any finite number.
  Integer number(const Format& f);
  /// A number with this exponent, or with the nearest exponent of the format.
  Integer number_at(const Format& f, int exponent);
  /// From 0 to n - 1.
  int below(int n);

 private:
  int exponent_of(const Format& f);
  Integer with_sign(const Format& f, const Integer& magnitude);

  const DotFormats f_;
  const int places_;
  std::mt19937_64 random_;
};

}  // namespace mmaspec
