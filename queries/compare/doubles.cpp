#include "queries/compare/doubles.h"

#include <cmath>
#include <limits>

#include "spec/formats/text.h"

namespace mmaspec {
namespace {

constexpr int kTableBits = 16;

double exactly(const Format& format, const Integer& pattern) {
  const Decoded x = decode(format, pattern);
  if (x.is_nan) return std::numeric_limits<double>::quiet_NaN();
  const double sign = x.negative ? -1.0 : 1.0;
  if (x.is_infinite) return sign * std::numeric_limits<double>::infinity();
  return sign * std::ldexp(x.significand.convert_to<double>(), x.exponent);
}

}  // namespace

Doubles::Doubles(const Format& format) : format_(format) {
  if (format.storage_bits > kTableBits) {
    if (format.has_nan()) {
      first_non_finite_ = format.first_non_finite().convert_to<std::uint64_t>();
    }
    return;
  }
  for (std::uint64_t p = 0; p < std::uint64_t{1} << format.storage_bits; ++p) {
    table_.push_back(exactly(format, p));
  }
}

double Doubles::decoded(std::uint64_t pattern) const {
  const auto width = static_cast<unsigned>(format_.exponent_bits + format_.fraction_bits);
  const std::uint64_t x = pattern >> format_.ignored_low_bits;
  const std::uint64_t magnitude = x & ((std::uint64_t{1} << width) - 1);
  if (magnitude >= first_non_finite_) return exactly(format_, pattern);
  const auto fraction_bits = static_cast<unsigned>(format_.fraction_bits);
  const std::uint64_t field = magnitude >> fraction_bits;
  std::uint64_t significand = magnitude & ((std::uint64_t{1} << fraction_bits) - 1);
  if (field > 0 || !format_.has_zero) significand |= std::uint64_t{1} << fraction_bits;
  const int exponent = static_cast<int>(field > 0 || !format_.has_zero ? field : 1) - format_.bias -
                       format_.fraction_bits;
  const double size = std::ldexp(static_cast<double>(significand), exponent);
  return format_.has_sign && ((x >> width) & 1) != 0 ? -size : size;
}

}  // namespace mmaspec
