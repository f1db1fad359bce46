#pragma once
/// Biased sampling: moves operands to regions where properties are likely to fail.

#include <algorithm>

#include "queries/counterexamples/counterexample.h"
#include "spec/lang/bounds.h"

namespace mmaspec {

/// +-f * 2^exponent with 1 <= f < 2. f has all ones or random bits. The exponent is clamped to the
/// format's range.
inline Integer number_at(const Format& f, int exponent, bool negative, bool all_ones,
                         Random& random) {
  const int e = std::clamp(exponent, f.least_exponent(), f.largest_exponent());
  const Integer hidden = power_of_two(static_cast<unsigned>(f.fraction_bits));
  const Integer fraction = all_ones ? Integer(hidden - 1) : Integer(Integer(random()) % hidden);
  const Integer magnitude =
      std::min(Integer(Integer(e + f.bias) * hidden + fraction), f.largest_finite());
  const Integer pattern = magnitude << static_cast<unsigned>(f.ignored_low_bits);
  return negative ? negated(f, pattern) : pattern;
}

/// The pattern of +-2^exponent, a normal number of the format.
inline Integer pattern_of_power(const Format& f, int exponent, bool negative = false) {
  const Integer pattern = Integer(exponent + f.bias)
                          << static_cast<unsigned>(f.fraction_bits + f.ignored_low_bits);
  return negative ? negated(f, pattern) : pattern;
}

/// Sets product k to about +-2^exponent times the significand of a; b is a power of two.
inline void set_product(const DotFormats& f, Candidate& candidate, std::size_t k, int exponent,
                        bool negative, bool all_ones, Random& random) {
  const int low = std::max(f.a->least_exponent(), exponent - f.b->largest_exponent());
  const int high = std::min(f.a->largest_exponent(), exponent - f.b->least_exponent());
  if (low > high) return;
  const int ea = std::clamp(exponent / 2, low, high);
  candidate.values.a[k] = number_at(*f.a, ea, negative, all_ones, random);
  candidate.values.b[k] = pattern_of_power(*f.b, exponent - ea);
}

/// Sets scale factors whose products are about 2^exponent.
inline void set_scales(const DotFormats& f, Candidate& candidate, int exponent) {
  if (f.scale == nullptr) return;
  const int half = exponent / 2;
  const auto set = [&](std::vector<Integer>& all, int e) {
    const int near = std::clamp(e, f.scale->least_exponent(), f.scale->largest_exponent());
    std::fill(all.begin(), all.end(),
              Integer(near + f.scale->bias) << static_cast<unsigned>(f.scale->fraction_bits));
  };
  set(candidate.values.scale_a, half);
  set(candidate.values.scale_b, exponent - half);
}

/// Sets products `first` to `last` - 1, all of one sign. Each is the largest product of a few drawn
/// factors that does not exceed the rest of `sum` >= 0.
inline void set_products_to_sum(const DotFormats& f, Candidate& candidate, std::size_t first,
                                std::size_t last, Rational sum, bool negative, Random& random) {
  constexpr std::size_t kAttemptWork = 16;  // for one pair of factors, in the units of BuildBy
  for (std::size_t k = first; k < last; ++k) {
    Integer& a = candidate.values.a[k];
    Integer& b = candidate.values.b[k];
    Rational best = 0;
    a = b = 0;
    for (int i = 0; i < 8 && best < sum; ++i) {
      BuildBy::spend(kAttemptWork);
      const int span = f.a->largest_exponent() - f.a->least_exponent() + 1;
      const int e =
          f.a->largest_exponent() - static_cast<int>(random() % static_cast<unsigned>(span));
      const Integer x =
          i == 0 ? largest_at_most(*f.a, sum) : number_at(*f.a, e, false, i == 1, random);
      const Rational value = decode(*f.a, x).value();
      if (value == 0) continue;
      const Integer y = largest_at_most(*f.b, sum / value);
      const Rational product = value * decode(*f.b, y).value();
      if (product <= best) continue;
      best = product;
      a = negative ? negated(*f.a, x) : x;
      b = y;
    }
    sum -= best;
  }
}

/// Sets all products except `kept` to +0.
inline void leave_one_product(Candidate& candidate, std::size_t kept) {
  for (std::size_t k = 0; k < candidate.values.a.size(); ++k) {
    if (k != kept) candidate.values.a[k] = candidate.values.b[k] = 0;
  }
}

/// Sets all terms except product `largest` to about `distance` binades below it. The a of product
/// `largest` is just below a power of two.
inline void about_the_cut(const DotFormats& f, Candidate& candidate, std::size_t largest,
                          Random& random) {
  const int top = static_cast<int>(random() % 8);
  const int distance = 8 + static_cast<int>(random() % 32);
  for (std::size_t k = 0; k < candidate.values.a.size(); ++k) {
    const int below = distance + static_cast<int>(random() % 3);
    set_product(f, candidate, k, k == largest ? top : top - below, random() % 4 == 0, k == largest,
                random);
  }
  candidate.values.c = random() % 2 == 0
                           ? Integer(0)
                           : number_at(*f.c, top - distance, random() % 4 == 0, false, random);
}

/// For conversions: often a c next to d's largest number, whose distance has any number of bits.
inline void bias_conversion(const DotFormats& f, Candidate& candidate, Random& random) {
  if (random() % 4 != 0) return;
  const Rational largest = decode(*f.d, f.d->largest_finite() << f.d->ignored_low_bits).value();
  const Integer nearest = nearest_even(*f.c, largest);
  const std::uint64_t bits = random() % static_cast<unsigned>(f.c->fraction_bits + 1);
  const Integer distance = Integer(random() >> (63 - bits)) << f.c->ignored_low_bits;
  const Integer pattern = nearest + distance;
  if (!decode(*f.c, nearest).is_finite() || !decode(*f.c, pattern).is_finite()) return;
  candidate.values.c = f.c->has_sign && random() % 2 == 0 ? negated(*f.c, pattern) : pattern;
}

/// Moves a drawn operand to values where steps matter, often just below a power of two.
inline void incline_to_step(const Format& f, Integer& pattern, Random& random) {
  const auto low = static_cast<unsigned>(f.ignored_low_bits);
  const Integer fraction = power_of_two(static_cast<unsigned>(f.fraction_bits) + low);
  const Integer sign = power_of_two(static_cast<unsigned>(f.sign_bit()));
  const bool negative = pattern >= sign;
  Integer size = negative ? Integer(pattern - sign) : pattern;
  if (random() % 2 == 0) {
    size = size / fraction * fraction;
    // The number with the smaller magnitude is next to the power of two.
    if (!negative && size != 0) size -= power_of_two(low);
  }
  if (size == 0) return;
  pattern = negative ? Integer(size + sign) : size;
}

/// The pattern with this ordinal, clamped to the largest finite magnitude.
inline Integer pattern_at(const Format& f, const Integer& where) {
  const Integer size = std::min(Integer(boost::multiprecision::abs(where)), f.largest_finite());
  const Integer pattern = size << static_cast<unsigned>(f.ignored_low_bits);
  return where < 0 ? negated(f, pattern) : pattern;
}

/// Sets all products except `kept` to zero: one factor, or both.
inline void make_products_zero(std::optional<std::size_t> kept, Candidate& candidate,
                               Random& random) {
  for (std::size_t k = 0; k < candidate.values.a.size(); ++k) {
    if (k == kept) continue;
    const auto which = random() % 3;
    if (which != 0) candidate.values.a[k] = 0;
    if (which != 1) candidate.values.b[k] = 0;
  }
}

/// True if all products except `kept` are zero.
inline bool products_are_zero(const DotFormats& formats, const DotValues& values,
                              std::optional<std::size_t> kept) {
  for (std::size_t k = 0; k < values.a.size(); ++k) {
    if (k == kept) continue;
    if (decode(*formats.a, values.a[k]).significand != 0 &&
        decode(*formats.b, values.b[k]).significand != 0) {
      return false;
    }
  }
  return true;
}

}  // namespace mmaspec
