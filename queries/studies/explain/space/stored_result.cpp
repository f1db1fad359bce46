#include "queries/studies/explain/space/stored_result.h"

#include <bit>
#include <cmath>

namespace mmaspec::explain {
namespace {

float f32_of(std::uint64_t pattern) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(pattern));
}
std::uint64_t pattern_of(float x) { return std::bit_cast<std::uint32_t>(x); }

/// Exact in f64, then rounded once.
float f32_product(float x, float y) {
  return static_cast<float>(static_cast<double>(x) * static_cast<double>(y));
}

}  // namespace

StoredResult::StoredResult(const PreparedUnit& unit)
    : sums_(*unit.unit->formats.d), beta_(unit.beta) {
  if (SumArithmetic::has(sums_)) arithmetic_.emplace(sums_);
}

std::uint64_t StoredResult::scaled(const Finish& f, std::uint64_t sum, std::uint64_t c,
                                   const std::vector<std::uint32_t>& factors) const {
  const bool adds_c = f.joins == Joins::last;
  if (factors.empty() && beta_ == kUnscaled) return adds_c ? arithmetic_->add(sum, c) : sum;
  float x = f32_of(sum);
  for (std::size_t i = 0; i < factors.size(); ++i) {
    const bool is_last = i + 1 == factors.size();
    if (is_last && adds_c && f.fma) {
      return pattern_of(std::fma(f32_of(factors[i]), x, f32_product(f32_of(beta_), f32_of(c))));
    }
    x = f32_product(f32_of(factors[i]), x);
  }
  return pattern_of(adds_c ? x + f32_product(f32_of(beta_), f32_of(c)) : x);
}

std::uint64_t StoredResult::stored(const Finish& f, std::uint64_t sum) const {
  if (*f.out == sums_) return sum;
  const float x = value_of(sums_, sum);
  const std::uint64_t pattern = rounded_pattern(*f.out, static_cast<double>(x));
  const std::uint64_t largest = f.out->largest_pattern();
  const auto sign = std::uint64_t{1} << static_cast<unsigned>(f.out->sign_bit());
  const bool overflows = std::isfinite(x) && (pattern & (sign - 1)) > largest;
  return f.saturate && overflows ? largest | (std::signbit(x) ? sign : 0) : pattern;
}

std::uint64_t StoredResult::operator()(const Finish& f, std::uint64_t sum, std::uint64_t c,
                                       const std::vector<std::uint32_t>& factors) const {
  const std::uint64_t d = stored(f, scaled(f, sum, c, factors));
  if (f.joins != Joins::after) return d;
  return stored(f, pattern_of(value_of(*f.out, d) + value_of(sums_, c)));
}

}  // namespace mmaspec::explain
