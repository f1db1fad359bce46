// Sampler's draws of products with block scale factors.

#include <algorithm>

#include "queries/draw/samples.h"

namespace mmaspec {

int Sampler::scale_all_by(int exponent) {
  const auto held = [&](int x) { return std::clamp(x, scale_.least, scale_.largest); };
  const int of_a = held(exponent / 2 + between(-20, 20));
  const int of_b = held(exponent - of_a);
  for (std::size_t i = 0; i < scales_; ++i) {
    values_[2 * k_ + 1 + i] = power(scale_, of_a, false);
    values_[2 * k_ + 1 + scales_ + i] = power(scale_, of_b, false);
  }
  return of_a + of_b;
}

void Sampler::scaled_to_subnormal() {
  // The result depends on what a floor of the largest exponent, or a zero that counts, cuts from
  // products that scale factors move to the least numbers of d.
  const int least = d_.least - d_.fraction;
  if (one_in(2)) {
    // Many products that each lose a little: their sum without the cuts passes a number of d. Odd
    // products are always cut.
    const std::uint64_t odd_a = one_in(2) ? std::uint64_t{1} << a_.low : 0;
    const std::uint64_t odd_b = one_in(2) ? std::uint64_t{1} << b_.low : 0;
    for (std::size_t k = 0; k < k_; ++k) {
      a(k) = allowed(a_, (random() & a_.storage) | odd_a);
      b(k) = allowed(b_, (random() & b_.storage) | odd_b);
    }
    const int last_bit = least_product() - a_.fraction - b_.fraction;
    scale_all_by(least - below(12) - (one_in(2) ? last_bit : 0));
    c() = one_in(2) ? 0 : power(c_, between(least, d_.least + 2), one_in(2));
    return;
  }
  // Few products, and smaller ones.
  clear_products();
  const int leading = least + below(one_in(2) ? 3 : d_.fraction + 4);
  const int scaled = leading - scale_all_by(leading - between(least_product(), largest_product()));
  c() = one_in(2) ? 0 : power(c_, between(least, d_.least + 2), one_in(2));
  set_product(0, scaled, one_in(2));
  const std::size_t terms = std::min<std::size_t>(k_, 2 + static_cast<std::size_t>(below(3)));
  for (std::size_t k = 1; k < terms; ++k) {
    set_product(k, scaled - below(30), one_in(2));
  }
}

}  // namespace mmaspec
