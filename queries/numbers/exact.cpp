#include "queries/numbers/exact.h"

#include <algorithm>
#include <stdexcept>

#include "spec/algorithms/exact_dot_add.h"
#include "spec/conversions/conversion_design.h"
#include "spec/formats/integer.h"
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

/// The magnitude pattern of the largest number at most x >= 0. For x beyond the largest finite
/// number, the pattern after it.
Integer magnitude_at_most(const Format& format, const Rational& x) {
  if (x == 0) return 0;
  const int e = std::max(floor_log2(x), format.least_exponent());
  const int last = e - format.fraction_bits;
  const Integer n = last < 0 ? Integer((numerator(x) << u(-last)) / denominator(x))
                             : Integer(numerator(x) / (denominator(x) << u(last)));
  const Integer field = e - format.least_exponent();
  return std::min(Integer(n + power_of_two(u(format.fraction_bits)) * field),
                  Integer(format.largest_finite() + 1));
}

Rational value_of(const Format& format, const Integer& magnitude) {
  return decode(format, magnitude << format.ignored_low_bits).value();
}

}  // namespace

Int exact_rounded(const DotFormats& formats, const DotOperands& operands, Rounding rounding) {
  if (is_conversion(formats)) {
    return converted({rounding, Overflow::directed}, *formats.c, operands.c, *formats.d);
  }
  const ResultFormat result{formats.d, rounding, Underflow::gradual, Overflow::directed};
  return build(ExactDotAdd{formats.k, result}, formats, operands);
}

ExactTerms exact_terms(const DotFormats& formats, const DotOperands& operands) {
  if (are_integers(formats)) {
    ExactTerms integers{{}, 0};
    for (std::size_t k = 0; k < operands.a.size(); ++k) {
      integers.terms.push_back(integer_value(*formats.a, operands.a[k]) *
                               integer_value(*formats.b, operands.b[k]));
    }
    integers.terms.push_back(integer_value(*formats.c, operands.c));
    return integers;
  }
  const UnpackedOperands x = unpack(formats, operands);
  std::vector<Term> terms;
  for (std::size_t k = 0; k < x.a.size(); ++k) terms.push_back(scaled_product(formats, x, k));
  terms.push_back(as_term(*formats.c, x.c));
  Integer unit = formats.d->least_exponent() - formats.d->fraction_bits;
  for (const Term& t : terms) {
    unit = std::min(unit, Integer(t.exponent.range().low - t.fraction_bits));
  }
  ExactTerms result{{}, unit.convert_to<int>()};
  for (const Term& t : terms) {
    result.terms.push_back(
        negate_if(t.sign, shift_left(t.significand, t.exponent - t.fraction_bits - unit)));
  }
  return result;
}

Int in_unit(const Format& format, Int pattern, int unit) {
  if (format.is_integer()) return shift_left(integer_value(format, pattern), -unit);
  const Unpacked x = unpack(format, pattern);
  return negate_if(x.sign, shift_left(x.significand, x.exponent - format.fraction_bits - unit));
}

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
  return std::min(magnitude_at_most(format, x), format.largest_finite())
         << u(format.ignored_low_bits);
}

Neighbours neighbours(const Format& format, const Rational& x) {
  if (format.is_integer()) throw std::logic_error("integers are not rounded");
  const Rational size = boost::multiprecision::abs(x);
  const Integer low = magnitude_at_most(format, size);
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
  const Integer low = std::min(magnitude_at_most(format, size), format.largest_finite());
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

Int negated(const Format& format, Int pattern) {
  if (format.is_integer()) return integer_pattern(format, -integer_value(format, pattern));
  const Int magnitude = bits(pattern, 0, u(format.sign_bit()));
  const Bool sign = bit(pattern, u(format.sign_bit()));
  if (format.specials == Specials::nan_minus_zero) {
    return with_sign(format, !sign && magnitude != 0, magnitude);
  }
  return with_sign(format, !sign, magnitude);
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
