// Computes exact results in rational arithmetic.

#include "queries/values/exact_result.h"

#include <algorithm>
#include <stdexcept>

#include "queries/numbers/difference.h"
#include "util/unsigned.h"

namespace mmaspec {
namespace {

/// n * 2^exponent: fractions whose denominator is a power of two do not need greatest common
/// divisors.
struct Dyadic {
  Integer n = 0;
  int exponent = 0;

  Rational value() const { return times_power_of_two(n, exponent); }
  friend Dyadic operator*(const Dyadic& x, const Dyadic& y) {
    return {x.n * y.n, x.exponent + y.exponent};
  }
};

std::optional<Dyadic> finite(const Format& format, const Integer& pattern) {
  const Decoded x = decode(format, pattern);
  if (!x.is_finite()) return std::nullopt;
  return Dyadic{x.negative ? Integer(-x.significand) : x.significand, x.exponent};
}

/// The products and c; nullopt if an operand is not finite.
std::optional<std::vector<Dyadic>> dyadic_terms(const DotFormats& formats,
                                                const DotValues& values) {
  std::vector<Dyadic> terms;
  for (std::size_t k = 0; k < values.a.size(); ++k) {
    auto a = finite(*formats.a, values.a[k]);
    const auto b = finite(*formats.b, values.b[k]);
    if (!a || !b) return std::nullopt;
    if (formats.scale != nullptr) {
      const std::size_t block = k / static_cast<std::size_t>(formats.scale_block);
      const auto sa = finite(*formats.scale, values.scale_a[block]);
      const auto sb = finite(*formats.scale, values.scale_b[block]);
      if (!sa || !sb) return std::nullopt;
      a = *a * *sa * *sb;
    }
    terms.push_back(*a * *b);
  }
  const auto c = finite(*formats.c, values.c);
  if (!c) return std::nullopt;
  terms.push_back(*c);
  return terms;
}

Dyadic sum_of(const std::vector<Dyadic>& terms) {
  Dyadic sum{0, terms.front().exponent};
  for (const Dyadic& t : terms) sum.exponent = std::min(sum.exponent, t.exponent);
  for (const Dyadic& t : terms) sum.n += t.n << u(t.exponent - sum.exponent);
  return sum;
}

/// floor(log2(|x|)), x != 0.
int exponent_of(const Dyadic& x) { return static_cast<int>(bit_length(x.n)) - 1 + x.exponent; }

Integer signed_pattern(const Format& format, bool negative, const Integer& magnitude) {
  const Integer shifted = magnitude << format.ignored_low_bits;
  return negative && format.has_sign ? Integer(shifted + power_of_two(u(format.sign_bit())))
                                     : shifted;
}

Rational value_of(const Format& format, const Integer& magnitude) {
  return decode(format, magnitude << format.ignored_low_bits).value();
}

}  // namespace

std::optional<std::vector<Rational>> exact_terms(const DotFormats& formats,
                                                 const DotValues& values) {
  const auto terms = dyadic_terms(formats, values);
  if (!terms) return std::nullopt;
  std::vector<Rational> all;
  for (const Dyadic& t : *terms) all.push_back(t.value());
  return all;
}

std::optional<Rational> exact_dot(const DotFormats& formats, const DotValues& values) {
  const auto terms = dyadic_terms(formats, values);
  if (!terms) return std::nullopt;
  return sum_of(*terms).value();
}

std::optional<Rational> error_in_ulp(const DotFormats& formats, const DotValues& values,
                                     const Integer& d) {
  auto terms = dyadic_terms(formats, values);
  const auto result = finite(*formats.d, d);
  if (!terms || !result) return std::nullopt;
  int largest = formats.d->least_exponent();
  for (const Dyadic& t : *terms) {
    if (t.n != 0) largest = std::max(largest, exponent_of(t));
  }
  terms->push_back({-result->n, result->exponent});
  const Dyadic error = sum_of(*terms);
  return times_power_of_two(boost::multiprecision::abs(error.n),
                            error.exponent - largest + formats.d->fraction_bits);
}

Integer largest_at_most(const Format& format, const Rational& x) {
  return std::min(ordinal_at_most(format, x), format.largest_finite())
         << u(format.ignored_low_bits);
}

Neighbours neighbours(const Format& format, const Rational& x) {
  if (format.is_integer()) throw std::logic_error("integers are not rounded");
  const Rational size = boost::multiprecision::abs(x);
  const Integer low = ordinal_at_most(format, size);
  // Beyond the largest finite number: between it and infinity.
  const bool beyond = low > format.largest_finite();
  const Integer inner = beyond ? format.largest_finite() : low;
  const Integer outer = beyond                          ? format.first_non_finite()
                        : value_of(format, low) == size ? inner
                                                        : Integer(inner + 1);
  const bool negative = x < 0;
  const Integer near = signed_pattern(format, negative, inner);
  const Integer far = signed_pattern(format, negative, outer);
  return negative ? Neighbours{far, near} : Neighbours{near, far};
}

Integer nearest_even(const Format& format, const Rational& x) {
  if (format.is_integer()) throw std::logic_error("integers are not rounded");
  const Rational size = boost::multiprecision::abs(x);
  const Integer low = std::min(ordinal_at_most(format, size), format.largest_finite());
  const Rational below = value_of(format, low);
  // The neighbour above the largest number is the next number that the format would have with a
  // larger exponent range.
  const Rational above = low == format.largest_finite()
                             ? Rational(2 * below - value_of(format, low - 1))
                             : value_of(format, low + 1);
  const Rational middle = (below + above) / 2;
  const bool up = size > middle || (size == middle && low % 2 == 1);
  if (up && low == format.largest_finite()) {
    return signed_pattern(format, x < 0, format.first_non_finite());
  }
  return signed_pattern(format, x < 0, up ? Integer(low + 1) : low);
}

Integer negated(const Format& format, const Integer& pattern) {
  if (format.is_integer()) {
    const Integer modulus = power_of_two(u(format.storage_bits));
    return (modulus - pattern) % modulus;
  }
  const Integer sign = power_of_two(u(format.sign_bit()));
  if (format.specials == Specials::nan_minus_zero && pattern == 0) return pattern;
  return (pattern / sign) % 2 == 1 ? Integer(pattern - sign) : Integer(pattern + sign);
}

bool same_value(const Format& format, const Integer& x, const Integer& y) {
  const Decoded dx = decode(format, x);
  const Decoded dy = decode(format, y);
  if (dx.is_nan || dy.is_nan) return dx.is_nan && dy.is_nan;
  if (dx.is_infinite || dy.is_infinite) {
    return dx.is_infinite && dy.is_infinite && dx.negative == dy.negative;
  }
  return dx.value() == dy.value();
}

}  // namespace mmaspec
