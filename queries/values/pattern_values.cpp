#include "queries/values/pattern_values.h"

#include <bit>
#include <cmath>
#include <limits>

namespace mmaspec {
namespace {

constexpr int kTableBits = 16;

}  // namespace

PatternValues::PatternValues(const Format& format) : format_(&format), ordinals_(format) {
  if (format.storage_bits > kTableBits) return;
  table_.resize(std::size_t{1} << static_cast<unsigned>(format.storage_bits));
  for (std::size_t p = 0; p < table_.size(); ++p) table_[p] = decoded(p);
}

double PatternValues::operator()(std::uint64_t pattern) const {
  return table_.empty() ? decoded(pattern) : table_[pattern];
}

double PatternValues::decoded(std::uint64_t pattern) const {
  const std::int64_t ordinal = ordinals_.of(pattern);
  const std::int64_t magnitude = ordinal < 0 ? -1 - ordinal : ordinal;
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  if (format_->specials == Specials::nan_minus_zero) {
    return ordinal == -1 ? kNan : ordinals_.value(ordinal);
  }
  if (magnitude <= ordinals_.largest_finite()) return ordinals_.value(ordinal);
  if (!format_->has_infinity() || magnitude > ordinals_.largest_finite() + 1) return kNan;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return ordinal < 0 ? -kInfinity : kInfinity;
}

bool PatternValues::is_subnormal(std::uint64_t pattern) const {
  const double x = std::abs((*this)(pattern));
  return format_->has_zero && x > 0 && x < std::ldexp(1.0, format_->least_exponent());
}

std::int64_t PatternValues::place(std::uint64_t pattern) const {
  const std::int64_t ordinal = ordinals_.of(pattern);
  return ordinal < 0 ? ordinal + 1 : ordinal;
}

int PatternValues::least_power() const {
  return format_->least_exponent() - (format_->has_zero ? format_->fraction_bits : 0);
}

double PatternValues::ulp(double x) const {
  const int exponent = x == 0 ? format_->least_exponent() : std::ilogb(x);
  return std::ldexp(1.0, std::max(exponent, format_->least_exponent()) - format_->fraction_bits);
}

}  // namespace mmaspec
