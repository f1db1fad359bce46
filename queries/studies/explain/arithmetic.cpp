#include "queries/studies/explain/arithmetic.h"

#include <bit>
#include <cmath>
#include <stdexcept>

#include "spec/formats/text.h"
#include "spec/formats/unpack.h"

namespace mmaspec::explain {
namespace {

float f16_value(std::uint64_t pattern) {
  const auto sign = static_cast<std::uint32_t>(pattern >> 15 & 1) << 31;
  const auto field = static_cast<std::uint32_t>(pattern >> 10 & 0x1f);
  const auto fraction = static_cast<std::uint32_t>(pattern & 0x3ff);
  if (field == 0x1f) return std::bit_cast<float>(sign | 0x7f800000U | fraction << 13);
  if (field == 0) {
    const float magnitude = static_cast<float>(fraction) * 0x1p-24F;
    return sign == 0 ? magnitude : -magnitude;
  }
  return std::bit_cast<float>(sign | (field + 112) << 23 | fraction << 13);
}

/// Rounds to bf16, to nearest even; not for NaN.
std::uint64_t bf16_pattern(float number) {
  const auto x = std::bit_cast<std::uint32_t>(number);
  return (x + 0x7fffU + (x >> 16 & 1U)) >> 16;
}

}  // namespace

bool SumArithmetic::has(const Format& format) {
  return format == formats::f16 || format == formats::bf16 || format == formats::f32 ||
         format == formats::f64;
}

SumArithmetic::SumArithmetic(const Format& format)
    : kind_(format == formats::f16    ? Kind::f16
            : format == formats::bf16 ? Kind::bf16
            : format == formats::f32  ? Kind::f32
                                      : Kind::f64) {
  if (!has(format)) throw std::logic_error("no sums of " + std::string(format.name));
}

std::uint64_t SumArithmetic::add(std::uint64_t x, std::uint64_t y) const {
  switch (kind_) {
    case Kind::f32:
      return std::bit_cast<std::uint32_t>(std::bit_cast<float>(static_cast<std::uint32_t>(x)) +
                                          std::bit_cast<float>(static_cast<std::uint32_t>(y)));
    case Kind::f64:
      return std::bit_cast<std::uint64_t>(std::bit_cast<double>(x) + std::bit_cast<double>(y));
    // f32 has more than twice the bits plus two, so that rounding twice equals rounding once (S.
    // Figueroa, When is double rounding innocuous?, 1995).
    case Kind::f16:
      return rounded_pattern(formats::f16, f16_value(x) + f16_value(y));
    case Kind::bf16:
      return rounded_pattern(formats::bf16,
                             value_of(formats::bf16, x) + value_of(formats::bf16, y));
  }
  throw std::logic_error("no such format of sums");
}

float value_of(const Format& format, std::uint64_t pattern) {
  if (format == formats::f16) return f16_value(pattern);
  const auto x = static_cast<std::uint32_t>(pattern);
  return std::bit_cast<float>(format == formats::bf16 ? x << 16 : x);
}

std::uint64_t rounded_pattern(const Format& format, double number) {
  const auto nan = [&] { return quiet_nan(format).convert_to<std::uint64_t>(); };
  if (std::isnan(number)) return nan();
  if (format == formats::f32) {
    return std::bit_cast<std::uint32_t>(static_cast<float>(number));
  }
  if (format == formats::bf16 && static_cast<double>(static_cast<float>(number)) == number) {
    return bf16_pattern(static_cast<float>(number));
  }
  const std::uint64_t sign =
      std::signbit(number) ? std::uint64_t{1} << static_cast<unsigned>(format.sign_bit()) : 0;
  const auto beyond = [&] {
    return format.has_infinity() ? sign | format.first_non_finite().convert_to<std::uint64_t>()
                                 : nan();
  };
  const double magnitude = std::abs(number);
  if (std::isinf(magnitude)) return beyond();
  if (magnitude == 0) return sign;
  int exponent = 0;
  std::frexp(magnitude, &exponent);  // magnitude is in [2^(exponent - 1), 2^exponent)
  const int unit = std::max(exponent - 1, format.least_exponent()) - format.fraction_bits;
  const auto significand = static_cast<std::uint64_t>(std::nearbyint(std::ldexp(magnitude, -unit)));
  // The hidden bit, and a carry beyond it, add to the exponent field.
  const auto field = static_cast<std::uint64_t>(unit + format.fraction_bits + format.bias - 1);
  const std::uint64_t pattern =
      (field << static_cast<unsigned>(format.fraction_bits)) + significand;
  return pattern > format.largest_pattern() ? beyond() : sign | pattern;
}

bool is_nan(const Format& format, std::uint64_t pattern) {
  if (!format.has_nan()) return false;
  if (format == formats::f32) return (pattern & 0x7fffffff) > 0x7f800000;
  if (format == formats::f64) {
    return (pattern & 0x7fffffffffffffff) > std::uint64_t{0x7ff0000000000000};
  }
  if (format == formats::f16) return (pattern & 0x7fff) > 0x7c00;
  if (format == formats::bf16) return (pattern & 0x7fff) > 0x7f80;
  // Formats of fewer bits: by decoding.
  return decode(format, pattern).is_nan;
}

}  // namespace mmaspec::explain
