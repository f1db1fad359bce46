#pragma once
/// Arbitrary-precision integers: the values of the language.

#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>
#include <string>

namespace mmaspec {

/// A mathematical integer, without width or overflow.
using Integer = boost::multiprecision::cpp_int;

/// 2^n, n >= 0.
inline Integer power_of_two(unsigned n) { return Integer(1) << n; }

/// The number of bits of |x| without leading zeros; 0 for x = 0.
inline unsigned bit_length(const Integer& x) {
  return x == 0 ? 0U
                : static_cast<unsigned>(boost::multiprecision::msb(x < 0 ? Integer(-x) : x)) + 1;
}

/// The number of trailing zero bits of |x|; x is not zero.
inline unsigned trailing_zeros(const Integer& x) {
  return static_cast<unsigned>(boost::multiprecision::lsb(x < 0 ? Integer(-x) : x));
}

/// floor(x / 2^n), n >= 0.
inline Integer floor_shift_right(const Integer& x, unsigned n) {
  if (n >= bit_length(x)) return x < 0 ? -1 : 0;  // avoids allocating 2^n for large n
  return x >= 0 ? Integer(x >> n) : Integer(-((-x + power_of_two(n) - 1) >> n));
}

/// True if |x| is a power of two.
inline bool is_power_of_two(const Integer& x) {
  return x != 0 && trailing_zeros(x) + 1 == bit_length(x);
}

/// Lower-case hexadecimal digits of x >= 0, without prefix, at least `digits` of them.
inline std::string to_hex(const Integer& x, unsigned digits = 1) {
  std::string s = x.str(0, std::ios_base::hex);
  return s.size() < digits ? std::string(digits - s.size(), '0') + s : s;
}

}  // namespace mmaspec
