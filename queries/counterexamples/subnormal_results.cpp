// subnormal-results on numbers.

#include "queries/counterexamples/bias.h"
#include "queries/counterexamples/counterexample.h"

namespace mmaspec {
namespace {

class SubnormalResults : public Counterexamples {
 public:
  bool violated(const Subject& s, int which, const std::vector<RunValues>& runs) const override {
    const DotFormats& f = s.formats();
    const DotValues& v = runs[0].operands;
    const auto exact = exact_dot(f, v);
    if (!exact || !products_are_zero(f, v, static_cast<std::size_t>(which))) return false;
    if (!products_are_zero(f, v, std::nullopt) && ordinal(*f.c, v.c) != 0) return false;
    const Neighbours near = neighbours(*f.d, *exact);
    const Integer size = boost::multiprecision::abs(ordinal(*f.d, near.below));
    return same_value(*f.d, near.below, near.above) && size > 0 &&
           size < power_of_two(static_cast<unsigned>(f.d->fraction_bits)) &&
           ordinal(*f.d, runs[0].d) == 0;
  }
  void bias_sample(const Subject& s, int which, Candidate& candidate,
                   Random& random) const override {
    const auto k = static_cast<std::size_t>(which);
    const DotFormats& f = s.formats();
    DotValues& v = candidate.values;
    const auto small = [&](const Format& format, int fields) {
      const Integer top = power_of_two(static_cast<unsigned>(format.fraction_bits)) * fields;
      const Integer p = 1 + Integer(random()) % (top - 1);
      return Integer(p << format.ignored_low_bits);
    };
    const bool product = random() % 2 == 0;
    make_products_zero(product ? std::optional(k) : std::nullopt, candidate, random);
    v.c = product ? Integer(0) : small(*f.c, 1);
    if (!product) return;
    // Exponents whose sum is below d's least normal exponent.
    const int e = f.d->least_exponent() - 1 -
                  static_cast<int>(random() % static_cast<unsigned>(f.d->fraction_bits));
    const int low = std::max(f.a->least_exponent(), e - f.b->largest_exponent());
    const int high = std::min(f.a->largest_exponent(), e - f.b->least_exponent());
    if (low > high) return;
    const int ea = low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1));
    v.a[k] = pattern_of_power(*f.a, ea);
    v.b[k] = pattern_of_power(*f.b, e - ea);
  }
};

}  // namespace

std::unique_ptr<Counterexamples> counterexamples_of_subnormal_results() {
  return std::make_unique<SubnormalResults>();
}

}  // namespace mmaspec
