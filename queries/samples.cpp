#include "queries/samples.h"

#include <algorithm>

#include "spec/formats/text.h"

namespace mmaspec {
namespace {

unsigned u(int n) { return static_cast<unsigned>(n); }

bool is_subnormal(const Format& format, const Decoded& x) {
  return x.is_finite() && x.significand != 0 && format.has_zero &&
         x.significand < power_of_two(u(format.fraction_bits));
}

}  // namespace

Integer Sampler::bits(int count) {
  Integer value = 0;
  for (int done = 0; done < count; done += 32) value = (value << 32) + (random_() & 0xffffffffU);
  return value % power_of_two(u(count));
}

Integer Sampler::number(const Format& format, int field, int fraction_bits) {
  const int kept = std::clamp(fraction_bits, 0, format.fraction_bits);
  const Integer fraction = bits(kept) << u(format.fraction_bits - kept);
  Integer pattern =
      (Integer(std::clamp(field, 0, format.field_maximum())) << u(format.fraction_bits)) + fraction;
  pattern = std::min(pattern, format.largest_finite());
  if (format.has_sign && below(2) == 1) {
    pattern += power_of_two(u(format.fraction_bits + format.exponent_bits));
  }
  return pattern << u(format.ignored_low_bits);
}

Integer Sampler::allowed(const Format& format, Integer pattern) {
  const Decoded x = decode(format, pattern);
  const bool fits = inputs_ == InputClass::any ||
                    (x.is_finite() && (inputs_ == InputClass::finite || !is_subnormal(format, x)));
  return fits ? pattern
              : number(format, 1 + below(format.field_maximum() - 1), format.fraction_bits);
}

void Sampler::cancel(DotValues& values) {
  // Pairs of products that cancel but for what alignment cuts.
  for (std::size_t k = 1; k < values.a.size(); k += 2) {
    if (below(3) == 0) continue;
    values.a[k] = values.a[k - 1];
    values.b[k] = values.b[k - 1];
    if (formats_.a->has_sign) {
      const Integer sign = power_of_two(u(formats_.a->sign_bit()));
      values.a[k] = values.a[k] >= sign ? Integer(values.a[k] - sign) : Integer(values.a[k] + sign);
      values.a[k] = allowed(*formats_.a, values.a[k]);  // where -0 is a NaN, 0 has no negative
    }
  }
}

DotValues Sampler::next() {
  const unsigned kind = kind_++ % 8;
  const int spread = 1 + below(12);
  const auto field_of = [&](const Format& f, int centre_eighths) {
    const int top = f.field_maximum() - 1;
    switch (kind) {
      case 1:  // near each other, anywhere
      case 3:
      case 4:
        return std::clamp(top * centre_eighths / 8 + below(2 * spread + 1) - spread, 0, top);
      case 5:  // subnormal and least normal
        return below(3);
      case 6:  // zero beside huge
        return below(2) == 0 ? 0 : top - below(3);
      default:  // far apart
        return below(top + 1);
    }
  };
  const int centre = 1 + below(7);
  const auto one = [&](const Format& f) {
    if (kind == 0) return allowed(f, bits(f.storage_bits));
    if (kind == 7 && below(4) == 0 && inputs_ == InputClass::any && f.has_nan()) {
      return bits(f.storage_bits) |
             (Integer(f.field_maximum()) << u(f.fraction_bits + f.ignored_low_bits));
    }
    if (below(5) == 0 && f.has_zero) return Integer(0);
    // Powers of two, or few or all fraction bits.
    const int fraction = kind == 3 ? 0 : below(3) == 0 ? 2 : f.fraction_bits;
    return allowed(f, number(f, field_of(f, centre), fraction));
  };
  DotValues values;
  for (int k = 0; k < formats_.k; ++k) {
    values.a.push_back(one(*formats_.a));
    values.b.push_back(one(*formats_.b));
  }
  values.c = one(*formats_.c);
  for (int i = 0; i < formats_.scales(); ++i) {
    const auto scale = [&] {
      const Format& f = *formats_.scale;
      return kind % 2 == 0
                 ? allowed(f, bits(f.storage_bits))
                 : allowed(f, number(f, f.bias + below(2 * spread + 1) - spread, f.fraction_bits));
    };
    values.scale_a.push_back(scale());
    values.scale_b.push_back(scale());
  }
  if (kind == 4) cancel(values);
  if (kind == 2 && below(2) == 0) {
    // Few terms: what is left is easily read.
    for (std::size_t k = 2; k < values.a.size(); ++k) values.a[k] = 0;
  }
  return values;
}

}  // namespace mmaspec
