// monotone-product on numbers.

#include "queries/counterexamples/bias.h"
#include "queries/counterexamples/counterexample.h"
#include "queries/theorems/known_design.h"

namespace mmaspec {
namespace {

class MonotoneProduct : public Counterexamples {
 public:
  bool violated(const Subject& s, int which, const std::vector<RunValues>& runs) const override {
    const auto k = static_cast<std::size_t>(which);
    const DotFormats& f = s.formats();
    if (decode(*f.d, runs[0].d).is_nan || decode(*f.d, runs[1].d).is_nan) return false;
    const auto product = [&](const DotValues& v) {
      return Rational(decode(*f.a, v.a[k]).value() * decode(*f.b, v.b[k]).value());
    };
    return product(runs[0].operands) <= product(runs[1].operands) &&
           ordinal(*f.d, runs[1].d) < ordinal(*f.d, runs[0].d);
  }
  void bias_sample(const Subject& s, int which, Candidate& candidate,
                   Random& random) const override {
    const auto k = static_cast<std::size_t>(which);
    const DotFormats& f = s.formats();
    if (are_integers(f)) return;
    if (random() % 4 == 0) return incline_to_cancellation(s, k, candidate, random);
    if (random() % 4 == 0) return incline_to_cancellation(s, k, candidate, random);
    if (random() % 4 == 0) return incline_to_cancellation(s, k, candidate, random);
    about_the_cut(f, candidate, k, random);
    if (random() % 3 == 0) return incline_to_subnormal(f, k, candidate, random);
    const bool negative = random() % 2 == 0;
    const int e = static_cast<int>(random() % 3);
    const auto number = [](const Format& format, int exponent, int eighths) {
      const int kept = std::max(format.fraction_bits - 3, 0);
      const Integer fraction = (Integer(eighths) << static_cast<unsigned>(kept)) >>
                               static_cast<unsigned>(std::max(3 - format.fraction_bits, 0));
      return Integer(
          ((Integer(exponent + format.bias) << static_cast<unsigned>(format.fraction_bits)) +
           fraction)
          << static_cast<unsigned>(format.ignored_low_bits));
    };
    if (random() % 4 != 0) {
      // 1.5 * 1.5 = 1.125 * 2, in either order.
      candidate.values.a[k] = number(*f.a, e, 4);
      candidate.values.b[k] = number(*f.b, 0, 4);
      candidate.extras["a'"] = number(*f.a, e, 1);
      candidate.extras["b'"] = number(*f.b, 1, 0);
      if (random() % 2 == 0) {
        std::swap(candidate.values.a[k], candidate.extras["a'"]);
        std::swap(candidate.values.b[k], candidate.extras["b'"]);
      }
    } else {
      candidate.extras["a'"] = number(*f.a, e + 1, 0);
      candidate.extras["b'"] = candidate.values.b[k];
    }
    if (!negative) return;
    candidate.values.a[k] = negated(*f.a, candidate.values.a[k]);
    candidate.extras["a'"] = negated(*f.a, candidate.extras["a'"]);
  }

 private:
  /// The factors of a product, and the exponent that it counts with.
  struct Spelling {
    Rational x;
    Rational y;
    int exponent;
  };

