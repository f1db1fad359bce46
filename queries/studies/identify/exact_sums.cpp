#include "queries/studies/identify/exact_sums.h"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace mmaspec {
namespace {

int length_of(const Integer& x) { return x == 0 ? 0 : static_cast<int>(bit_length(x)); }

/// The pattern of (-1)^negative * significand * 2^unit, if the format holds it.
std::optional<Integer> pattern_of(const Format& f, bool negative, const Integer& significand,
                                  int unit) {
  if (significand == 0) return Integer(0);
  const int exponent = std::max(unit + length_of(significand) - 1, f.least_exponent());
  const int last = exponent - f.fraction_bits;
  Integer magnitude = significand;
  if (unit >= last) {
    magnitude <<= static_cast<unsigned>(unit - last);
  } else {
    magnitude >>= static_cast<unsigned>(last - unit);
    if ((magnitude << static_cast<unsigned>(last - unit)) != significand) return std::nullopt;
  }
  // A normal number's hidden bit increases its exponent field by one.
  magnitude += Integer(exponent - f.least_exponent()) << static_cast<unsigned>(f.fraction_bits);
  if (magnitude > f.largest_finite() || (negative && !f.has_sign)) return std::nullopt;
  Integer pattern = magnitude << static_cast<unsigned>(f.ignored_low_bits);
  if (negative) pattern |= power_of_two(static_cast<unsigned>(f.sign_bit()));
  return pattern;
}

struct Power {
  int exponent;
  bool negative;
};

/// A dot product that is filled term by term.
class Terms {
 public:
  Terms(const DotFormats& f, SplitMix& random) : f_(f), random_(random) {
    const auto k = static_cast<std::size_t>(f.k);
    values_ = {std::vector<Integer>(k, 0), std::vector<Integer>(k, 0), 0, {}, {}};
    for (std::size_t i = 0; i < k; ++i) free_.push_back(i);
    for (std::size_t i = k; i > 1; --i) std::swap(free_[i - 1], free_[random.index(i)]);
    if (f.scale == nullptr) return;
    const int low = std::max(f.scale->least_exponent(), -60);
    const int high = std::min(f.scale->largest_exponent(), 60);
    const auto draw = [&] { return random.one_in(2) ? 0 : random.between(low, high); };
    const int of_a = draw();
    const int of_b = draw();
    const auto count = static_cast<std::size_t>(f.scales());
    values_.scale_a.assign(count, pattern_of(*f.scale, false, 1, of_a).value_or(0));
    values_.scale_b.assign(count, pattern_of(*f.scale, false, 1, of_b).value_or(0));
    scale_ = of_a + of_b;
  }

  const DotValues& values() const { return values_; }

  /// From now on c does not change.
  void leave_c() { may_use_c_ = false; }

  /// Adds it to c if c can hold it.
  void add_to_c(Power x) {
    if (!to_c(x)) add(x);
  }

  /// Adds a power of two in a random way, if one is found.
  void add(Power x) {
    for (int tries = 0; tries < 6; ++tries) {
      switch (random_.below(6)) {
        case 0:
          if (to_c(x)) return;
          break;
        case 1:
          if (equal_products(x, 1 + random_.below(4))) return;
          break;
        case 2:
          if (two_products(x)) return;
          break;
        case 3:
          if (ones_and_rest(x)) return;
          break;
        case 4:
          if (difference(x)) return;
          break;
        default:
          if (product(x.negative, 1, 1, x.exponent)) return;
          break;
      }
    }
  }

  /// Several equal products, as many as possible at most.
  void crowd(Power x) {
    const int count = random_.below(static_cast<int>(free_.size()) + 1);
    for (int i = 0; i < count; ++i) product(x.negative, 1, 1, x.exponent);
  }

