#include <algorithm>

#include "queries/exact.h"
#include "queries/properties/property.h"

namespace mmaspec {
namespace {

/// |d - exact| <= X ulp of the largest term, the unit in the last place that a number of d's
/// format has whose exponent is the largest term's (at least d's least exponent). Said of finite d.
/// The form in which error analyses of dot products state it: Blanchard et al., "Mixed precision
/// block fused multiply-add", SIAM J. Sci. Comput. 42(3), 2020.
class ErrorBound : public Property {
 public:
  std::string name() const override { return "error-bound"; }
  std::string summary() const override {
    return "d is at most X ulp of the largest term away from the exact result";
  }
  std::string source() const override { return "Blanchard et al. 2020"; }

  std::vector<Rational> parameters(const Subject&) const override {
    // Quarters up to 4, then eight steps to a doubling.
    std::vector<Rational> all;
    for (int i = 1; i < 16; ++i) all.emplace_back(i, 4);
    for (int e = 0; e < 20; ++e) {
      for (int i = 8; i < 16; ++i) all.push_back(Rational(i, 2) * rational_power_of_two(e));
    }
    return all;
  }

  Statement state(const Subject& s, int) const override {
    const DotFormats& f = s.formats();
    const DotOperands in = dot_inputs(f);
    const Run one = run(s, "given", in);
    const ExactTerms exact = exact_terms(f, in);
    std::vector<Int> sizes{power_of_two(static_cast<unsigned>(f.d->least_exponent() - exact.unit))};
    for (Int t : exact.terms) sizes.push_back(abs(t));
    // 2^(E + fraction bits) in the unit, the largest term's leading bit lifted to an ulp's 2^p.
    const Int leading = shift_left(1, bit_length(max(sizes)) - 1);
    const Int error = abs(in_unit(*f.d, one.d, exact.unit) - total(exact.terms));
    const Rational& x = bound(s);
    const Integer scale = denominator(x) * power_of_two(static_cast<unsigned>(f.d->fraction_bits));
    return {{one}, {unpack(*f.d, one.d).is_finite(), scale * error > numerator(x) * leading}};
  }
  bool violated(const Subject& s, int, const std::vector<RunValues>& runs) const override {
    const DotFormats& f = s.formats();
    const auto terms = exact_terms(f, runs[0].operands);
    const Decoded d = decode(*f.d, runs[0].d);
    if (!terms || !d.is_finite()) return false;
    Rational exact = 0;
    Rational largest = rational_power_of_two(f.d->least_exponent());
    for (const Rational& t : *terms) {
      exact += t;
      largest = std::max(largest, Rational(boost::multiprecision::abs(t)));
    }
    const Rational ulp = rational_power_of_two(floor_log2(largest) - f.d->fraction_bits);
    return boost::multiprecision::abs(Rational(d.value() - exact)) > bound(s) * ulp;
  }

 private:
  static const Rational& bound(const Subject& s) {
    if (!s.parameter || *s.parameter < 0) {
      throw std::invalid_argument("error-bound: --bound X is to be a number of ulp");
    }
    return *s.parameter;
  }
};

}  // namespace

std::unique_ptr<Property> error_bound() { return std::make_unique<ErrorBound>(); }

}  // namespace mmaspec
