#pragma once
/// Numbers of a format by sign and exponent.

#include <algorithm>

#include "spec/formats/format.h"
#include "util/split_mix.h"

namespace mmaspec {

/// Draws patterns of one format by sign, by exponent, and whether they are powers of two.
class Numbers {
 public:
  Numbers(const Format& format, SplitMix& random) : format_(format), random_(random) {}

  int least() const { return format_.least_exponent(); }
  int largest() const { return format_.largest_exponent() - 1; }

  /// The exponent of the least power of two.
  int lowest() const { return least() - (format_.has_zero ? format_.fraction_bits : 0); }

  /// A number with about this exponent.
  Integer at(int exponent, bool negative, bool plain) {
    exponent = std::clamp(exponent, lowest(), std::max(lowest(), largest()));
    const auto bits = static_cast<unsigned>(format_.fraction_bits);
    const Integer field = std::max(exponent - least(), 0) + (format_.has_zero ? 1 : 0);
    Integer fraction = 0;
    if (!plain && bits > 0) {
      fraction = Integer(random_()) & (power_of_two(bits) - 1);
      // Few one bits, mostly including the last bit, because it affects rounding.
      if (random_.one_in(4)) {
        fraction = power_of_two(static_cast<unsigned>(random_.below(static_cast<int>(bits)))) |
                   Integer(random_.one_in(4) ? 0 : 1);
      }
    }
    Integer magnitude = (field << bits) | fraction;
    if (exponent < least()) {
      magnitude = power_of_two(static_cast<unsigned>(exponent - lowest()));
      if (!plain) magnitude |= Integer(random_()) & (magnitude - 1);
    }
    if (magnitude > format_.largest_finite()) magnitude = format_.largest_finite();
    Integer pattern = magnitude << static_cast<unsigned>(format_.ignored_low_bits);
    if (negative && format_.has_sign) {
      pattern |= power_of_two(static_cast<unsigned>(format_.sign_bit()));
    }
    return pattern;
  }

 private:
  const Format& format_;
  SplitMix& random_;
};

}  // namespace mmaspec