  /// A product with several one bits, which may be at least 2 times the power of its exponents, or
  /// several such products.
  void add_wide(Power x) {
    const auto odd = [&](const Format& f) {
      const int bits = random_.below(std::min(f.fraction_bits, 10) + 1);
      return (Integer(1) << static_cast<unsigned>(bits)) |
             (Integer(random_()) & ((Integer(1) << static_cast<unsigned>(bits)) - 1)) | 1;
    };
    const Integer a = odd(*f_.a);
    const Integer b = odd(*f_.b);
    const int most = std::max(static_cast<int>(free_.size()) - 1, 1);
    const int count = random_.one_in(2) ? 1 : 1 + random_.below(most);
    x.exponent -= length_of(a) + length_of(b) - 2 + (length_of(count) - 1);
    for (int i = 0; i < count; ++i) product(x.negative, a, b, x.exponent);
  }

 private:
  bool to_c(Power x) {
    if (!may_use_c_) return false;
    const int unit = std::min(c_unit_, x.exponent);
    Integer sum = c_ << static_cast<unsigned>(c_ == 0 ? 0 : c_unit_ - unit);
    const Integer added = Integer(1) << static_cast<unsigned>(x.exponent - unit);
    sum += x.negative ? Integer(-added) : added;
    const auto pattern = pattern_of(*f_.c, sum < 0, abs(sum), unit);
    if (!pattern) return false;
    values_.c = *pattern;
    c_ = sum;
    c_unit_ = unit;
    return true;
  }

  /// (-1)^negative * a * b * 2^unit.
  bool product(bool negative, const Integer& a, const Integer& b, int unit) {
    if (free_.empty()) return false;
    unit -= scale_;
    // The exponents of a's leading bit for which b's exponent is in its range.
    const auto highest = [](const Format& f) { return f.largest_exponent(); };
    const auto lowest = [](const Format& f) { return f.least_exponent() - f.fraction_bits; };
    const int both = unit + length_of(a) + length_of(b) - 2;
    const int low = std::max(lowest(*f_.a), both - highest(*f_.b));
    const int high = std::min(highest(*f_.a), both - lowest(*f_.b));
    if (low > high) return false;
    for (int tries = 0; tries < 4; ++tries) {
      const int unit_a = random_.between(low, high) - length_of(a) + 1;
      const auto x = pattern_of(*f_.a, negative, a, unit_a);
      const auto y = pattern_of(*f_.b, false, b, unit - unit_a);
      if (!x || !y) continue;
      values_.a[free_.back()] = *x;
      values_.b[free_.back()] = *y;
      free_.pop_back();
      return true;
    }
    return false;
  }

  bool equal_products(Power x, int log2_count) {
    if (free_.size() < std::size_t{1} << static_cast<unsigned>(log2_count)) return false;
    for (int i = 0; i < 1 << log2_count; ++i) {
      if (!product(x.negative, 1, 1, x.exponent - log2_count)) return i > 0;
    }
    return true;
  }

  /// One product of many bits, and another one with the remainder.
  bool two_products(Power x) {
    const int bits_a = f_.a->fraction_bits + 1;
    const int bits_b = f_.b->fraction_bits + 1;
    if (free_.size() < 2 || bits_a + bits_b > 48 || bits_a < 2 || bits_b < 2) return false;
    const auto draw = [&](int bits) {
      const std::uint64_t leading = std::uint64_t{1} << static_cast<unsigned>(bits - 1);
      return leading | (random_() & (leading - 1)) | 1;
    };
    const auto power = static_cast<unsigned>(random_.below(bits_a + bits_b + 1));
    const std::uint64_t target = std::uint64_t{1} << power;
    constexpr int kTries = 200;
    std::uint64_t a = 0, b = 0;
    for (int i = 0; i < kTries; ++i) {
      if (i % 50 == 0) {
        a = draw(1 + random_.below(bits_a));
        b = draw(bits_b);
      }
      // a * b + rest or a * b - rest is the power of two.
      const std::uint64_t first = a * b;
      const std::uint64_t rest = first < target ? target - first : first - target;
      const std::uint64_t factor = draw(1 + random_.below(bits_a));
      if (rest == 0 || rest % factor != 0) continue;
      std::uint64_t other = rest / factor;
      int shift = 0;
      for (; other % 2 == 0; other /= 2) ++shift;
      if (other >> static_cast<unsigned>(bits_b) != 0) continue;
      const int unit = x.exponent - static_cast<int>(power);
      if (!product(x.negative, a, b, unit)) return false;
      return product(first < target ? x.negative : !x.negative, factor, other, unit + shift);
    }
    return false;
  }

