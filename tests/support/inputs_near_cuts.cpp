#include "tests/support/inputs_near_cuts.h"

#include <algorithm>

namespace mmaspec {
namespace {

unsigned u(int n) { return static_cast<unsigned>(n); }
std::size_t at(int n) { return static_cast<std::size_t>(n); }

}  // namespace

DotValues InputsNearCuts::next() {
  DotValues v;
  const int k = f_.k;
  v.a.resize(at(k), 0);
  v.b.resize(at(k), 0);
  const bool any = below(4) == 0;
  const int top = exponent_of(*f_.a) + exponent_of(*f_.b);
  const int gap = places_ - 2 + below(5);
  for (int i = 0; i < k; ++i) {
    if (any) {
      v.a[at(i)] = number(*f_.a);
      v.b[at(i)] = number(*f_.b);
      continue;
    }
    const int e = top - (below(3) == 0 ? below(3) : gap);
    const int least = f_.a->least_exponent();
    const int span = std::max(f_.a->largest_exponent() - least + 1, 1);
    const int ea = below(2) == 0 ? least + below(span) : e / 2;
    v.a[at(i)] = number_at(*f_.a, ea);
    v.b[at(i)] = number_at(*f_.b, e - ea);
    if (below(6) == 0) (below(2) == 0 ? v.a : v.b)[at(i)] = 0;
  }
  switch (below(5)) {
    case 0:
      v.c = 0;
      break;
    case 1:
      v.c = number(*f_.c);
      break;
    case 2:
      v.c = number_at(*f_.c, f_.c->largest_exponent());
      break;
    default:
      v.c = number_at(*f_.c, top - (below(2) == 0 ? below(4) - 2 : gap));
  }
  for (int i = 0; i < f_.scales(); ++i) {
    const int middle = f_.scale->bias;
    const auto scale = [&] {
      const int field = below(4) == 0
                            ? below(f_.scale->field_maximum())
                            : std::clamp(middle + below(9) - 4, 0, f_.scale->field_maximum() - 1);
      const int fraction = below(1 << f_.scale->fraction_bits);
      return Integer((Integer(field) << u(f_.scale->fraction_bits)) + fraction);
    };
    v.scale_a.push_back(scale());
    v.scale_b.push_back(scale());
  }
  return v;
}

Integer InputsNearCuts::number(const Format& f) {
  switch (below(4)) {
    case 0:
      return below(2) == 0 ? Integer(0) : with_sign(f, 0);
    case 1:
      return with_sign(f, Integer(random_()) % power_of_two(u(f.fraction_bits)));  // subnormal
    default:
      return number_at(f, exponent_of(f));
  }
}

Integer InputsNearCuts::number_at(const Format& f, int exponent) {
  const Integer hidden = power_of_two(u(f.fraction_bits));
  Integer fraction = 0;
  switch (below(4)) {
    case 0:
      fraction = hidden - 1;
      break;
    case 1:
      fraction = Integer(random_()) % hidden;
      break;
    case 2:
      fraction = below(2) == 0 ? Integer(1 % hidden) : Integer(hidden / 2);
      break;
    default:
      break;
  }
  const int e = std::clamp(exponent, f.least_exponent(), f.largest_exponent());
  Integer magnitude = std::min(Integer((e + f.bias) * hidden + fraction), f.largest_finite());
  if (exponent < f.least_exponent()) {  // a subnormal power of two
    const int bit = f.fraction_bits - (f.least_exponent() - exponent);
    magnitude = bit >= 0 ? power_of_two(u(bit)) : Integer(1);
  }
  return with_sign(f, magnitude);
}

int InputsNearCuts::below(int n) { return static_cast<int>(random_() % u(n)); }

int InputsNearCuts::exponent_of(const Format& f) {
  return f.least_exponent() + below(f.largest_exponent() - f.least_exponent() + 1);
}

Integer InputsNearCuts::with_sign(const Format& f, const Integer& magnitude) {
  const Integer pattern = magnitude << u(f.ignored_low_bits);
  const bool negative = below(2) == 0;
  if (f.specials == Specials::nan_minus_zero && magnitude == 0) return pattern;
  return negative ? Integer(pattern + power_of_two(u(f.sign_bit()))) : pattern;
}

}  // namespace mmaspec
