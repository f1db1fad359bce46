#pragma once

#include <random>

#include "concrete/dot/model.h"

namespace mmaspec {

/// Draws finite inputs of a dot-add: products and c near one exponent or near where the terms
/// beside them are cut, fractions at ties and ends, zeros, subnormal numbers, and numbers of any
/// kind.
class InputsNearCuts {
 public:
  /// `places`: how many bits below the largest exponent the design cuts, or d's fraction bits.
  InputsNearCuts(const DotFormats& formats, int places, unsigned seed)
      : f_(formats), places_(places), random_(seed) {}

  DotValues next();
  /// A finite number of any kind.
  Integer number(const Format& f);
  /// With this exponent, or the nearest that there is.
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
