// scale-invariant on numbers.

#include "queries/counterexamples/bias.h"
#include "queries/counterexamples/counterexample.h"
#include "util/unsigned.h"

namespace mmaspec {
namespace {

class ScaleInvariant : public Counterexamples {
 public:
  bool violated(const Subject& s, int which, const std::vector<RunValues>& runs) const override {
    const DotFormats& f = s.formats();
    for (const RunValues& r : runs) {
      const auto terms = exact_terms(f, r.operands);
      if (!terms || !zero_or_normal(*f.d, r.d)) return false;
      const bool zero =
          std::all_of(terms->begin(), terms->end(), [](const Rational& t) { return t == 0; });
      if (zero != (which == 1)) return false;
      for (const Rational& t : *terms) {
        if (t != 0 && !(in_range(*f.d, boost::multiprecision::abs(t)))) return false;
      }
    }
    return decode(*f.d, runs[1].d).value() != 2 * decode(*f.d, runs[0].d).value();
  }
  void bias_sample(const Subject& s, int which, Candidate& candidate,
                   Random& random) const override {
    if (which != 0) return;
    const DotFormats& f = s.formats();
    const int least = f.d->least_exponent();
    const bool negative = random() % 2 == 0;
    std::vector<Integer>& a = candidate.values.a;
    switch (random() % 4) {
      case 0: {  // an exact result just below 2^least, the sum of a product below 2^(least + 1) and
                 // -2^least
        leave_one_product(candidate, a.size());
        const std::size_t k = random() % a.size();
        const int low = std::max(f.a->least_exponent(), least + 1 - f.b->largest_exponent());
        const int high = std::min(f.a->largest_exponent() - 1, least - f.b->least_exponent());
        if (low > high || !is_exponent_of(*f.c, least)) return;
        a[k] = number_at(*f.a, std::clamp(least / 2, low, high), negative, false, random);
        candidate.values.b[k] = just_below(f, least, a[k]);
        candidate.values.c = pattern_of_power(*f.c, least, !negative);
        return;
      }
      case 1: {  // two products whose sum is subnormal, and a c that is not
        if (a.size() < 2) return;
        leave_one_product(candidate, a.size());
        const std::size_t k = random() % (a.size() / 2) * 2;
        const int exponent = std::max(least, f.a->least_exponent() + f.b->least_exponent());
        set_product(f, candidate, k, exponent, negative, false, random);
        set_product(f, candidate, k + 1, exponent, !negative, false, random);
        candidate.values.c = !is_exponent_of(*f.c, least) || random() % 2 == 0
                                 ? Integer(0)
                                 : pattern_of_power(*f.c, least, random() % 2 == 0);
        // Next to a much larger product of the next step.
        if (a.size() == 2 || random() % 2 == 0) return;
        const std::size_t next = (k + 2 + random() % (a.size() - 2)) % a.size();
        set_product(f, candidate, next, exponent + static_cast<int>(random() % 40),
                    random() % 2 == 0, false, random);
        if (random() % 2 != 0) return;
        const Integer unit = power_of_two(u(f.a->fraction_bits + f.a->ignored_low_bits));
        a[next] = a[next] / unit * unit;  // a power of two
        return;
      }
      case 2: {  // zeros with large other factors, next to a small c
        for (std::size_t k = 0; k < a.size(); ++k) {
          a[k] = 0;
          candidate.values.b[k] = number_at(*f.b, f.b->largest_exponent(), false, false, random);
        }
        const int exponent = least + static_cast<int>(random() % 8);
        candidate.values.c = random() % 2 == 0 && is_exponent_of(*f.c, exponent)
                                 ? pattern_of_power(*f.c, exponent, negative)
                                 : number_at(*f.c, exponent, negative, false, random);
        return;
      }
      default:
        return;
    }
  }

 private:
  static bool is_exponent_of(const Format& f, int exponent) {
    return exponent >= f.least_exponent() && exponent <= f.largest_exponent();
  }

  /// The largest number of b's format with |a * b| < 2^(exponent + 1), if it is normal.
  static Integer just_below(const DotFormats& f, int exponent, const Integer& a) {
    const Rational size = boost::multiprecision::abs(decode(*f.a, a).value());
    return neighbours(*f.b, rational_power_of_two(exponent + 1) / size).below;
  }

  static bool zero_or_normal(const Format& f, const Integer& pattern) {
    const Integer p = boost::multiprecision::abs(ordinal(f, pattern));
    return decode(f, pattern).is_finite() && (p == 0 || p >= power_of_two(u(f.fraction_bits)));
  }

  static bool in_range(const Format& f, const Rational& size) {
    return size >= rational_power_of_two(f.least_exponent()) &&
           size < rational_power_of_two(f.largest_exponent() + 1);
  }
};

}  // namespace

std::unique_ptr<Counterexamples> counterexamples_of_scale_invariant() {
  return std::make_unique<ScaleInvariant>();
}

}  // namespace mmaspec
