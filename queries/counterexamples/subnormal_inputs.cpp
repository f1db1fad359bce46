// subnormal-inputs on numbers.

#include "queries/counterexamples/bias.h"
#include "queries/counterexamples/counterexample.h"
#include "queries/property/subnormal_operands.h"

namespace mmaspec {
namespace {

class SubnormalInputs : public Counterexamples {
 public:
  bool violated(const Subject& s, int which, const std::vector<RunValues>& runs) const override {
    const DotFormats& f = s.formats();
    const DotValues& v = runs[0].operands;
    const auto [operand, k] = subnormal_operands(s)[static_cast<std::size_t>(which)];
    if (ordinal(*f.d, runs[0].d) != 0 || !products_are_zero(f, v, k)) return false;
    if (!k) return is_subnormal(*f.c, v.c);
    const bool of_a = operand == 'a';
    return ordinal(*f.c, v.c) == 0 && is_subnormal(of_a ? *f.a : *f.b, of_a ? v.a[*k] : v.b[*k]) &&
           at_least_one(of_a ? *f.b : *f.a, of_a ? v.b[*k] : v.a[*k]);
  }
  void bias_sample(const Subject& s, int which, Candidate& candidate,
                   Random& random) const override {
    const DotFormats& f = s.formats();
    DotValues& v = candidate.values;
    const auto [operand, kept] = subnormal_operands(s)[static_cast<std::size_t>(which)];
    make_products_zero(kept, candidate, random);
    const auto subnormal = [&](const Format& format) {
      const auto bits = 1 + random() % static_cast<unsigned>(format.fraction_bits);
      const Integer beyond = power_of_two(static_cast<unsigned>(bits));
      return Integer((1 + Integer(random()) % (beyond - 1)) << format.ignored_low_bits);
    };
    const auto large = [&](const Format& format) {
      const Integer fields = format.field_maximum() - format.bias;
      const Integer field = format.bias + Integer(random()) % fields;
      return Integer(
          field << static_cast<unsigned>(format.fraction_bits + format.ignored_low_bits));
    };
    if (!kept) {
      v.c = subnormal(*f.c);
      // Only next to zeros times the largest powers of two.
      const bool beside_zeros = random() % 4 == 0;
      for (std::size_t k = 0; beside_zeros && k < v.a.size(); ++k) {
        v.a[k] = 0;
        v.b[k] = number_at(*f.b, f.b->largest_exponent(), false, false, random);
      }
    } else {
      v.c = 0;
      v.a[*kept] = operand == 'a' ? subnormal(*f.a) : large(*f.a);
      v.b[*kept] = operand == 'b' ? subnormal(*f.b) : large(*f.b);
    }
  }

 private:
  static bool is_subnormal(const Format& format, const Integer& pattern) {
    const Integer p = boost::multiprecision::abs(ordinal(format, pattern));
    return p > 0 && p < power_of_two(static_cast<unsigned>(format.fraction_bits));
  }

  static bool at_least_one(const Format& format, const Integer& pattern) {
    return boost::multiprecision::abs(ordinal(format, pattern)) >=
           ordinal(format, pattern_of_power(format, 0));
  }
};

}  // namespace

std::unique_ptr<Counterexamples> counterexamples_of_subnormal_inputs() {
  return std::make_unique<SubnormalInputs>();
}

}  // namespace mmaspec
