#pragma once
/// Conversion between formats, in the language.

#include "spec/formats/round.h"

namespace mmaspec {

struct Converted {
  /// In the new format: exact if `exact`, otherwise rounded. NaN becomes NaN (0 if the format lacks
  /// NaN); infinities and numbers beyond the largest become infinite_pattern(). For integer
  /// formats: the nearest number.
  Int pattern;
  Bool exact;  ///< the new format holds the value; NaN counts as held if the format has one
};

/// How an instruction converts a number to a format. If random_bits is 0, the number is rounded by
/// `round`. Otherwise it is rounded stochastically: random * 2^-random_bits units of the result are
/// added to its magnitude, and the sum is rounded toward zero. The unit is that of numbers in the
/// operand's binade, or the least number of the format if that is larger.
struct Conversion {
  Rounding round = Rounding::nearest_even;
  Overflow overflow = Overflow::to_infinity;
  bool infinity_is_largest = false;  ///< an infinity becomes the largest number of its sign
  bool nan_is_largest = false;  ///< for formats without NaN: NaN becomes the largest number, else 0
  int exponent = 0;             ///< the number is multiplied by 2^exponent first, exactly
  int random_bits = 0;          ///< 0 to 24
  int random = 0;               ///< 0 to 2^random_bits - 1
  /// Stochastic rounding: numbers below half the format's least number become zero.
  bool tiny_is_zero = false;
  bool relu = false;           ///< results with a sign become +0; NaN stays NaN
  bool flush_operand = false;  ///< a subnormal operand becomes a zero of its sign first
  bool flush_result = false;   ///< a subnormal result becomes a zero of its sign

  friend bool operator==(const Conversion&, const Conversion&) = default;
};

/// The number of `from` as a number of `to`. If `to` has neither sign nor zero (UE8M0), the result
/// is a power of two near the magnitude: below it for Rounding::toward_zero, above it for
/// Rounding::up, and the least power for numbers below that. Throws std::logic_error if `to` is an
/// integer format, and for other conversions to UE8M0.
Int converted(const Conversion& conversion, const Format& from, Int pattern, const Format& to);

/// `pattern` of `from`, rounded into `to`. Throws std::logic_error if `to` is an integer format and
/// `from` is not.
Converted convert(const Format& from, Int pattern, const Format& to,
                  Rounding rounding = Rounding::nearest_even);

}  // namespace mmaspec
