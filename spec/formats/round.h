#pragma once
/// From numbers to bit patterns, in the language.

#include "spec/formats/format.h"
#include "spec/lang/int.h"

namespace mmaspec {

/// Rounding-direction attributes, IEEE 754-2019 section 4.3; `nearest_away`: ties away from zero.
/// `to_odd`: what is not exact becomes, of its two neighbours, the one of odd significand (S. Boldo
/// and G. Melquiond, Emulation of FMA and correctly rounded sums: proved algorithms using rounding
/// to odd, 2008).
enum class Rounding { toward_zero, nearest_even, down, up, nearest_away, to_odd };

/// What becomes of a result smaller than the least normal number.
enum class Underflow {
  gradual,  ///< rounded to a subnormal
  flush,    ///< rounded as gradual, then every subnormal becomes a zero of its sign
  /// Rounded as if exponents were unbounded; what is still below the least normal number then
  /// becomes a zero of its sign (tininess after rounding, IEEE 754-2019 section 7.5).
  flush_tiny,
};

/// What becomes of a result that, rounded with unbounded exponent, exceeds the largest number.
/// "Infinity" is infinite_pattern(): NaN where the format has none.
enum class Overflow {
  to_infinity,  ///< infinity, whatever the rounding
  directed,     ///< IEEE 754-2019 section 7.4: the rounding decides between infinity and largest
  saturate,     ///< the largest number
};

/// What stands for infinity in a format, the one meaning for overflow, infinite sums and
/// conversions: infinity; NaN where the format has none (OCP 8-bit Floating Point Specification
/// 1.0, conversion without saturation; the same for FNUZ); the largest number where it has no NaN
/// either (FP6 and FP4: OCP Microscaling Formats Specification 1.0).
Int infinite_pattern(const Format& format, Bool sign);

/// How a result is brought into a format.
struct ResultFormat {
  const Format* format;
  Rounding rounding = Rounding::nearest_even;
  Underflow underflow = Underflow::gradual;
  Overflow overflow = Overflow::to_infinity;
  /// Fraction bits kept; fewer than the format's where a design cuts results short (NVIDIA's FP8
  /// tensor cores: 13 in f32). The bits below are zero, in subnormal results and in the largest
  /// number that an overflow becomes, too.
  int kept_fraction_bits = -1;  ///< -1: all of the format's

  int fraction_bits() const {
    return kept_fraction_bits < 0 ? format->fraction_bits : kept_fraction_bits;
  }

  /// Equal ones make the same result.
  friend bool operator==(const ResultFormat& x, const ResultFormat& y) {
    const auto& [format, rounding, underflow, overflow, kept] = x;
    return *format == *y.format && rounding == y.rounding && underflow == y.underflow &&
           overflow == y.overflow && x.fraction_bits() == y.fraction_bits();
  }
};

/// The pattern of (-1)^sign * (magnitude + tail) * 2^exponent, rounded once. `magnitude` >= 0;
/// `inexact`: a tail in (0, 1) follows that is too small to decide anything but a tie or a
/// direction (a sticky bit; the magnitude must then have at least precision + 2 bits). A result of
/// magnitude 0 gets `zero_sign`; a non-zero number that is rounded to zero keeps its sign if
/// `sign_of_underflow`.
struct Number {
  Bool sign;
  Int magnitude;
  Int exponent;
  Bool inexact = false;
  Bool zero_sign = false;
  bool sign_of_underflow = false;
};
Int round_and_pack(const Number& x, const ResultFormat& result);

}  // namespace mmaspec