  /// Two products of the same value, one of which counts with a larger exponent; next to them the
  /// same number with the other sign, and terms that only the larger exponent cuts.
  static void incline_to_cancellation(const Subject& s, std::size_t k, Candidate& candidate,
                                      Random& random) {
    const DotFormats& f = s.formats();
    const std::optional<int> places = alignment_bits(s.first.algorithm);
    std::vector<Integer>& a = candidate.values.a;
    std::vector<Integer>& b = candidate.values.b;
    if (!places || a.size() < 2) return;
    const bool of_a = random() % 2 == 0;
    const Format& x = of_a ? *f.a : *f.b;
    const Format& y = of_a ? *f.b : *f.a;
    const auto drawn = [&](const Format& format, int below_largest) {
      const int most = format.largest_exponent() - below_largest;
      const int span = std::max(most - format.least_exponent() + 1, 1);
      return most - static_cast<int>(random() % static_cast<unsigned>(span));
    };
    Spelling low;
    Spelling high;
    if (random() % 2 == 0 && x.fraction_bits >= 3) {  // 1.5 * 1.5 = 1.125 * 2
      const int ex = drawn(x, 0);
      const int ey = drawn(y, 1);
      const Rational unit = rational_power_of_two(ex);
      low = {unit * Rational(3, 2), rational_power_of_two(ey) * Rational(3, 2), ex + ey};
      high = {unit * Rational(9, 8), rational_power_of_two(ey + 1), ex + ey + 1};
    } else {  // 2^least * 2^e = 2^(least - lost) * 2^(e + lost)
      if (!x.has_zero || x.fraction_bits == 0) return;
      const int least = x.least_exponent();
      const int lost = 1 + static_cast<int>(random() % static_cast<unsigned>(x.fraction_bits));
      const int e = drawn(y, lost);
      low = {rational_power_of_two(least), rational_power_of_two(e), least + e};
      high = {rational_power_of_two(least - lost), rational_power_of_two(e + lost),
              least + e + lost};
    }
    const auto set = [&](const Spelling& p, bool negative, Integer& to_a, Integer& to_b) {
      to_a = largest_at_most(*f.a, of_a ? p.x : p.y);
      to_b = largest_at_most(*f.b, of_a ? p.y : p.x);
      if (negative) to_a = negated(*f.a, to_a);
    };
    const int cut = high.exponent - *places - 1;
    const bool negative_rest = random() % 2 == 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      a[i] = b[i] = 0;
      if (random() % 4 != 0) set_product(f, candidate, i, cut, negative_rest, false, random);
    }
    const Integer c =
        random() % 2 == 0 ? Integer(0) : largest_at_most(*f.c, rational_power_of_two(cut));
    candidate.values.c = negative_rest ? negated(*f.c, c) : c;
    const bool negative = random() % 2 == 0;
    const bool low_first = random() % 2 == 0;
    set(low_first ? low : high, negative, a[k], b[k]);
    set(low_first ? high : low, negative, candidate.extras["a'"], candidate.extras["b'"]);
    const std::size_t other = k % 2 == 0 ? std::min(k + 1, a.size() - 1) : k - 1;
    if (other != k) set(low, !negative, a[other], b[other]);
    set_scales(f, candidate, 0);
  }

  /// One number as a product of two normal numbers, and as a product with a subnormal factor, which
  /// counts with a larger exponent than its value has; next to it a c that alignment cuts.
  static void incline_to_subnormal(const DotFormats& f, std::size_t k, Candidate& candidate,
                                   Random& random) {
    const int room = std::min(f.a->fraction_bits, f.b->largest_exponent() - f.b->least_exponent());
    if (!f.a->has_zero || room < 1) return;
    const int lost = 1 + static_cast<int>(random() % static_cast<unsigned>(room));
    const Integer tiny =
        power_of_two(static_cast<unsigned>(f.a->fraction_bits - lost + f.a->ignored_low_bits));
    // 2^(least - lost) * 2^(e + lost) and 2^least * 2^e.
    const int most = f.b->largest_exponent() - lost;
    const int e =
        f.b->least_exponent() +
        static_cast<int>(random() % static_cast<unsigned>(most - f.b->least_exponent() + 1));
    candidate.values.a[k] = tiny;
    candidate.values.b[k] = number_at(*f.b, e + lost, false, false, random);
    const Integer unit =
        power_of_two(static_cast<unsigned>(f.b->fraction_bits + f.b->ignored_low_bits));
    candidate.values.b[k] = candidate.values.b[k] / unit * unit;
    candidate.extras["a'"] = number_at(*f.a, f.a->least_exponent(), false, false, random);
    const Integer unit_a =
        power_of_two(static_cast<unsigned>(f.a->fraction_bits + f.a->ignored_low_bits));
    candidate.extras["a'"] = candidate.extras["a'"] / unit_a * unit_a;
    candidate.extras["b'"] = candidate.values.b[k] - Integer(lost) * unit;
    const bool negative = random() % 2 == 0;
    if (random() % 2 == 0) {
      std::swap(candidate.values.a[k], candidate.extras["a'"]);
      std::swap(candidate.values.b[k], candidate.extras["b'"]);
    }
    if (negative) {
      candidate.values.a[k] = negated(*f.a, candidate.values.a[k]);
      candidate.extras["a'"] = negated(*f.a, candidate.extras["a'"]);
    }
    const int product = f.a->least_exponent() + e;
    if (random() % 4 != 0) leave_one_product(candidate, k);
    candidate.values.c = number_at(*f.c, product - 8 - static_cast<int>(random() % 32),
                                   random() % 2 == 0, random() % 2 == 0, random);
    set_scales(f, candidate, 0);
  }
};

}  // namespace

std::unique_ptr<Counterexamples> counterexamples_of_monotone_product() {
  return std::make_unique<MonotoneProduct>();
}

}  // namespace mmaspec
