#pragma once
/// binary16 by the C library's arithmetic, for tests whose expected values must not use the
/// specifications.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace mmaspec {

/// The binary16 number nearest to x, ties to even; an infinity from 65520.
inline float nearest_half(float x) {
  if (!std::isfinite(x) || x == 0) return x;
  const int exponent = std::max(std::ilogb(x), -14);
  const float unit = std::ldexp(1.0F, exponent - 10);
  const float rounded = std::nearbyint(x / unit) * unit;
  return std::abs(rounded) > 65504 ? std::copysign(std::numeric_limits<float>::infinity(), x)
                                   : rounded;
}

/// The pattern of nearest_half(x).
inline std::uint16_t half_pattern(float x) {
  const float half = nearest_half(x);
  const unsigned sign = std::signbit(x) ? 0x8000U : 0U;
  if (std::isnan(half)) return static_cast<std::uint16_t>(sign | 0x7e00U);
  if (std::isinf(half)) return static_cast<std::uint16_t>(sign | 0x7c00U);
  const float size = std::abs(half);
  if (size < std::ldexp(1.0F, -14)) {
    return static_cast<std::uint16_t>(sign | static_cast<unsigned>(std::ldexp(size, 24)));
  }
  const int exponent = std::ilogb(size);
  const auto fraction = static_cast<unsigned>(std::ldexp(size, 10 - exponent)) - 1024U;
  return static_cast<std::uint16_t>(sign | static_cast<unsigned>(exponent + 15) << 10 | fraction);
}

}  // namespace mmaspec
