#pragma once
/// Bounds of an intermediate result, and what roundings and cuts make of them.

#include <algorithm>
#include <optional>

#include "spec/formats/round.h"
#include "spec/formats/text.h"

namespace mmaspec {

/// Bounds of an intermediate result x, which approximates the exact value s.
struct Partial {
  Rational size = 0;   ///< |x| <= size
  Rational below = 0;  ///< s - x <= below
  Rational above = 0;  ///< x - s <= above
  /// Of the bounds of the single errors whose sum x - s is, the squares' sum.
  Rational squares = 0;
  bool non_negative = true;  ///< x >= 0
  bool non_positive = true;  ///< x <= 0

  /// |x - s| is at most this.
  Rational error() const { return std::max(below, above); }
};

/// A number of any sign, or known signs, without an error.
Partial without_error(const Rational& size, bool non_negative = false, bool non_positive = false);

/// The sum, if it is exact.
Partial operator+(const Partial& x, const Partial& y);
/// The sum of so many numbers like x.
Partial operator*(int count, const Partial& x);
/// x times a number >= 0.
Partial scaled(const Partial& x, const Rational& factor);

/// Where an operation moves a number.
enum class Toward { zero, down, up, either };
Toward direction_of(Rounding rounding);

/// x, or its terms together, moved by at most `amount`, none of them by more than `each`, without
/// passing zero but for Toward::either.
Partial moved(Partial x, const Rational& amount, Toward direction, const Rational& each);
/// x itself moved by at most `amount`.
Partial moved(const Partial& x, const Rational& amount, Toward direction);
/// x or y: bounds of both.
Partial either_of(const Partial& x, const Partial& y);
/// What a cut to multiples of `unit` moves x by at most: toward zero no more than x itself.
Rational most_cut(const Partial& x, const Rational& unit, Toward direction);

/// The least n with x <= 2^n, x > 0.
int ceil_exponent(const Rational& x);

/// x rounded to the format. `cap`: |s| is at most this. Sets `may_overflow` if |x| may exceed the
/// format's largest number.
Partial rounded(Partial x, const ResultFormat& result, const std::optional<Rational>& cap,
                bool& may_overflow);

}  // namespace mmaspec
