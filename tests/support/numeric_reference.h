#pragma once
/// A second implementation of number formats and their rounding, directly from the specifications,
/// as reference for tests. Shares no code with spec/formats: it has its own table of widths, and
/// uses doubles and rationals instead of bit fields.

#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "spec/formats/round.h"

namespace mmaspec::numeric {

using Rational = boost::multiprecision::cpp_rational;

/// The layout of a format as its specification prints it: an encoding without ignored bits.
struct Layout {
  std::string_view name;
  int exponent_bits;
  int fraction_bits;
  int bias;
  bool is_signed;
  int ignored_low_bits;
};
const Layout& layout(std::string_view name);

enum class Kind { number, infinity, nan };

/// The meaning of a pattern.
struct Meaning {
  Kind kind;
  bool negative;
  double magnitude;     ///< of numbers
  int exponent;         ///< for numbers: as in scientific notation, at least the exponent of
                        ///< subnormal numbers
  std::int64_t digits;  ///< magnitude = digits * 2^(exponent - fraction bits)
};
Meaning meaning(std::string_view name, std::uint64_t pattern);
/// The number; the sign included.
Rational value(std::string_view name, std::uint64_t pattern);

Rational exact(double x);
Rational two_to(int exponent);

/// Position of a magnitude among those of a format with unbounded largest exponent: at or above the
/// one with this index, counted from zero, and the fraction of the distance to the next one.
struct Place {
  enum Part { exactly, below_half, half, above_half };
  Integer index;
  Part part;
};
/// `kept`: number of fraction bits kept; -1: all.
Place place_of(std::string_view name, const Rational& magnitude, int kept = -1);

/// The same by searching a list of all magnitudes, for formats of at most 16 bits.
class Grid {
 public:
  explicit Grid(std::string_view name);
  Place place(const Rational& magnitude) const;
  const std::vector<Rational>& magnitudes() const { return magnitudes_; }

 private:
  std::vector<Rational> magnitudes_;  ///< all finite ones, and the one that would follow
};

/// IEEE 754-2019 sections 4.3 and 7.4: the pattern of a magnitude at `place` and a sign. `zero`:
/// the sign of an exact zero; `tiny_keeps_sign`: a number rounded to zero keeps its sign, otherwise
/// it gets the sign of `zero`.
struct Signs {
  bool sign;
  bool zero = false;
  bool tiny_keeps_sign = true;
};
Integer rounded(const Place& place, const Signs& signs, const ResultFormat& result);
/// The pattern of `x` rounded to the result's format. Zeros are positive.
Integer round_to(const ResultFormat& result, const Rational& x);

const std::vector<Rounding>& all_roundings();

/// The only generator, so that failures are repeatable.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  std::uint64_t bits(int count) { return count == 0 ? 0 : engine_() >> (64 - count); }
  int below(int bound) { return static_cast<int>(engine_() % static_cast<std::uint64_t>(bound)); }
  int between(int low, int high) { return low + below(high - low + 1); }
  bool coin() { return (engine_() & 1U) != 0; }

 private:
  std::mt19937_64 engine_;
};

}  // namespace mmaspec::numeric
