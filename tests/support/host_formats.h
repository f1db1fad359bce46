#pragma once
/// Formats according to their standards, and drawn operands: for tests that compute an instruction
/// in the host's arithmetic, without the specification.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "spec/formats/format.h"

namespace mmaspec {

/// A format according to its standard.
struct Layout {
  std::string name;
  int bits;
  int exponent_bits;
  int fraction_bits;
  int bias;
  enum { ieee, one_nan, finite } specials;
};

inline const Layout& layout_of(const Format& format) {
  static const std::vector<Layout> all = {
      {"f64", 64, 11, 52, 1023, Layout::ieee}, {"f32", 32, 8, 23, 127, Layout::ieee},
      {"f16", 16, 5, 10, 15, Layout::ieee},    {"bf16", 16, 8, 7, 127, Layout::ieee},
      {"e4m3", 8, 4, 3, 7, Layout::one_nan},   {"e5m2", 8, 5, 2, 15, Layout::ieee},
      {"e3m2", 6, 3, 2, 3, Layout::finite},    {"e2m3", 6, 2, 3, 1, Layout::finite},
      {"e2m1", 4, 2, 1, 1, Layout::finite}};
  for (const Layout& l : all) {
    if (l.name == format.name) return l;
  }
  throw std::logic_error("no layout of " + std::string(format.name));
}

inline double value_of(const Layout& l, std::uint64_t pattern) {
  const std::uint64_t fraction = pattern & ((std::uint64_t{1} << l.fraction_bits) - 1);
  const std::uint64_t all = (std::uint64_t{1} << l.exponent_bits) - 1;
  const std::uint64_t exponent = (pattern >> l.fraction_bits) & all;
  const double sign = ((pattern >> (l.bits - 1)) & 1) != 0 ? -1.0 : 1.0;
  if (l.specials == Layout::ieee && exponent == all) {
    return fraction == 0 ? sign * std::numeric_limits<double>::infinity()
                         : std::numeric_limits<double>::quiet_NaN();
  }
  if (l.specials == Layout::one_nan && exponent == all && fraction == 7) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  const auto significand =
      static_cast<double>(fraction + (exponent == 0 ? 0 : std::uint64_t{1} << l.fraction_bits));
  const int field = static_cast<int>(exponent == 0 ? 1 : exponent);
  return sign * std::ldexp(significand, field - l.bias - l.fraction_bits);
}

/// Patterns of three kinds of inputs: any bits; exponents near the bias; many zeros.
class Draw {
 public:
  explicit Draw(unsigned seed) : random_(seed) {}

  std::uint64_t pattern(const Layout& l, int kind) {
    const std::uint64_t bits = random_() >> (64 - l.bits);
    if (kind == 0) return bits;
    if (kind == 2 && random_() % 4 != 0) return 0;
    const int reach = std::min(l.bias, 6);
    const auto exponent = static_cast<std::uint64_t>(
        l.bias - reach / 2 + static_cast<int>(random_() % static_cast<unsigned>(reach + 1)));
    const std::uint64_t fields = ((std::uint64_t{1} << l.exponent_bits) - 1) << l.fraction_bits;
    return (bits & ~fields) | (exponent << l.fraction_bits);
  }
  int scale(int kind) {
    return static_cast<int>(kind == 0 ? random_() % 256 : 117 + random_() % 20);
  }

 private:
  std::mt19937_64 random_;
};

}  // namespace mmaspec