  /// (2^n - 1) / 2^n of it in one product, and the remainder in another.
  bool ones_and_rest(Power x) {
    if (free_.size() < 2) return false;
    const int n = 1 + random_.below(f_.a->fraction_bits + 1);
    const Integer ones = (Integer(1) << static_cast<unsigned>(n)) - 1;
    if (!product(x.negative, ones, 1, x.exponent - n)) return false;
    const Power rest{x.exponent - n, x.negative};
    return two_products(rest) || to_c(rest) || product(rest.negative, 1, 1, rest.exponent);
  }

  /// Twice the number, minus the number.
  bool difference(Power x) {
    if (free_.empty() || !to_c({x.exponent + 1, x.negative})) return false;
    return product(!x.negative, 1, 1, x.exponent);
  }

  const DotFormats& f_;
  SplitMix& random_;
  DotValues values_;
  std::vector<std::size_t> free_;  ///< indices of products that are zero
  Integer c_ = 0;                  ///< in units of 2^c_unit_
  int c_unit_ = 0;
  bool may_use_c_ = true;
  int scale_ = 0;  ///< the exponent of a product's scale factors
};

int mostly_one_of(const std::vector<int>& all, SplitMix& random, int another) {
  return all.empty() || random.one_in(3) ? another : all[random.index(all.size())];
}

}  // namespace

DotValues exact_sum(const DotFormats& f, const FittingBits& fitting, SplitMix& random) {
  const int d_bits = f.d->fraction_bits;
  const int kept = mostly_one_of(fitting.kept, random, random.below(d_bits + 1));
  const int cut = mostly_one_of(fitting.cut, random, kept + 1 + random.below(d_bits + 8));
  Terms terms(f, random);
  // The leading bit: anywhere, or at d's least normal number, or near the largest.
  const int least = f.d->least_exponent();
  const int largest = f.d->largest_exponent();
  int top = random.between(std::max(least, -40), std::min(largest, 40));
  if (random.one_in(3)) top = least + random.between(-3, 3);
  if (random.one_in(6)) top = largest - random.below(3);
  const bool negative = random.one_in(2);
  if (random.one_in(4)) {
    // Only two powers of two, near one of d's limits.
    if (random.one_in(2)) terms.leave_c();
    top = random.one_in(4) ? largest + 1 : least + random.between(-2, 1);
    terms.add({top, negative});
    const int below = random.one_in(2) ? kept + 1 + random.below(3) : cut + random.between(-3, 3);
    const bool adds = random.one_in(3);
    terms.add({top - std::max(below, 0), adds ? negative : !negative});
    return terms.values();
  }
  const bool wide = random.one_in(3);
  if (wide) {
    terms.add_wide({top, negative});
  } else {
    terms.add({top, negative});
  }
  const bool in_c = random.one_in(3);
  const auto add = [&](int exponent, bool sign) {
    in_c ? terms.add_to_c({exponent, sign}) : terms.add({exponent, sign});
  };
  if (random.one_in(3)) add(top - kept, negative);
  if (!random.one_in(3)) {
    const int half = top - kept - (wide && random.one_in(2) ? 0 : 1);
    add(half, random.one_in(2));
  }
  const int near_cut = cut + (random.one_in(2) ? random.between(-1, 1) : random.between(-4, 4));
  const int far = random.one_in(3) ? kept + 2 + random.below(d_bits + 8) : near_cut;
  if (!random.one_in(6)) add(top - std::max(far, 0), random.one_in(2));
  if (random.one_in(6)) add(top - std::max(far, 0) - random.below(4), random.one_in(2));
  if (random.one_in(4)) terms.crowd({top - near_cut + random.below(3), random.one_in(2)});
  return terms.values();
}

}  // namespace mmaspec
