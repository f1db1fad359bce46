#include "queries/draw/shrink.h"

#include <algorithm>

#include "spec/formats/text.h"
#include "util/unsigned.h"

namespace mmaspec {
namespace {

Integer one(const Format& f) { return Integer(f.bias) << u(f.fraction_bits + f.ignored_low_bits); }

/// Exponent field of a pattern.
int field(const Format& f, const Integer& pattern) {
  return static_cast<int>((pattern >> u(f.fraction_bits + f.ignored_low_bits)) &
                          Integer(f.field_maximum()));
}

/// How hard a number is to read: significant bits, sign, and how far it is from 1.
int cost(const Format& f, const Integer& pattern) {
  const Decoded x = decode(f, pattern);
  if (!x.is_finite()) return 200;
  if (x.significand == 0) return x.negative ? 1 : 0;
  const int significant =
      static_cast<int>(bit_length(x.significand) - trailing_zeros(x.significand));
  const int exponent = x.exponent + static_cast<int>(bit_length(x.significand)) - 1;
  return 100 + 20 * significant + std::abs(exponent) + (x.negative ? 5 : 0);
}

class Shrinker {
 public:
  Shrinker(const DotFormats& formats, DotValues values, const StillHolds& holds, int trials,
           const Deadline& deadline)
      : formats_(formats),
        best_(std::move(values)),
        holds_(holds),
        trials_(trials),
        deadline_(deadline) {
    cost_ = total_cost(best_);
  }

  DotValues run() {
    for (int before = cost_ + 1; cost_ < before && !is_over();) {
      before = cost_;
      drop_terms();
      simplify_operands();
      balance_products();
      scale_all();
      move_terms_forward();
    }
    return best_;
  }

 private:
  bool is_over() const { return trials_ <= 0 || deadline_.passed(); }

  int cost_of_product(const DotValues& v, std::size_t k) const {
    // Early terms read better.
    const int late = v.a[k] == 0 ? 0 : static_cast<int>(std::min<std::size_t>(k, 3));
    return cost(*formats_.a, v.a[k]) + cost(*formats_.b, v.b[k]) + late;
  }

  int cost_of_others(const DotValues& v) const {
    int sum = cost(*formats_.c, v.c);
    for (const Integer& s : v.scale_a) sum += cost(*formats_.scale, s);
    for (const Integer& s : v.scale_b) sum += cost(*formats_.scale, s);
    return sum;
  }

  int total_cost(const DotValues& v) const {
    int sum = cost_of_others(v);
    for (std::size_t k = 0; k < v.a.size(); ++k) sum += cost_of_product(v, k);
    return sum;
  }

  /// By which `v` costs more than the best. Of thousands of products a trial changes few.
  int added_cost(const DotValues& v) const {
    int sum = cost_of_others(v) - cost_of_others(best_);
    for (std::size_t k = 0; k < v.a.size(); ++k) {
      if (v.a[k] == best_.a[k] && v.b[k] == best_.b[k]) continue;
      sum += cost_of_product(v, k) - cost_of_product(best_, k);
    }
    return sum;
  }

  bool is_zero(std::size_t k) const { return best_.a[k] == 0 && best_.b[k] == 0; }

  /// Takes `v` if it is simpler and still holds.
  bool accept(const DotValues& v) {
    if (is_over()) return false;
    const int added = added_cost(v);
    if (added >= 0) return false;
    --trials_;
    if (!holds_(v)) return false;
    best_ = v;
    cost_ += added;
    return true;
  }

  void drop_terms() {
    for (std::size_t half = std::max<std::size_t>(best_.a.size() / 2, 1); half >= 1; half /= 2) {
      for (std::size_t first = 0; first < best_.a.size(); first += half) {
        const std::size_t last = std::min(first + half, best_.a.size());
        std::size_t some = first;
        while (some < last && is_zero(some)) ++some;
        if (some == last) continue;
        DotValues v = best_;
        for (std::size_t k = first; k < last; ++k) {
          v.a[k] = 0;
          v.b[k] = 0;
        }
        accept(v);
      }
    }
    DotValues v = best_;
    v.c = 0;
    accept(v);
  }

  void simplify_operands() {
    for (std::size_t k = 0; k < best_.a.size(); ++k) {
      simplify(*formats_.a, [k](DotValues& v) -> Integer& { return v.a[k]; });
      simplify(*formats_.b, [k](DotValues& v) -> Integer& { return v.b[k]; });
    }
    simplify(*formats_.c, [](DotValues& v) -> Integer& { return v.c; });
    for (std::size_t i = 0; i < best_.scale_a.size(); ++i) {
      simplify(*formats_.scale, [i](DotValues& v) -> Integer& { return v.scale_a[i]; });
      simplify(*formats_.scale, [i](DotValues& v) -> Integer& { return v.scale_b[i]; });
    }
  }

