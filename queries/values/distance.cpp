// Computes distances and differences of results in rational arithmetic.

#include "queries/values/distance.h"

#include <algorithm>
#include <stdexcept>

#include "util/unsigned.h"

namespace mmaspec {
namespace {

/// A number on the first format's number line: the ordinal of its nearest number there.
Integer place_on_line(const Format& first, const Rational& y) {
  if (first.is_integer()) return numerator(y);
  const Rational size = boost::multiprecision::abs(y);
  if (size == 0) return 0;
  const int binade = std::clamp(floor_log2(size), first.least_exponent(), first.largest_exponent());
  const Rational steps = size * rational_power_of_two(first.fraction_bits - binade);
  const Integer kept = numerator(steps) / denominator(steps);
  const Rational rest = steps - Rational(kept);
  const bool up = rest > Rational(1, 2) || (rest == Rational(1, 2) && kept % 2 == 1);
  const Integer at =
      (Integer(binade - first.least_exponent()) << u(first.fraction_bits)) + kept + (up ? 1 : 0);
  return y < 0 ? Integer(-at) : at;
}

}  // namespace

Integer ordinal(const Format& format, const Integer& pattern) {
  if (format.is_integer()) return numerator(decode(format, pattern).value());
  const Integer magnitude = (pattern >> format.ignored_low_bits) %
                            power_of_two(u(format.fraction_bits + format.exponent_bits));
  return decode(format, pattern).negative ? Integer(-magnitude) : magnitude;
}

std::optional<Integer> ulp_distance(const Format& first, const Integer& d_first,
                                    const Format& second, const Integer& d_second) {
  const Decoded x = decode(first, d_first);
  const Decoded y = decode(second, d_second);
  if (x.is_nan || y.is_nan) {
    return x.is_nan && y.is_nan ? std::optional<Integer>(0) : std::nullopt;
  }
  if (x.is_infinite && y.is_infinite && x.negative == y.negative) return 0;
  if (!(first == second) && (x.is_infinite || y.is_infinite)) return std::nullopt;
  require_one_kind(first, second);
  const Integer from = ordinal(first, d_first);
  const Integer to = first == second ? ordinal(second, d_second) : place_on_line(first, y.value());
  return boost::multiprecision::abs(Integer(from - to));
}

bool differ(const Difference& difference, const Format& first, const Integer& d_first,
            const Format& second, const Integer& d_second) {
  const Decoded x = decode(first, d_first);
  const Decoded y = decode(second, d_second);
  if (x.is_nan || y.is_nan) return x.is_nan != y.is_nan;
  const bool infinite = x.is_infinite || y.is_infinite;
  const bool same = infinite ? x.is_infinite && y.is_infinite && x.negative == y.negative
                             : x.value() == y.value();
  if (same) return difference.signed_zero && x.negative != y.negative;
  if (difference.ulp) {
    const auto steps = ulp_distance(first, d_first, second, d_second);
    if (steps && *steps <= *difference.ulp) return false;
  }
  if (infinite) return true;
  const Rational distance = boost::multiprecision::abs(Rational(x.value() - y.value()));
  const Rational magnitude = boost::multiprecision::abs(x.value());
  return !(difference.absolute && distance <= *difference.absolute) &&
         !(difference.relative && distance <= *difference.relative * magnitude);
}

}  // namespace mmaspec
