#pragma once
/// Numbers in and out as text, and decoding of constants. Plain arithmetic over integers, written
/// apart from unpack() and round_and_pack(), which the tests check against it.

#include <boost/multiprecision/cpp_int.hpp>
#include <string>
#include <string_view>

#include "spec/formats/format.h"

namespace mmaspec {

using Rational = boost::multiprecision::cpp_rational;

/// 2^exponent.
Rational rational_power_of_two(int exponent);
/// n * 2^exponent.
Rational times_power_of_two(const Integer& n, int exponent);

/// floor(log2(x)), x > 0.
int floor_log2(const Rational& x);

/// What a bit pattern means.
struct Decoded {
  bool is_nan = false;
  bool is_infinite = false;
  bool negative = false;    ///< the sign bit, of zeros and infinities too
  Integer significand = 0;  ///< value = (-1)^negative * significand * 2^exponent
  int exponent = 0;

  bool is_finite() const { return !is_nan && !is_infinite; }
  Rational value() const;  ///< throws std::logic_error unless finite
};
/// `pattern`: 0 .. 2^storage_bits - 1.
Decoded decode(const Format& format, const Integer& pattern);

/// `pattern` of `from` rounded to nearest even into `to`: infinity beyond its largest number (NaN
/// where it has no infinity, the largest where it has neither: infinite_pattern(); of integers the
/// largest or the least), the least number of a format without sign or zero where that is the
/// nearest, NaN to NaN. Throws
/// std::invalid_argument for a NaN where `to` has none.
Integer round_pattern(const Format& from, const Integer& pattern, const Format& to);

/// Reads a bit pattern: format.hex_digits() hexadecimal digits without 0x. Throws
/// std::invalid_argument for another number of digits, and for more than storage_bits bits.
Integer parse_bits(const Format& format, std::string_view digits);

/// Reads a pattern: hex bits (`0x3c00`, format.hex_digits() digits), a C99 hex float
/// (`-0x1.8p-3`), a decimal (`-1.5`, `1e-3`), `inf`, `-inf`, `nan`. A `0x` number without `p` and
/// without a point is bits, and takes no sign. Throws std::invalid_argument with the nearest values
/// that the format holds if it does not hold the number exactly.
Integer parse_pattern_of(const Format& format, std::string_view text);

/// A C99 hex float, inf, -inf or nan; an integer in decimal.
std::string to_hex_float(const Format& format, const Integer& pattern);
/// significand * 2^exponent as a C99 hex float of as many digits as it needs.
std::string to_hex_float(const Integer& significand, int exponent);
/// A decimal for people. Integers below 10^16 have all their digits. Other numbers have the fewest
/// digits, 17 at most, with which the nearest number of the format is this one (0x3dcccccd of f32:
/// 0.1); in formats of 8 bits or fewer they are exact.
std::string to_decimal(const Format& format, const Integer& pattern);

/// A non-negative number, exact: a decimal, a C99 hex float, or a fraction of two of these
/// (64449/4096). Throws std::invalid_argument.
Rational parse_rational(std::string_view text);

/// What parse_rational() reads back as the same number: a decimal of at most 17 digits where there
/// is one, else a fraction. x >= 0.
std::string shortest_text(const Rational& x);

}  // namespace mmaspec