  template <typename Operand>
  void simplify(const Format& f, const Operand& operand) {
    const Integer original = operand(best_);
    if (original == 0) return;
    const auto attempt = [&](const Integer& pattern) {
      DotValues v = best_;
      operand(v) = pattern;
      return accept(v);
    };
    if (f.is_integer()) return simplify_integer(f, operand, attempt);
    attempt(f.has_zero ? Integer(0) : one(f));
    attempt(one(f));
    if (f.has_sign) {
      const Integer sign = power_of_two(u(f.sign_bit()));
      if (operand(best_) >= sign) attempt(operand(best_) - sign);
    }
    // Fraction bits: all, then from the lowest up; a carry into the exponent rounds up.
    const Integer step = power_of_two(u(f.ignored_low_bits));
    for (int kept = 0; kept < f.fraction_bits; ++kept) {
      const Integer unit = step << u(f.fraction_bits - kept);
      const Integer x = operand(best_);
      if (attempt(x - x % unit)) break;
      if (attempt(x - x % unit + unit)) break;
    }
    // Exponents nearer to that of 1.
    const Integer exponent_unit = step << u(f.fraction_bits);
    for (int distance = std::abs(field(f, operand(best_)) - f.bias); distance >= 1; distance /= 2) {
      const Integer x = operand(best_);
      const int e = field(f, x);
      if (e > f.bias) {
        attempt(x - exponent_unit * distance);
      } else {
        attempt(x + exponent_unit * distance);
      }
    }
  }

  /// Nearer to zero: by all, by all but a unit, by its lowest bits, and by less and less.
  template <typename Operand, typename Attempt>
  void simplify_integer(const Format& f, const Operand& operand, const Attempt& attempt) {
    const Integer modulus = power_of_two(u(f.storage_bits));
    const auto value = [&] { return numerator(decode(f, operand(best_)).value()); };
    const auto attempt_value = [&](const Integer& x) {
      return attempt(x < 0 ? Integer(x + modulus) : x);
    };
    if (attempt_value(0) || attempt_value(1) || attempt_value(value() < 0 ? -1 : 1)) return;
    if (value() < 0 && -value() <= f.largest_integer()) attempt_value(-value());
    for (Integer unit = modulus; unit > 1; unit /= 2) {
      const Integer x = value();
      const Integer rest = x % unit;  // of x's sign
      if (rest != 0 && attempt_value(x - rest)) break;
    }
    for (Integer step = abs(value()) / 2; step > 0; step /= 2) {
      const Integer x = value();
      attempt_value(x < 0 ? Integer(x + step) : Integer(x - step));
    }
  }

  /// a[k] * 2^s, b[k] * 2^-s: the product stays.
  void balance_products() {
    if (are_integers(formats_)) return;
    const Format& fa = *formats_.a;
    const Format& fb = *formats_.b;
    for (std::size_t k = 0; k < best_.a.size(); ++k) {
      if (is_zero(k)) continue;
      for (const int s :
           {field(fb, best_.b[k]) - fb.bias, fa.bias - field(fa, best_.a[k]), 1, -1}) {
        DotValues v = best_;
        if (scale(fa, v.a[k], s) && scale(fb, v.b[k], -s)) accept(v);
      }
      if (fa == fb) {
        DotValues v = best_;
        std::swap(v.a[k], v.b[k]);
        if (cost(fa, v.b[k]) < cost(fb, v.a[k])) continue;
        accept(v);
      }
    }
  }

  /// All products and c times 2^s.
  void scale_all() {
    if (are_integers(formats_)) return;
    for (int s = 64; s >= 1; s /= 2) {
      for (const int step : {s, -s}) {
        DotValues v = best_;
        bool possible = scale(*formats_.c, v.c, step);
        for (Integer& a : v.a) possible = possible && scale(*formats_.a, a, step);
        if (possible) accept(v);
      }
    }
  }

  void move_terms_forward() {
    for (std::size_t k = 1; k < best_.a.size(); ++k) {
      for (std::size_t to = 0; to < k && to < 4; ++to) {
        if (best_.a[k] == 0 || best_.a[to] != 0) continue;
        DotValues v = best_;
        std::swap(v.a[k], v.a[to]);
        std::swap(v.b[k], v.b[to]);
        if (accept(v)) break;
      }
    }
  }

  /// x * 2^s for a zero or a normal number that stays normal.
  static bool scale(const Format& f, Integer& x, int s) {
    const Decoded d = decode(f, x);
    if (!d.is_finite()) return false;
    if (d.significand == 0) return true;
    const int e = field(f, x);
    if (e == 0 || e + s < 1 || e + s >= f.field_maximum()) return false;
    x += Integer(s) * (Integer(1) << u(f.fraction_bits + f.ignored_low_bits));
    return true;
  }

  const DotFormats& formats_;
  DotValues best_;
  const StillHolds& holds_;
  int trials_;
  const Deadline deadline_;
  int cost_ = 0;
};

}  // namespace

DotValues shrink(const DotFormats& formats, DotValues values, const StillHolds& still_holds,
                 int trials, const Deadline& deadline) {
  return Shrinker(formats, std::move(values), still_holds, trials, deadline).run();
}

Integer shrink_one(const Format& format, const Integer& pattern,
                   const std::function<bool(const Integer&)>& still_holds,
                   const Deadline& deadline) {
  // A dot-add of no products is its c.
  const DotFormats formats{&format, &format, &format, &format, 0};
  const StillHolds holds = [&](const DotValues& v) { return still_holds(v.c); };
  return Shrinker(formats, {{}, {}, pattern, {}, {}}, holds, 2000, deadline).run().c;
}

}  // namespace mmaspec
