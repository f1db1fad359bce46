// Builds conditions on the distance between two results.

#include "queries/numbers/difference.h"

#include <algorithm>
#include <stdexcept>

#include "spec/formats/convert.h"
#include "spec/formats/integer.h"
#include "spec/formats/unpack.h"
#include "util/unsigned.h"

namespace mmaspec {
namespace {

/// Bounds with more bits cannot be compared exactly here.
constexpr unsigned kMostBoundBits = 256;

Integer floor_of(const Rational& x) { return numerator(x) / denominator(x); }

/// magnitude * 2^unit > bound: the lengths decide or, if they are equal, the digits.
Bool exceeds(Int magnitude, Int unit, const Rational& bound) {
  if (bound == 0) return magnitude != 0;
  const unsigned width = bit_length(magnitude.range().high);
  const int leading = floor_log2(bound);
  const Int length = bit_length(magnitude);
  const Int e = unit + length - 1;
  const Int normalized = shift_left(magnitude, Integer(width) - length);
  const Integer digits =
      floor_of(bound * rational_power_of_two(static_cast<int>(width) - 1 - leading));
  return magnitude != 0 && (e > leading || (e == leading && normalized > digits));
}

/// Two finite numbers in a common unit, as far as that is needed.
struct Aligned {
  Bool first_larger;  ///< the first one has the larger unit, or both have the same
  Bool apart;         ///< the units are more than `window` binades apart: the smaller number is
                      ///< negligible
  Int first;          ///< signed, in the smaller unit; not defined if apart
  Int second;
  Int unit;
  Unpacked x;
  Unpacked y;
};

Aligned align(const Format& format, Int d_first, Int d_second, int window) {
  const Unpacked x = unpack(format, d_first);
  const Unpacked y = unpack(format, d_second);
  const Bool first_larger = x.exponent >= y.exponent;
  const Int distance = abs(x.exponent - y.exponent);
  const Int shift = min(distance, window);
  const auto scaled = [&](const Unpacked& u, Bool larger) {
    return negate_if(u.sign, shift_left(u.significand, select(larger, shift, 0)));
  };
  return {first_larger,
          distance > window,
          scaled(x, first_larger),
          scaled(y, !first_larger),
          min(x.exponent, y.exponent) - format.fraction_bits,
          x,
          y};
}

/// A number of bits beyond the precision such that a summand that is smaller by more than these
/// bits does not affect the comparison with the bound, unless the bound equals the other number.
int window_for(const Format& format, const Rational& bound) {
  const int p = format.precision();
  int window = p + 2;
  if (bound == 0) return window;
  const Rational scaled = bound * rational_power_of_two(p - 1 - floor_log2(bound));
  const Rational fraction = scaled - Rational(floor_of(scaled));
  if (fraction == 0) return window;
  const Rational gap = std::min(fraction, Rational(1) - fraction);
  while (gap <= rational_power_of_two(p + 1 - window)) ++window;
  return window;
}

void require_few_bits(const Rational& bound, const char* option) {
  if (bit_length(numerator(bound)) > kMostBoundBits ||
      bit_length(denominator(bound)) > kMostBoundBits * 4) {
    throw std::invalid_argument(std::string(option) + ": more digits than can be compared exactly");
  }
}

Bool absolute_exceeds(const Format& format, Int d_first, Int d_second, const Rational& bound) {
  const Aligned a = align(format, d_first, d_second, window_for(format, bound));
  const Bool near = exceeds(abs(a.first - a.second), a.unit, bound);
  // If the numbers are apart, only the larger one decides, or the smaller one's sign if the larger
  // one equals the bound.
  const Unpacked& x = a.x;
  const Unpacked& y = a.y;
  const Int significand = select(a.first_larger, x.significand, y.significand);
  const Int other = select(a.first_larger, y.significand, x.significand);
  const Int unit = max(x.exponent, y.exponent) - format.fraction_bits;
  Bool far = exceeds(significand, unit, bound);
  if (bound > 0) {
    const int e = floor_log2(bound);
    const Rational digits = bound * rational_power_of_two(format.fraction_bits - e);
    if (denominator(digits) == 1) {
      const Bool equals = significand == numerator(digits) && unit == e - format.fraction_bits;
      far = far || (equals && (x.sign ^ y.sign) && other != 0);
    }
  }
  return select(a.apart, far, near);
}

Bool relative_exceeds(const Format& format, Int d_first, Int d_second, const Rational& bound) {
  // |x - y| / |x| is within 2^-(window - 1) of 1 if y is negligible, and more than 2^(window - p) -
  // 1 if x is.
  const Rational distance = bound > 1 ? Rational(bound - 1) : Rational(1 - bound);
  int window = format.precision() + 3;
  while (distance != 0 && distance <= rational_power_of_two(1 - window)) ++window;
  while (bound >= rational_power_of_two(window - format.precision()) - 1) ++window;
  const Aligned a = align(format, d_first, d_second, window);
  const Bool near = denominator(bound) * abs(a.first - a.second) > numerator(bound) * abs(a.first);
  const Bool beyond_one = (a.x.sign ^ a.y.sign) && a.y.significand != 0;
  const Bool first_decides = bound == 1 ? beyond_one : Bool(bound < 1);
  return select(a.apart, select(a.first_larger, first_decides, Bool(true)), near);
}

/// A finite result of another format on the first one's number line: its nearest number there, as
/// ordinal(). Not defined if `beyond`: its distance from every number of the first format exceeds
/// the bound.
struct OnLine {
  Int place;
  Bool beyond;
};

/// The last binade of the first format's numbers begins at 2^top; from there on all steps are
/// equal.
OnLine on_line(const Format& first, const Format& second, Int pattern, const Integer& bound) {
  require_one_kind(first, second);
  if (first.is_integer()) return {integer_value(second, pattern), false};
  const int top = first.largest_exponent();
  const int above = second.largest_exponent() - top;
  const Int below_top = ordinal(first, convert(second, pattern, first).pattern);
  if (above < 0) return {below_top, false};
  if (second.least_exponent() > top) throw std::logic_error("the formats have no common numbers");
  // A number of 2^(top + n) is more than `bound` steps from all numbers of the first format if n >
  // most.
  const unsigned reach = bit_length(Integer(bound + first.largest_finite() + 1));
  const int most = std::min(above, std::max(static_cast<int>(reach) - first.fraction_bits, 0));
  const Unpacked y = unpack(second, pattern);
  const Int over = y.exponent - top;
  const Int scaled = shift_left(y.significand, min(max(over, 0), most));
  Int steps = scaled * power_of_two(u(std::max(first.fraction_bits - second.fraction_bits, 0)));
  if (second.fraction_bits > first.fraction_bits) {
    const auto dropped = u(second.fraction_bits - first.fraction_bits);
    const Int kept = floor_shift_right(scaled, static_cast<int>(dropped));
    const Int rest = bits(scaled, 0, dropped);
    const Integer half = power_of_two(dropped - 1);
    steps = kept + select(rest > half || (rest == half && bit(kept, 0)), 1, 0);
  }
  const Integer start = Integer(top - first.least_exponent()) << u(first.fraction_bits);
  return {select(over >= 0, negate_if(y.sign, steps + start), below_top), over > most};
}

Bool ulp_exceed(const Format& first, Int d_first, const Format& second, Int d_second,
                const Integer& bound) {
  const Int p = ordinal(first, d_first);
  if (first == second) return abs(p - ordinal(second, d_second)) > bound;
  const OnLine q = on_line(first, second, d_second, bound);
  const Bool infinite = unpack(first, d_first).is_infinite || unpack(second, d_second).is_infinite;
  return infinite || q.beyond || abs(p - q.place) > bound;
}

}  // namespace

const Format& common_format(const Format& x, const Format& y) {
  if (x == y) return x;
  const bool wide = x == formats::f64 || y == formats::f64 || x.is_integer() || y.is_integer();
  return wide ? formats::f64 : formats::f32;
}

void require_one_kind(const Format& x, const Format& y) {
  if (x.is_integer() != y.is_integer()) {
    throw std::logic_error("an integer is compared with a floating-point number");
  }
}

Integer ordinal_at_most(const Format& format, const Rational& x) {
  if (x == 0) return 0;
  const int e = std::max(floor_log2(x), format.least_exponent());
  const int last = e - format.fraction_bits;
  const Integer n = last < 0 ? Integer((numerator(x) << u(-last)) / denominator(x))
                             : Integer(numerator(x) / (denominator(x) << u(last)));
  const Integer field = e - format.least_exponent();
  return std::min(Integer(n + power_of_two(u(format.fraction_bits)) * field),
                  Integer(format.largest_finite() + 1));
}

Int ordinal(const Format& format, Int pattern) {
  if (format.is_integer()) return integer_value(format, pattern);
  const Int magnitude =
      bits(pattern, u(format.ignored_low_bits), u(format.fraction_bits + format.exponent_bits));
  return format.has_sign ? negate_if(bit(pattern, u(format.sign_bit())), magnitude) : magnitude;
}

Bool differ(const Difference& difference, const Format& first, Int d_first, const Format& second,
            Int d_second) {
  const Format& common = common_format(first, second);
  const Int x = convert(first, d_first, common).pattern;
  const Int y = convert(second, d_second, common).pattern;
  const Unpacked ux = unpack(common, x);
  const Unpacked uy = unpack(common, y);
  const Bool some_nan = ux.is_nan || uy.is_nan;
  const Bool one_nan = ux.is_nan ^ uy.is_nan;
  const Bool values_differ = ordinal(common, x) != ordinal(common, y);

  // Two numbers with the same value and different signs are zeros.
  const Bool zeros_differ = difference.signed_zero && !values_differ && (ux.sign ^ uy.sign);

  std::vector<Bool> all{values_differ};
  if (difference.ulp) {
    all.push_back(ulp_exceed(first, d_first, second, d_second, *difference.ulp));
  }
  const Bool some_infinite = ux.is_infinite || uy.is_infinite;
  if (difference.absolute) {
    require_few_bits(*difference.absolute, "--abs");
    all.push_back(some_infinite || absolute_exceeds(common, x, y, *difference.absolute));
  }
  if (difference.relative) {
    require_few_bits(*difference.relative, "--rel");
    all.push_back(some_infinite || relative_exceeds(common, x, y, *difference.relative));
  }
  return one_nan || (!some_nan && (zeros_differ || all_of(all)));
}

}  // namespace mmaspec
