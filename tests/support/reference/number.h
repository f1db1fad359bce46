#pragma once
/// A second implementation of number formats, their decoding and rounding, in integers: the base of
/// the reference evaluator of the fuzz tests. Shares nothing with spec/, not even a type. Written
/// from the formats' specifications and from the descriptions of parameters in the headers of
/// spec/formats and spec/algorithms.

#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mmaspec::reference {

using Wide = boost::multiprecision::cpp_int;
using Rational = boost::multiprecision::cpp_rational;

/// Thrown if 127 bits are not enough; the caller computes again with Wide.
struct TooWide {};

/// Integers of 127 bits and a sign. Every operation is exact or throws TooWide.
class Narrow {
 public:
  __extension__ using Word = __int128;

  Narrow(std::uint64_t x = 0) : word_(x) {}  // NOLINT(google-explicit-constructor): as a number
  static Narrow of(Word word) {
    Narrow x;
    x.word_ = word;
    return x;
  }
  Word word() const { return word_; }

  friend Narrow operator+(Narrow x, Narrow y) {
    Word sum = 0;
    if (__builtin_add_overflow(x.word_, y.word_, &sum)) throw TooWide();
    return of(sum);
  }
  friend Narrow operator*(Narrow x, Narrow y) {
    Word product = 0;
    if (__builtin_mul_overflow(x.word_, y.word_, &product)) throw TooWide();
    return of(product);
  }
  Narrow operator-() const { return of(-word_); }
  friend bool operator==(Narrow x, Narrow y) { return x.word_ == y.word_; }
  friend bool operator<(Narrow x, Narrow y) { return x.word_ < y.word_; }

 private:
  Word word_;
};

inline bool is_negative(Narrow x) { return x.word() < 0; }
inline bool is_negative(const Wide& x) { return x < 0; }
inline bool is_zero(Narrow x) { return x.word() == 0; }
inline bool is_zero(const Wide& x) { return x == 0; }
inline Narrow magnitude(Narrow x) { return is_negative(x) ? -x : x; }
inline Wide magnitude(const Wide& x) { return boost::multiprecision::abs(x); }

/// Number of binary digits of |x|; 0 for 0.
int length(Narrow x);
int length(const Wide& x);
/// x * 2^n, n >= 0.
Narrow shifted_up(Narrow x, int n);
Wide shifted_up(const Wide& x, int n);
/// x / 2^n, n >= 0, rounded down to an integer or toward zero.
Narrow shifted_down(Narrow x, int n, bool toward_minus_infinity);
Wide shifted_down(const Wide& x, int n, bool toward_minus_infinity);
/// The lowest 64 bits of x >= 0.
inline std::uint64_t low_bits(Narrow x) { return static_cast<std::uint64_t>(x.word()); }
inline std::uint64_t low_bits(const Wide& x) {
  return static_cast<std::uint64_t>(Wide(x & Wide(~std::uint64_t{0})));
}
inline Wide widened(Narrow x) {
  const Narrow size = magnitude(x);
  const Wide wide = (Wide(static_cast<std::uint64_t>(size.word() >> 64)) << 64) + low_bits(size);
  return is_negative(x) ? Wide(-wide) : wide;
}
inline Wide widened(const Wide& x) { return x; }

Rational two_to(int exponent);

enum class Kind { number, infinity, nan };

/// The meaning of a pattern; for numbers (-1)^negative * digits * 2^unit.
struct Value {
  Kind kind = Kind::number;
  bool negative = false;
  std::uint64_t digits = 0;
  int exponent = 0;  ///< of the leading digit for normal numbers; for others that of the least
                     ///< normal number
  int unit = 0;

  bool is_number() const { return kind == Kind::number; }
  bool is_zero() const { return is_number() && digits == 0; }
  Rational rational() const;
};

/// A number format according to its specification.
struct Format {
  enum class Special { ieee, one_nan, fnuz, no_special, powers, integer };

  std::string name;
  int storage;  ///< bits of a pattern
  int exponent_bits;
  int fraction_bits;  ///< for integers, bits without the sign
  int bias;
  Special special;
  bool is_signed;
  int unused_low;  ///< ignored bits

  int least_exponent() const {
    return special == Special::integer ? 0 : special == Special::powers ? -bias : 1 - bias;
  }
  int largest_exponent() const;
  std::uint64_t largest_pattern() const;  ///< the largest number's, positive
  std::uint64_t sign_mask() const {
    return is_signed ? std::uint64_t{1} << (unused_low + fraction_bits + exponent_bits) : 0;
  }
  bool has_infinity() const { return special == Special::ieee; }
  bool is_integer() const { return special == Special::integer; }
  bool has_nan() const { return special != Special::no_special && !is_integer(); }
  bool has_minus_zero() const { return is_signed && special != Special::fnuz && !is_integer(); }

  Value value(std::uint64_t pattern) const;
  bool is_subnormal(std::uint64_t pattern) const;
  /// Pattern of the negative; for a NaN a NaN.
  std::uint64_t negated(std::uint64_t pattern) const;
  std::uint64_t infinity(bool negative) const;  ///< NaN if the format has no infinity
  std::uint64_t nan() const;
  std::uint64_t zero(bool negative) const { return negative && has_minus_zero() ? sign_mask() : 0; }
  /// The pattern of a number; false if the format does not have one.
  bool pattern_of(const Value& number, std::uint64_t& pattern) const;
};

const std::vector<Format>& formats();
/// Two's complement and unsigned integers.
const std::vector<Format>& integer_formats();
/// A format of either list; throws std::invalid_argument.
const Format& format(std::string_view name);

enum class Mode { rz, rne, rd, ru, rna, rto };

/// How a step's result is rounded to a format; the terms of `design:`.
struct Result {
  const Format* format = nullptr;
  Mode round = Mode::rne;
  int kept_bits = 0;
  bool flush = false;       ///< underflow=flush
  bool flush_tiny = false;  ///< underflow=flush-tiny
  enum class Overflow { infinity, directed, saturate } overflow = Overflow::infinity;
};
/// Round to nearest even, to all bits of the format, and IEEE 754's rules otherwise.
Result nearest(const Format& format);

/// Signs of zeros.
struct ZeroSigns {
  bool exact = false;            ///< an exact zero is negative
  bool underflow_keeps = false;  ///< a number rounded to zero keeps its sign; otherwise it has the
                                 ///< sign of an exact zero
};

/// The pattern of (-1)^negative * size * 2^unit, rounded once.
template <typename I>
std::uint64_t rounded(bool negative, const I& size, int unit, const Result& result,
                      ZeroSigns signs);
extern template std::uint64_t rounded(bool, const Narrow&, int, const Result&, ZeroSigns);
extern template std::uint64_t rounded(bool, const Wide&, int, const Result&, ZeroSigns);

/// Compares values: all NaNs are equal, and so are zeros of both signs.
bool same_value(const Format& format, std::uint64_t x, std::uint64_t y);
/// Index of a number or infinity among a format's: 0 for zeros, one more for each next larger
/// number.
std::int64_t place(const Format& format, std::uint64_t pattern);

}  // namespace mmaspec::reference
