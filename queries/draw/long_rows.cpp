// Sampler's draws of many products, as in plans.

#include <algorithm>

#include "queries/draw/samples.h"

namespace mmaspec {

void Sampler::grow(const Draw& d) {
  // Products of one sign and one exponent, with the largest magnitudes of that exponent, or nearly.
  plain_scales();
  const auto nearly_full = [&](const Machine& m, int exponent, bool negative) {
    const std::uint64_t below =
        d.centre < 4 ? 0 : random() & (m.hidden - 1) & ((std::uint64_t{1} << d.spread) - 1);
    const std::uint64_t magnitude =
        static_cast<std::uint64_t>(exponent + m.bias) * m.hidden + (m.hidden - 1 - below);
    return allowed(m, (std::min(magnitude, m.largest_finite) | (negative ? m.sign : 0)) << m.low);
  };
  const auto exponent_in = [&](const Machine& m) {
    return std::clamp(between(-d.spread, d.spread), m.least, m.largest);
  };
  const int of_a = exponent_in(a_);
  const int of_b = exponent_in(b_);
  const bool negative = one_in(2);
  for (std::size_t k = 0; k < k_; ++k) {
    a(k) = nearly_full(a_, of_a, negative);
    b(k) = nearly_full(b_, of_b, false);
  }
  const int of_c = std::clamp(of_a + of_b + between(-2, d.spread), c_.least, c_.largest);
  c() = one_in(2) && c_.has_zero ? 0 : nearly_full(c_, of_c, one_in(4) != negative);
}

void Sampler::few_are_huge(const Draw& d) {
  // Huge products, at the ends of parts of the sum where instructions, promotions and splits end,
  // in pairs that cancel. The others are about half an ulp of them.
  plain_scales();
  const int huge = between(std::min(0, largest_product() - 2), largest_product() - 2);
  const int gap = d_.fraction + between(-4, 2);
  const bool negative = one_in(2);
  const bool alternates = one_in(4);
  for (std::size_t k = 0; k < k_; ++k) {
    set_product(k, huge - gap, negative != (alternates && k % 2 == 1));
  }
  c() = one_in(2) && c_.has_zero ? 0 : power(c_, huge, !negative);
  const std::size_t part = std::size_t{1} << (4 + below(4));
  bool minus = one_in(2);
  for (int pair = 0; pair < 1 + d.spread / 4; ++pair) {
    const std::size_t first = part * static_cast<std::size_t>(below(static_cast<int>(k_ / part)));
    for (const std::size_t k : {first, first + part - 1 - static_cast<std::size_t>(below(2))}) {
      set_product(k, huge - (pair == 0 ? 0 : below(3)), minus);
      minus = !minus;
    }
  }
}

bool Sampler::only_full_sums_lose_bits() const {
  const int bits = largest_product() + 2 - (least_product() - a_.fraction - b_.fraction);
  const int precision = d_.fraction + 1;
  return scales_ == 0 && bits + 2 <= precision && bits + ceil_log2_of_k() > precision;
}

void Sampler::fill_up() {
  // Products of one sign, all the largest except few that have low bits, and a c below these.
  const bool negative = one_in(2);
  for (std::size_t k = 0; k < k_; ++k) {
    a(k) = allowed(a_, (a_.largest_finite | (negative ? a_.sign : 0)) << a_.low);
    b(k) = allowed(b_, b_.largest_finite << b_.low);
  }
  const int few = 1 + below(2);
  for (int i = 0; i < few; ++i) {
    const auto k = static_cast<std::size_t>(below(formats_.k));
    a(k) = allowed(a_, number(a_, below(2), a_.fraction));
    b(k) = allowed(b_, number(b_, below(2), b_.fraction));
  }
  const int lowest = least_product() - a_.fraction - b_.fraction;
  c() = power(c_, lowest + between(-2, 3), one_in(2));
}

}  // namespace mmaspec
