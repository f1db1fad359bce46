#pragma once
/// The patterns of a format in the order of their values, as machine integers: from the NaNs below
/// -infinity over -0 and +0 to those above infinity. Every pattern has a distinct ordinal, -0 and
/// NaNs included, unlike ordinal() of queries/numbers/difference.h, which orders numbers. The
/// ordinal of an integer is the integer.

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "spec/formats/format.h"

namespace mmaspec {

class Ordinals {
 public:
  explicit Ordinals(const Format& format)
      : low_(format.ignored_low_bits),
        magnitude_bits_(format.exponent_bits + format.fraction_bits),
        fraction_(format.fraction_bits),
        least_exponent_(format.least_exponent()),
        bias_(format.bias),
        has_sign_(format.has_sign),
        has_zero_(format.has_zero),
        twos_complement_(format.twos_complement),
        mask_((std::uint64_t{1} << magnitude_bits_) - 1),
        largest_finite_(format.largest_finite().convert_to<std::int64_t>()) {}

  /// Number of bits of a pattern that are not ignored.
  int used_bits() const { return magnitude_bits_ + (has_sign_ ? 1 : 0); }
  bool has_sign() const { return has_sign_; }
  /// The distance from a number to the one with twice its value.
  std::int64_t binade() const { return std::int64_t{1} << fraction_; }

  /// 0 is +0, or the least number of a format without zero; -1 is -0.
  std::int64_t of(std::uint64_t pattern) const {
    const auto magnitude = static_cast<std::int64_t>((pattern >> low_) & mask_);
    if (twos_complement_ && is_negative(pattern)) return magnitude - most() - 1;
    return is_negative(pattern) ? -1 - magnitude : magnitude;
  }
  std::uint64_t pattern(std::int64_t ordinal) const {
    if (twos_complement_) return static_cast<std::uint64_t>(ordinal) & (2 * mask_ + 1);
    const bool negative = ordinal < 0;
    const auto magnitude = static_cast<std::uint64_t>(negative ? -1 - ordinal : ordinal);
    return (magnitude | (negative ? mask_ + 1 : 0)) << low_;
  }
  std::int64_t least() const { return has_sign_ ? -1 - most() : 0; }
  std::int64_t most() const { return static_cast<std::int64_t>(mask_); }
  /// The ordinals of the finite numbers of largest magnitude.
  std::int64_t largest_finite() const { return largest_finite_; }
  std::int64_t least_finite() const { return has_sign_ ? -1 - largest_finite_ : 0; }

  /// The value of a finite number's ordinal, exact within the limits of a double.
  double value(std::int64_t ordinal) const {
    if (twos_complement_) return static_cast<double>(ordinal);
    const std::int64_t magnitude = ordinal < 0 ? -1 - ordinal : ordinal;
    const std::int64_t field = magnitude >> fraction_;
    const std::int64_t fraction = magnitude & (binade() - 1);
    const bool hidden = field != 0 || !has_zero_;
    const auto significand = static_cast<double>(fraction + (hidden ? binade() : 0));
    const auto exponent = hidden ? static_cast<int>(field) - bias_ : least_exponent_;
    const double x = std::ldexp(significand, exponent - fraction_);
    return ordinal < 0 ? -x : x;
  }
  /// The ordinal of x rounded toward zero, at most the largest number. x must not be NaN. For a
  /// format without sign, negative x give the least number.
  std::int64_t toward_zero(double x) const {
    const bool negative = std::signbit(x);
    const double size = negative ? -x : x;
    std::int64_t magnitude = 0;
    if (std::isinf(size)) {
      magnitude = largest_finite_;
    } else if (size > 0) {
      int exponent = 0;
      const double half = std::frexp(size, &exponent);  // 0.5 <= half < 1
      --exponent;
      if (exponent >= least_exponent_) {
        const auto digits = static_cast<std::int64_t>(std::ldexp(half, fraction_ + 1));
        const std::int64_t field = std::int64_t{exponent} + bias_;
        const std::int64_t top = (largest_finite_ >> fraction_) + 1;
        magnitude = std::min(field, top) * binade() + (digits - binade());
      } else if (has_zero_) {
        magnitude = static_cast<std::int64_t>(std::ldexp(size, fraction_ - least_exponent_));
      }
      magnitude = std::min(magnitude, largest_finite_);
    }
    if (!negative) return magnitude;
    if (twos_complement_) return size > value(largest_finite_) ? least() : -magnitude;
    return has_sign_ ? -1 - magnitude : 0;
  }

 private:
  bool is_negative(std::uint64_t pattern) const {
    return has_sign_ && ((pattern >> low_) & (mask_ + 1)) != 0;
  }

  int low_;
  int magnitude_bits_;
  int fraction_;
  int least_exponent_;
  int bias_;
  bool has_sign_;
  bool has_zero_;
  bool twos_complement_;
  std::uint64_t mask_;
  std::int64_t largest_finite_;
};

}  // namespace mmaspec
