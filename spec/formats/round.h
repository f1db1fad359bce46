#pragma once
/// Conversion of numbers to bit patterns, in the language.

#include "spec/formats/format.h"
#include "spec/lang/int.h"

namespace mmaspec {

/// Rounding-direction attributes, IEEE 754-2019 section 4.3. `nearest_away`: ties away from zero.
/// `to_odd`: an inexact number becomes its neighbour with the odd significand (S. Boldo and G.
/// Melquiond, Emulation of FMA and correctly rounded sums: proved algorithms using rounding to odd,
/// 2008).
enum class Rounding { toward_zero, nearest_even, down, up, nearest_away, to_odd };

/// The treatment of results smaller than the least normal number.
enum class Underflow {
  gradual,  ///< rounded to a subnormal
  flush,    ///< rounded as for gradual, then every subnormal becomes a zero of the same sign
  /// Rounded with unbounded exponents. If the rounded number is below the least normal number, it
  /// becomes a zero of the same sign (tininess after rounding, IEEE 754-2019 section 7.5).
  flush_tiny,
};

/// The treatment of results that, rounded with unbounded exponent, exceed the largest number.
/// "Infinity" is infinite_pattern(): NaN if the format lacks infinity.
enum class Overflow {
  to_infinity,  ///< infinity for every rounding mode
  directed,     ///< IEEE 754-2019 section 7.4: the rounding mode decides between infinity and the
                ///< largest number
  saturate,     ///< the largest number
};

/// The pattern that represents infinity in a format, used for overflow, infinite sums and
/// conversions: infinity; NaN if the format lacks it (OCP 8-bit Floating Point Specification 1.0,
/// conversion without saturation; the same for FNUZ); the largest number if the format lacks both
/// (FP6 and FP4: OCP Microscaling Formats Specification 1.0).
Int infinite_pattern(const Format& format, Bool sign);

/// How a result is converted to a format.
struct ResultFormat {
  const Format* format;
  Rounding rounding = Rounding::nearest_even;
  Underflow underflow = Underflow::gradual;
  Overflow overflow = Overflow::to_infinity;
  /// Number of fraction bits kept; fewer than the format's if a design truncates results (NVIDIA's
  /// FP8 tensor cores: 13 in f32). The bits below are zero, also in subnormal results and in the
  /// largest number that replaces an overflow.
  int kept_fraction_bits = -1;  ///< -1: all of the format's

  int fraction_bits() const {
    return kept_fraction_bits < 0 ? format->fraction_bits : kept_fraction_bits;
  }

  /// Equal if they give the same results.
  friend bool operator==(const ResultFormat& x, const ResultFormat& y) {
    const auto& [format, rounding, underflow, overflow, kept] = x;
    return *format == *y.format && rounding == y.rounding && underflow == y.underflow &&
           overflow == y.overflow && x.fraction_bits() == y.fraction_bits();
  }
};

/// The pattern of (-1)^sign * (magnitude + tail) * 2^exponent, rounded once. `magnitude` >= 0.
/// `inexact`: the tail is in (0, 1) instead of 0, like a sticky bit; it affects only ties and
/// directed rounding, so the magnitude must have at least precision + 2 bits. A result of magnitude
/// 0 gets `zero_sign`; a nonzero number that is rounded to zero keeps its sign if
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
