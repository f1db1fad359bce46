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

/// Readability cost of a number: significant bits, sign, and distance from 1.
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
  using Attempt = std::function<bool(const Integer& pattern)>;

  bool is_over() const { return trials_ <= 0 || deadline_.passed(); }

  int cost_of_product(const DotValues& v, std::size_t k) const {
    // Earlier terms are easier to read.
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

  bool is_zero(std::size_t k) const { return best_.a[k] == 0 && best_.b[k] == 0; }

  /// A new value for an operand of `best_`. `k`: the product; kOther: none.
  struct Change {
    std::size_t k;
    Integer* operand;
    Integer pattern;
  };
  static constexpr std::size_t kOther = ~std::size_t{0};

  /// The cost of the operands that the changes affect; changes of one product must be adjacent.
  int cost_of(const std::vector<Change>& changes) const {
    int sum = 0;
    bool others = false;
    for (std::size_t i = 0; i < changes.size(); ++i) {
      if (changes[i].k == kOther) {
        others = true;
      } else if (i == 0 || changes[i - 1].k != changes[i].k) {
        sum += cost_of_product(best_, changes[i].k);
      }
    }
    return others ? sum + cost_of_others(best_) : sum;
  }

  /// Applies the changes if the operands are then simpler and still a witness. Changes `best_` in
  /// place, which avoids copying thousands of operands.
  bool accept(std::vector<Change> changes) {
    if (is_over()) return false;
    const auto exchange = [&] {
      for (Change& c : changes) std::swap(*c.operand, c.pattern);
    };
    const int before = cost_of(changes);
    exchange();
    const int added = cost_of(changes) - before;
    if (added < 0) {
      --trials_;
      if (holds_(best_)) {
        cost_ += added;
        return true;
      }
    }
    exchange();
    return false;
  }

  void drop_terms() {
    for (std::size_t half = std::max<std::size_t>(best_.a.size() / 2, 1); half >= 1; half /= 2) {
      for (std::size_t first = 0; first < best_.a.size(); first += half) {
        const std::size_t last = std::min(first + half, best_.a.size());
        std::size_t some = first;
        while (some < last && is_zero(some)) ++some;
        if (some == last) continue;
        std::vector<Change> zeros;
        for (std::size_t k = some; k < last; ++k) {
          zeros.push_back({k, &best_.a[k], 0});
          zeros.push_back({k, &best_.b[k], 0});
        }
        accept(std::move(zeros));
      }
    }
    accept({{kOther, &best_.c, 0}});
  }

  void simplify_operands() {
    for (std::size_t k = 0; k < best_.a.size() && !is_over(); ++k) {
      simplify(*formats_.a, best_.a[k], k);
      simplify(*formats_.b, best_.b[k], k);
    }
    simplify(*formats_.c, best_.c, kOther);
    for (std::size_t i = 0; i < best_.scale_a.size() && !is_over(); ++i) {
      simplify(*formats_.scale, best_.scale_a[i], kOther);
      simplify(*formats_.scale, best_.scale_b[i], kOther);
    }
  }

  void simplify(const Format& f, Integer& operand, std::size_t product) {
    if (operand == 0) return;
    const Attempt attempt = [&](const Integer& pattern) {
      return accept({{product, &operand, pattern}});
    };
    if (f.is_integer()) return simplify_integer(f, operand, attempt);
    attempt(f.has_zero ? Integer(0) : one(f));
    attempt(one(f));
    if (f.has_sign) {
      const Integer sign = power_of_two(u(f.sign_bit()));
      if (operand >= sign) attempt(operand - sign);
    }
    // Fraction bits: clear all, then from the lowest up; a carry into the exponent rounds up.
    const Integer step = power_of_two(u(f.ignored_low_bits));
    for (int kept = 0; kept < f.fraction_bits; ++kept) {
      const Integer unit = step << u(f.fraction_bits - kept);
      const Integer x = operand;
      if (attempt(x - x % unit)) break;
      if (attempt(x - x % unit + unit)) break;
    }
    // Moves exponents toward that of 1.
    const Integer exponent_unit = step << u(f.fraction_bits);
    for (int distance = std::abs(field(f, operand) - f.bias); distance >= 1; distance /= 2) {
      const Integer x = operand;
      const int e = field(f, x);
      if (e > f.bias) {
        attempt(x - exponent_unit * distance);
      } else {
        attempt(x + exponent_unit * distance);
      }
    }
  }

  /// Moves toward zero: to zero, to a unit, by removing low bits, and by smaller and smaller steps.
  void simplify_integer(const Format& f, const Integer& operand, const Attempt& attempt) {
    const Integer modulus = power_of_two(u(f.storage_bits));
    const auto value = [&] { return numerator(decode(f, operand).value()); };
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

  /// a[k] * 2^s, b[k] * 2^-s: the product does not change.
  void balance_products() {
    if (formats_.a->is_integer()) return;
    const Format& fa = *formats_.a;
    const Format& fb = *formats_.b;
    for (std::size_t k = 0; k < best_.a.size() && !is_over(); ++k) {
      if (is_zero(k)) continue;
      Integer& a = best_.a[k];
      Integer& b = best_.b[k];
      for (const int s : {field(fb, b) - fb.bias, fa.bias - field(fa, a), 1, -1}) {
        Integer scaled_a = a;
        Integer scaled_b = b;
        if (scale(fa, scaled_a, s) && scale(fb, scaled_b, -s)) {
          accept({{k, &a, scaled_a}, {k, &b, scaled_b}});
        }
      }
      if (fa == fb && cost(fa, a) >= cost(fb, b)) accept({{k, &a, b}, {k, &b, a}});
    }
  }

  /// Multiplies all products and c by 2^s.
  void scale_all() {
    if (formats_.a->is_integer()) return;
    for (int s = 64; s >= 1 && !is_over(); s /= 2) {
      for (const int step : {s, -s}) {
        std::vector<Change> changes{{kOther, &best_.c, best_.c}};
        bool possible = scale(*formats_.c, changes[0].pattern, step);
        for (std::size_t k = 0; possible && k < best_.a.size(); ++k) {
          changes.push_back({k, &best_.a[k], best_.a[k]});
          possible = scale(*formats_.a, changes.back().pattern, step);
        }
        if (possible) accept(std::move(changes));
      }
    }
  }

  void move_terms_forward() {
    for (std::size_t k = 1; k < best_.a.size() && !is_over(); ++k) {
      for (std::size_t to = 0; to < k && to < 4; ++to) {
        Integer& from_a = best_.a[k];
        Integer& from_b = best_.b[k];
        Integer& to_a = best_.a[to];
        Integer& to_b = best_.b[to];
        if (from_a == 0 || to_a != 0) continue;
        if (accept({{k, &from_a, to_a},
                    {k, &from_b, to_b},
                    {to, &to_a, from_a},
                    {to, &to_b, from_b}})) {
          break;
        }
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
  // A dot-add without products returns its c.
  const DotFormats formats{&format, &format, &format, &format, 0};
  const StillHolds holds = [&](const DotValues& v) { return still_holds(v.c); };
  return Shrinker(formats, {{}, {}, pattern, {}, {}}, holds, 2000, deadline).run().c;
}

}  // namespace mmaspec
