#include "queries/studies/identify/structured_rows.h"

#include <algorithm>
#include <array>

#include "queries/draw/samples.h"
#include "queries/studies/identify/exact_sums.h"
#include "queries/studies/identify/space/numbers.h"

namespace mmaspec {
namespace {

/// Sets product i to about +-2^exponent.
void set_product(const DotFormats& f, SplitMix& random, DotValues& values, std::size_t i,
                 int exponent, bool negative, bool plain) {
  Numbers a(*f.a, random);
  Numbers b(*f.b, random);
  int low = std::max(b.lowest(), exponent - a.largest());
  int high = std::min(b.largest(), exponent - a.lowest());
  // Half of the time, with normal factors, so that the product's exponent is the sum of theirs.
  const int low_normal = std::max(low, b.least());
  const int high_normal = std::min(high, exponent - a.least());
  if (low_normal <= high_normal && random.one_in(2)) {
    low = low_normal;
    high = high_normal;
  }
  const int of_b =
      low <= high ? random.between(low, high) : std::clamp(exponent / 2, b.lowest(), b.largest());
  values.a[i] = a.at(exponent - of_b, negative, plain);
  values.b[i] = b.at(of_b, false, plain);
}

Integer largest_number(const Format& format) {
  return format.largest_finite() << static_cast<unsigned>(format.ignored_low_bits);
}

/// All products zero, c zero, scale factors one.
DotValues zeros(const DotFormats& f) {
  const auto k = static_cast<std::size_t>(f.k);
  DotValues values{std::vector<Integer>(k, 0), std::vector<Integer>(k, 0), 0, {}, {}};
  if (f.scale == nullptr) return values;
  const Integer one = Integer(f.scale->bias) << static_cast<unsigned>(f.scale->fraction_bits);
  values.scale_a.assign(static_cast<std::size_t>(f.scales()), one);
  values.scale_b = values.scale_a;
  return values;
}

/// Large terms that cancel, or nearly, next to terms that are smaller and smaller: a sum in a
/// longer format loses some of them, and an exact sum does not.
DotValues far_apart(const DotFormats& f, SplitMix& random) {
  const Numbers a(*f.a, random);
  const Numbers b(*f.b, random);
  Numbers c(*f.c, random);
  const auto k = static_cast<std::size_t>(f.k);
  DotValues values = zeros(f);
  const int low = a.lowest() + b.lowest();
  const int high = a.largest() + b.largest();
  const int top = random.between(std::max(low, high - 8), high);
  for (std::size_t i = 0; i < k; ++i) {
    const int below = random.below(std::max(1, std::min(top - low, 140)));
    set_product(f, random, values, i, top - below, random.one_in(2), random.one_in(2));
    if (random.one_in(6)) values.a[i] = 0;
  }
  if (c.largest() > top + 8 && random.one_in(2)) {
    // c is far larger than the products.
    const int e = random.between(top, std::min(c.largest(), top + 140));
    values.c = c.at(e, random.one_in(2), random.one_in(2));
    return values;
  }
  const std::size_t i = random.index(k);
  set_product(f, random, values, i, top, false, true);
  const std::size_t j = random.index(k);
  if (j != i) set_product(f, random, values, j, top, true, true);  // cancels exactly or nearly
  values.c = c.at(top - random.below(140), random.one_in(2), random.one_in(2));
  return values;
}

/// Half a unit of d or a whole one, normal or subnormal, and a much smaller term that determines
/// the rounding.
DotValues broken_tie(const DotFormats& f, SplitMix& random) {
  const Numbers a(*f.a, random);
  const Numbers b(*f.b, random);
  Numbers c(*f.c, random);
  DotValues values = zeros(f);
  const auto k = static_cast<std::size_t>(f.k);
  const int least = f.d->least_exponent();
  const int high = std::min(a.largest() + b.largest(), f.d->largest_exponent());
  const bool subnormal = random.one_in(2);
  const int exponent =
      subnormal ? least : random.between(std::max(least, -40), std::max(high, -39));
  const int half = exponent - f.d->fraction_bits - random.below(2);
  if (!subnormal || random.one_in(2)) {
    values.c = c.at(exponent - (subnormal ? random.below(f.d->fraction_bits) : 0), random.one_in(2),
                    random.one_in(2));
  }
  const std::size_t i = random.index(k);
  set_product(f, random, values, i, half, random.one_in(2), true);
  if (k > 1) {
    const std::size_t j = (i + 1 + random.index(k - 1)) % k;
    const int room = std::clamp(half - 1 - a.lowest() - b.lowest(), 1, 60);
    const int below = half - 1 - random.below(room);
    // Alone, or with another term that cancels most of it.
    const bool pair = k > 2 && random.one_in(2);
    const bool negative = random.one_in(2);
    set_product(f, random, values, j, below, negative, !pair);
    const std::size_t other = (j + 1) % k;
    if (pair && other != i) set_product(f, random, values, other, below, !negative, false);
  }
  return values;
}

/// Products of similar magnitude near a limit of d's format: all are cut at the same bit, and if
/// their sum carries or cancels, the cut part of each matters.
DotValues crowded(const DotFormats& f, SplitMix& random) {
  const Numbers a(*f.a, random);
  const Numbers b(*f.b, random);
  Numbers c(*f.c, random);
  DotValues values = zeros(f);
  const int low = a.lowest() + b.lowest();
  const int high = a.largest() + b.largest();
  const int least = f.d->least_exponent();
  const std::array limits = {least, least - f.d->fraction_bits, f.d->largest_exponent(), 0, low,
                             high};
  const int about = limits[random.index(limits.size())] + random.between(-6, 6);
  const int spread = 1 << random.below(5);
  const int signs = random.below(3);  // all positive, all negative, mixed
  const bool all_plain = random.one_in(4);
  // Sums of halves, k mod 4 in {0, 1} and in {2, 3}: one of them is zero, or neither.
  const std::size_t left_out = random.index(6);
  for (std::size_t i = 0; i < static_cast<std::size_t>(f.k); ++i) {
    const int exponent = std::clamp(about - random.below(spread), low, high);
    set_product(f, random, values, i, exponent, signs == 1 || (signs == 2 && random.one_in(2)),
                all_plain || random.one_in(8));
    if ((!all_plain && random.one_in(8)) || i % 4 / 2 == left_out) values.a[i] = 0;
  }
  if (random.one_in(2)) {
    values.c = c.at(about + random.between(-8, 8), random.one_in(2), random.one_in(4));
  }
  return values;
}

void set_bit(const Format& format, Integer& pattern, int bit) {
  pattern |= power_of_two(static_cast<unsigned>(bit + format.ignored_low_bits));
}

/// Changes a power of two to the midpoint of two numbers with `kept` fraction bits, of which either
/// may be the even one.
void make_tie(const Format& format, SplitMix& random, Integer& pattern, int kept) {
  const int half = format.fraction_bits - kept - 1;
  if (half >= 0) set_bit(format, pattern, half);
  if (half >= -1 && half + 1 < format.fraction_bits && random.one_in(2))
    set_bit(format, pattern, half + 1);
}

/// Changes product i to the midpoint of two numbers with `kept` fraction bits, or with one fewer,
/// as a product of odd numbers with that many bits in total.
void make_tie_of_product(const DotFormats& f, SplitMix& random, DotValues& values, std::size_t i,
                         int exponent, int kept) {
  const int bits = kept + 2 + random.below(2);
  const int low = std::max(1, bits - f.b->fraction_bits - 1);
  const int high = std::min(f.a->fraction_bits + 1, bits - 1);
  set_product(f, random, values, i, exponent, random.one_in(2), true);
  if (low > high) return;
  const int of_a = random.between(low, high);
  const auto make_odd = [&](const Format& format, Integer& pattern, int count) {
    const int last = format.fraction_bits - (count - 1);
    if (count == 1) return;
    set_bit(format, pattern, last);
    for (int bit = last + 1; bit < format.fraction_bits; ++bit) {
      if (random.one_in(2)) set_bit(format, pattern, bit);
    }
  };
  make_odd(*f.a, values.a[i], of_a);
  make_odd(*f.b, values.b[i], bits - of_a);
}

/// Half of the time one of `all`, if there are any, otherwise `another`.
int one_of(const std::vector<int>& all, SplitMix& random, int another) {
  return all.empty() || random.one_in(2) ? another : all[random.index(all.size())];
}

/// c, or a product, half way between two numbers with fewer bits than d's format, or as many, and
/// much smaller terms: the result depends on what is cut of each term, and on how many are cut
/// together.
DotValues tie_of_few_bits(const DotFormats& f, const FittingBits& fitting, SplitMix& random) {
  const Numbers a(*f.a, random);
  const Numbers b(*f.b, random);
  Numbers c(*f.c, random);
  DotValues values = zeros(f);
  const int kept = one_of(fitting.kept, random, random.below(f.d->fraction_bits + 1));
  const int some_gap = kept + 1 + (random.one_in(3) ? 0 : random.below(f.d->fraction_bits + 20));
  const int gap = std::max(1, one_of(fitting.cut, random, some_gap) - random.below(3));
  const int low = a.lowest() + b.lowest();
  const int largest = a.largest() + b.largest();
  const int high = random.one_in(2) ? largest : std::min(largest, f.d->largest_exponent());
  const bool negative = random.one_in(2);
  if (random.one_in(2)) {
    // Many small terms below c, or a few.
    const int about =
        random.between(std::min(low, c.largest() - gap), std::min(high, c.largest() - gap));
    values.c = c.at(about + gap, random.one_in(2), true);
    make_tie(*f.c, random, values.c, kept);
    const int others = 2 << random.below(6);
    const int spread = 1 + random.below(3);
    const std::size_t some = random.one_in(2) ? values.a.size() : 1 + random.index(values.a.size());
    for (std::size_t i = 0; i < some; ++i) {
      set_product(f, random, values, i, about - random.below(spread),
                  negative != random.one_in(others), random.one_in(3));
    }
    return values;
  }
  // c or another product below a product, which may have the largest magnitude possible, or that of
  // d.
  const int top = random.one_in(2) ? high - random.below(4) : random.between(low, high);
  const std::size_t i = random.index(values.a.size());
  make_tie_of_product(f, random, values, i, top, kept);
  if (random.one_in(2)) values.c = c.at(top - gap, negative, random.one_in(2));
  const std::size_t j = random.index(values.a.size());
  if (j != i && random.one_in(2)) {
    set_product(f, random, values, j, top - gap, random.one_in(2), random.one_in(2));
  }
  const std::size_t last = random.index(values.a.size());
  if (last != i && last != j && random.one_in(2)) {
    const int below = one_of(fitting.cut, random, gap + 1 + random.below(40)) - random.below(3) + 1;
    set_product(f, random, values, last, top - below, random.one_in(2), random.one_in(2));
  }
  return values;
}

/// The largest products, which cancel, next to the least numbers or any: how wide a range a sum
/// covers.
DotValues cancelled_extremes(const DotFormats& f, SplitMix& random) {
  Numbers a(*f.a, random);
  Numbers b(*f.b, random);
  Numbers c(*f.c, random);
  DotValues values = zeros(f);
  const std::size_t k = values.a.size();
  const std::size_t i = random.index(k);
  const std::size_t j = random.index(k);
  for (std::size_t other = 0; other < k; ++other) {
    if (random.one_in(2)) continue;
    const int above = random.one_in(2) ? 0 : random.below(a.largest() - a.lowest());
    values.a[other] = a.at(a.lowest() + above + random.below(3), random.one_in(2), false);
    values.b[other] = b.at(b.lowest() + random.below(above > 0 ? 12 : 2), false, false);
  }
  const bool plain = random.one_in(2);
  const auto large = [&](Numbers& n, const Format& format) -> Integer {
    if (random.one_in(2)) return largest_number(format);
    return n.at(n.largest() - random.below(2), false, plain);
  };
  values.a[i] = large(a, *f.a);
  values.b[i] = large(b, *f.b);
  values.a[j] = values.a[i];
  if (f.a->has_sign) values.a[j] |= power_of_two(static_cast<unsigned>(f.a->sign_bit()));
  values.b[j] = values.b[i];
  if (random.one_in(4)) values.c = c.at(c.lowest() + random.below(3), random.one_in(2), false);
  return values;
}

/// A normal number with this exponent and significand, whose leading bit is at position
/// fraction_bits.
Integer normal(const Format& f, int exponent, std::uint64_t significand) {
  const Integer field = exponent - f.least_exponent() + 1;
  return (((field - 1) << static_cast<unsigned>(f.fraction_bits)) + significand)
         << static_cast<unsigned>(f.ignored_low_bits);
}

/// Two products that use all their bits and whose sum is a power of two, half a unit of c or less:
/// if they are cut before the addition, the sum is not a tie. Zeros if none are found.
DotValues tie_of_two_products(const DotFormats& f, const FittingBits& fitting, SplitMix& random) {
  DotValues values = zeros(f);
  const int bits_a = f.a->fraction_bits;
  const int bits_b = f.b->fraction_bits;
  if (f.k < 2 || bits_a + bits_b > 48 || bits_a < 2 || bits_b < 2) return values;
  const auto draw = [&random](int bits) {
    return (std::uint64_t{1} << bits) | (random() & ((std::uint64_t{1} << bits) - 1)) | 1;
  };
  constexpr int kTries = 400;
  const int power = random.between(bits_a + bits_b - 8, bits_a + bits_b - 1);
  std::uint64_t first_a = 0, first_b = 0, second_a = 0, second_b = 0;
  for (int i = 0; i < kTries && second_b == 0; ++i) {
    if (i % 100 == 0) {
      first_a = draw(bits_a);
      first_b = draw(bits_b);
    }
    const std::uint64_t rest = first_a * first_b - (std::uint64_t{1} << std::max(power, 0));
    second_a = draw(bits_a);
    if (rest % second_a == 0 && rest / second_a >> bits_b == 1) second_b = rest / second_a;
  }
  if (second_b == 0) return values;
  const auto middle = [&](const Format& x) {
    const int half = (x.largest_exponent() - x.least_exponent()) / 4;
    return random.between(-half, half) + (x.largest_exponent() + x.least_exponent()) / 2;
  };
  const int exponent_a = std::max(middle(*f.a), f.a->least_exponent());
  int exponent_b = std::max(middle(*f.b), f.b->least_exponent());
  if (random.one_in(2)) {  // or near the last bits of d's least numbers
    exponent_b = std::clamp(f.d->least_exponent() - random.below(24) - exponent_a,
                            f.b->least_exponent(), f.b->largest_exponent() - 1);
  }
  const std::size_t i = random.index(values.a.size());
  const std::size_t j = (i + 1 + random.index(values.a.size() - 1)) % values.a.size();
  const bool negative = random.one_in(2);
  const auto signed_a = [&](std::uint64_t significand, bool minus) {
    const Integer pattern = normal(*f.a, exponent_a, significand);
    return minus && f.a->has_sign
               ? Integer(pattern | power_of_two(static_cast<unsigned>(f.a->sign_bit())))
               : pattern;
  };
  values.a[i] = signed_a(first_a, negative);
  values.b[i] = normal(*f.b, exponent_b, first_b);
  values.a[j] = signed_a(second_a, !negative);
  values.b[j] = normal(*f.b, exponent_b, second_b);
  // The sum is 2^(tie), half the last bit of c, or far below it.
  Numbers c(*f.c, random);
  const int tie = exponent_a + exponent_b - bits_a - bits_b + power;
  const int kept = one_of(fitting.kept, random, f.d->fraction_bits);
  const int above = 1 + kept + random.below(random.one_in(2) ? 1 : 4);
  values.c = c.at(std::max(tie + above, f.c->least_exponent()), random.one_in(2), false);
  return values;
}

/// Products of -0, all or some, and possibly c.
DotValues negative_zeros(const DotFormats& f, SplitMix& random) {
  Numbers a(*f.a, random);
  DotValues values = zeros(f);
  const bool all = random.one_in(2);
  for (Integer& x : values.a) {
    const int exponent = random.between(a.lowest(), a.largest());
    if (all || random.one_in(2)) x = a.at(exponent, true, true);
  }
  if (f.c->has_sign && (all || random.one_in(2))) {
    values.c = power_of_two(static_cast<unsigned>(f.c->sign_bit()));
  }
  return values;
}

/// Zero operands next to large ones, zero scale factors, and few other terms: how zeros count, and
/// how their signs are treated.
DotValues with_zeros(const DotFormats& f, SplitMix& random) {
  Numbers a(*f.a, random);
  Numbers b(*f.b, random);
  Numbers c(*f.c, random);
  DotValues values = zeros(f);
  const auto any = [&](Numbers& n, const Format& format) -> Integer {
    // A zero next to the largest number counts with the largest exponent.
    if (random.one_in(3)) return largest_number(format);
    const int exponent = random.one_in(2) ? n.largest() : random.between(n.lowest(), n.largest());
    return n.at(exponent, random.one_in(4), random.one_in(2));
  };
  if (random.one_in(4)) return negative_zeros(f, random);
  const bool all = random.one_in(2);
  for (std::size_t i = 0; i < static_cast<std::size_t>(f.k); ++i) {
    if (!all && random.one_in(4)) {
      const int low = a.lowest() + b.lowest();
      set_product(f, random, values, i, low + random.below(80), random.one_in(2), random.one_in(2));
    } else if (random.one_in(2)) {
      values.a[i] = any(a, *f.a);
    } else if (random.one_in(2)) {
      values.b[i] = any(b, *f.b);
    }
  }
  if (!random.one_in(4)) {
    const int exponent =
        random.one_in(2) ? c.lowest() + random.below(40) : random.between(c.lowest(), c.largest());
    values.c = c.at(exponent, random.one_in(2), random.one_in(2));
  }
  if (random.one_in(4)) {
    // A zero may count with so large an exponent that the last bit of c is cut, which decides a
    // tie.
    const int exponent = f.c->least_exponent() + random.below(random.one_in(2) ? 2 : 20);
    values.c = c.at(exponent, random.one_in(2), true);
    if (random.one_in(2)) {
      make_tie(*f.c, random, values.c, random.below(f.d->fraction_bits + 1));
    }
    if (f.c->fraction_bits > 0)
      set_bit(*f.c, values.c, random.below(std::min(4, f.c->fraction_bits)));
  }
  if (f.scale == nullptr) return values;
  Numbers scale(*f.scale, random);
  // With the largest scale factors zeros count most.
  const bool largest = random.one_in(3);
  for (auto* factors : {&values.scale_a, &values.scale_b}) {
    for (Integer& factor : *factors) {
      if (largest) {
        factor = largest_number(*f.scale);
      } else if (random.one_in(2)) {
        factor = random.one_in(2) ? Integer(0) : any(scale, *f.scale);
      }
    }
  }
  return values;
}

/// Products whose last bits are moved below d's least number by their scale factors: with many
/// small products and few large ones, a floor cuts what would reach that number in total.
DotValues scaled_below_least(const DotFormats& f, SplitMix& random) {
  Numbers a(*f.a, random);
  Numbers b(*f.b, random);
  Numbers scale(*f.scale, random);
  DotValues values = zeros(f);
  const int last = f.d->least_exponent() - f.d->fraction_bits - random.below(13);
  const int of_both = last - a.lowest() - b.lowest();
  const int of_a = of_both / 2 + random.between(-2, 2);
  const int negative = random.one_in(2) ? 1000 : 8;
  const int large = 1 + random.below(10);
  for (std::size_t i = 0; i < values.a.size(); ++i) {
    const bool is_large = random.one_in(large);
    values.a[i] = is_large ? largest_number(*f.a) : a.at(a.least() - random.below(2), false, false);
    values.b[i] = is_large ? largest_number(*f.b) : b.at(b.least() - random.below(2), false, false);
    if (f.a->has_sign && random.one_in(negative)) {
      values.a[i] |= power_of_two(static_cast<unsigned>(f.a->sign_bit()));
    }
  }
  std::fill(values.scale_a.begin(), values.scale_a.end(), scale.at(of_a, false, true));
  std::fill(values.scale_b.begin(), values.scale_b.end(), scale.at(of_both - of_a, false, true));
  return values;
}

/// A result near d's least normal number, which may be flushed to a zero of its sign, and then
/// products that are zeros of one sign.
DotValues zeros_after_tiny_result(const DotFormats& f, SplitMix& random) {
  Numbers a(*f.a, random);
  Numbers c(*f.c, random);
  DotValues values = zeros(f);
  const bool negative = random.one_in(2);
  for (Integer& x : values.a) x = a.at(random.between(a.lowest(), a.largest()), negative, true);
  const int least = f.d->least_exponent();
  values.c = c.at(least + random.below(2), random.one_in(2), random.one_in(2));
  const std::size_t i = random.index(values.a.size());
  set_product(f, random, values, i, least + random.between(-1, 1), random.one_in(2),
              random.one_in(2));
  return values;
}

/// Scaled products whose sum differs from d's least normal number by a term far below its last bit.
DotValues scaled_next_to_least(const DotFormats& f, SplitMix& random) {
  const Numbers a(*f.a, random);
  const Numbers b(*f.b, random);
  Numbers scale(*f.scale, random);
  DotValues values = zeros(f);
  const int low = a.lowest() + b.lowest();
  const int top = a.largest() + b.largest() - random.below(4);
  const std::size_t i = random.index(values.a.size());
  const std::size_t j = random.index(values.a.size());
  const bool negative = random.one_in(2);
  set_product(f, random, values, j, low + random.below(4), !negative, random.one_in(2));
  set_product(f, random, values, i, top, negative, true);
  const int of_both = f.d->least_exponent() - top;
  const int of_a = of_both / 2 + random.between(-2, 2);
  std::fill(values.scale_a.begin(), values.scale_a.end(), scale.at(of_a, false, true));
  std::fill(values.scale_b.begin(), values.scale_b.end(), scale.at(of_both - of_a, false, true));
  return values;
}

/// Products of patterns with the largest exponent field, whether or not these are numbers, that
/// cancel, next to the least numbers.
DotValues cancelled_largest_patterns(const DotFormats& f, SplitMix& random) {
  DotValues values = cancelled_extremes(f, random);
  const auto magnitude = [&random](const Format& format) {
    Integer pattern = Integer(format.field_maximum())
                      << static_cast<unsigned>(format.fraction_bits);
    pattern += random.below(1 << std::min(format.fraction_bits, 20));
    return Integer(pattern << static_cast<unsigned>(format.ignored_low_bits));
  };
  const std::size_t i = random.index(values.a.size());
  const std::size_t j = random.index(values.a.size());
  values.a[i] = magnitude(*f.a);
  values.b[i] = magnitude(*f.b);
  values.a[j] = values.a[i];
  if (f.a->has_sign) values.a[j] |= power_of_two(static_cast<unsigned>(f.a->sign_bit()));
  values.b[j] = values.b[i];
  return values;
}

/// Floating-point products in fixed point: c near a limit of its format or anywhere, products near
/// the last bit of d, many of which are halfway between its multiples, and large products.
DotValues sum_in_fixed_point(const DotFormats& f, SplitMix& random) {
  const Numbers a(*f.a, random);
  const Numbers b(*f.b, random);
  DotValues values = zeros(f);
  const auto bits = static_cast<unsigned>(f.c->storage_bits);
  const Integer limit = random.one_in(2) ? f.c->largest_integer() : f.c->least_integer();
  const int off = random.below(std::min(f.c->fraction_bits, 30) + 1);
  const Integer middle = power_of_two(static_cast<unsigned>(off)) * random.between(-4, 4);
  values.c = (random.one_in(2) ? Integer(limit - middle) : middle) % power_of_two(bits);
  if (values.c < 0) values.c += power_of_two(bits);
  const int low = a.lowest() + b.lowest();
  const int high = a.largest() + b.largest();
  const bool large = random.one_in(2);
  const int run = 1 << random.below(5);
  bool negative = random.one_in(2);
  for (std::size_t i = 0; i < values.a.size(); ++i) {
    if (random.one_in(run)) negative = !negative;
    if (random.one_in(6)) continue;
    const int about = large ? high - random.below(3) : 1 - f.d->point - random.below(4);
    set_product(f, random, values, i, std::clamp(about, low, high), negative, random.one_in(3));
  }
  return values;
}

/// Integers: c near a limit of its format, and sequences of large products of either sign, so that
/// the result depends on where sums saturate.
DotValues sum_near_a_limit(const DotFormats& f, SplitMix& random) {
  DotValues values = zeros(f);
  const auto pattern = [](const Format& format, const Integer& number) -> Integer {
    const Integer held = std::clamp(number, format.least_integer(), format.largest_integer());
    return held < 0 ? held + power_of_two(static_cast<unsigned>(format.storage_bits)) : held;
  };
  const Integer largest = f.a->largest_integer() * f.b->largest_integer();
  const Integer off = largest * random.between(-2, 2) + random.between(-3, 3);
  values.c =
      pattern(*f.c, (random.one_in(2) ? f.c->largest_integer() : f.c->least_integer()) + off);
  bool negative = random.one_in(2);
  const int run = 1 << random.below(5);
  for (std::size_t k = 0; k < values.a.size(); ++k) {
    if (random.one_in(run)) negative = !negative;
    values.a[k] = pattern(*f.a, negative ? f.a->least_integer() : f.a->largest_integer());
    values.b[k] = pattern(*f.b, f.b->largest_integer());
    if (random.one_in(8)) values.b[k] = pattern(*f.b, Integer(random.below(4)));
    if (negative && !f.a->twos_complement) values.b[k] = pattern(*f.b, f.b->least_integer());
  }
  return values;
}

}  // namespace

DotValues structured_row(const DotFormats& formats, SplitMix& random, const FittingBits& fitting) {
  if (are_integers(formats)) return sum_near_a_limit(formats, random);
  if (accumulate_in_fixed_point(formats)) return sum_in_fixed_point(formats, random);
  if (formats.scale != nullptr && random.one_in(3)) return scaled_below_least(formats, random);
  switch (random.below(9)) {
    case 0:
      return far_apart(formats, random);
    case 1:
      return broken_tie(formats, random);
    case 2:
      return crowded(formats, random);
    case 3:
      return tie_of_few_bits(formats, fitting, random);
    case 4:
      return cancelled_extremes(formats, random);
    case 5:
      return tie_of_two_products(formats, fitting, random);
    case 6:
    case 7:
      return exact_sum(formats, fitting, random);
    default:
      return with_zeros(formats, random);
  }
}

DotValues rare_row(const DotFormats& formats, SplitMix& random) {
  if (formats.d->is_integer()) return structured_row(formats, random);
  switch (random.below(formats.scale == nullptr ? 2 : 3)) {
    case 0:
      return zeros_after_tiny_result(formats, random);
    case 1:
      return cancelled_largest_patterns(formats, random);
    default:
      return scaled_next_to_least(formats, random);
  }
}

std::vector<DotValues> confirming_rows(const DotFormats& formats, std::size_t count,
                                       unsigned seed) {
  SplitMix random(seed + 77);
  Sampler any(formats, InputClass::any, seed + 78);
  Sampler finite(formats, InputClass::finite, seed + 79);
  std::vector<DotValues> all;
  for (std::size_t i = 0; i < count; ++i) {
    all.push_back(i % 4 == 0   ? structured_row(formats, random)
                  : i % 4 == 1 ? any.next()
                               : finite.next());
  }
  return all;
}

}  // namespace mmaspec
