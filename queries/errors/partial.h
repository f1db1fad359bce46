#pragma once
/// Bounds of an intermediate result, and how roundings and cuts change them.

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
  /// The sum of the squares of the bounds of the single errors whose sum is x - s.
  Rational squares = 0;
  bool non_negative = true;  ///< x >= 0
  bool non_positive = true;  ///< x <= 0

  /// An upper bound of |x - s|.
  Rational error() const { return std::max(below, above); }
};

/// A number without an error, of any sign or of the given sign.
Partial without_error(const Rational& size, bool non_negative = false, bool non_positive = false);

/// The exact sum.
Partial operator+(const Partial& x, const Partial& y);
/// The sum of `count` numbers with the bounds of x.
Partial operator*(int count, const Partial& x);
/// x times a number >= 0.
Partial scaled(const Partial& x, const Rational& factor);

/// The direction in which an operation moves a number.
enum class Toward { zero, down, up, either };
Toward direction_of(Rounding rounding);

/// x, or its terms together, moved by at most `amount` in total, and each of them by at most
/// `each`. Unless the direction is Toward::either, no number crosses zero.
Partial moved(Partial x, const Rational& amount, Toward direction, const Rational& each);
/// x itself moved by at most `amount`.
Partial moved(const Partial& x, const Rational& amount, Toward direction);
/// Bounds that hold for both x and y.
Partial either_of(const Partial& x, const Partial& y);
/// The largest amount by which a cut to multiples of `unit` moves x. Toward zero it is at most |x|.
Rational most_cut(const Partial& x, const Rational& unit, Toward direction);

/// The least n with x <= 2^n, x > 0.
int ceil_exponent(const Rational& x);

/// x rounded to the format. `cap`: an upper bound of |s|. Sets `may_overflow` if |x| may exceed the
/// format's largest number.
Partial rounded(Partial x, const ResultFormat& result, const std::optional<Rational>& cap,
                bool& may_overflow);

}  // namespace mmaspec
