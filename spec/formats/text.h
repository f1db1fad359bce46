#pragma once
/// Parsing, printing and decoding of constant numbers. Plain integer arithmetic, independent of
/// unpack() and round_and_pack(), which tests check against it.

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

/// The value of a bit pattern.
struct Decoded {
  bool is_nan = false;
  bool is_infinite = false;
  bool negative = false;    ///< the sign bit, also for zeros and infinities
  Integer significand = 0;  ///< value = (-1)^negative * significand * 2^exponent
  int exponent = 0;

  bool is_finite() const { return !is_nan && !is_infinite; }
  Rational value() const;  ///< throws std::logic_error unless finite
};
/// `pattern`: 0 .. 2^storage_bits - 1.
Decoded decode(const Format& format, const Integer& pattern);

/// `pattern` of `from` rounded to nearest even into `to`. Beyond the largest number of `to`:
/// infinity (NaN if it lacks infinity, the largest number if it lacks both: infinite_pattern(); for
/// integers the largest or the least). The least number of a format without sign or zero if that is
/// the nearest; NaN gives NaN. Throws std::invalid_argument for a NaN if `to` lacks NaN.
Integer round_pattern(const Format& from, const Integer& pattern, const Format& to);

/// Parses a bit pattern: format.hex_digits() hexadecimal digits without 0x. Throws
/// std::invalid_argument for another number of digits, and for more than storage_bits bits.
Integer parse_bits(const Format& format, std::string_view digits);

/// Parses a pattern: hex bits (`0x3c00`, format.hex_digits() digits), a C99 hex float
/// (`-0x1.8p-3`), a decimal (`-1.5`, `1e-3`), `inf`, `-inf`, `nan`. A `0x` number without `p` and
/// without a point is a bit pattern and must not have a sign. Throws std::invalid_argument with the
/// nearest values of the format if it does not hold the number exactly.
Integer parse_pattern_of(const Format& format, std::string_view text);

/// A C99 hex float, inf, -inf or nan; an integer in decimal.
std::string to_hex_float(const Format& format, const Integer& pattern);
/// significand * 2^exponent as a C99 hex float with as many digits as needed.
std::string to_hex_float(const Integer& significand, int exponent);
/// A decimal for people. Integers below 10^16 have all their digits. Other numbers have the fewest
/// digits, at most 17, for which the nearest number of the format is this one (0x3dcccccd of f32:
/// 0.1). In formats of at most 8 bits decimals are exact.
std::string to_decimal(const Format& format, const Integer& pattern);

/// A non-negative number, exact: a decimal, a C99 hex float, or a fraction of two of these
/// (64449/4096). Throws std::invalid_argument.
Rational parse_rational(std::string_view text);

/// The text of a number that parse_rational() parses to the same number: a decimal of at most 17
/// digits if there is one, otherwise a fraction. x >= 0.
std::string shortest_text(const Rational& x);

}  // namespace mmaspec
