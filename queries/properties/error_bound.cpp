#include <algorithm>

#include "queries/arguments/error_analysis.h"
#include "queries/numbers/exact.h"
#include "queries/property/incline.h"

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
  UnderCondition under_condition() const override { return {Conditioned::the_input, kNotReduced}; }

  std::vector<Rational> parameters(const Subject&) const override {
    // Quarters up to 4, then eight steps to a doubling.
    std::vector<Rational> all;
    for (int i = 1; i < 16; ++i) all.emplace_back(i, 4);
    for (int e = 0; e < 32; ++e) {
      for (int i = 8; i < 16; ++i) all.push_back(Rational(i, 2) * rational_power_of_two(e));
    }
    return all;
  }

  std::string holds_because(const Subject& s) const override {
    const std::optional<Rational> known =
        error_by_analysis(s.first, s.normal_factors ? ErrorOf::normal_factors : ErrorOf::all);
    return known && *known <= bound(s) ? "what its steps cut and round adds up to no more" : "";
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
    return {{one}, {unpack(*f.d, one.d).is_finite()}, {scale * error > numerator(x) * leading}};
  }
  bool violated(const Subject& s, int, const std::vector<RunValues>& runs) const override {
    const auto error = error_in_ulp(s.formats(), runs[0].operands, runs[0].d);
    return error && *error > bound(s);
  }
  /// A product of subnormal factors, or zero, has the largest exponent, and all else lies just
  /// below what is kept beside it; or all terms are as large as one another.
  void incline(const Subject& s, int, Candidate& candidate, Random& random) const override {
    const DotFormats& f = s.formats();
    const int kept = 8 + static_cast<int>(random() % 32);
    const int kind = static_cast<int>(random() % 5);
    if (kind == 3) return;
    if (kind == 4) {
      const bool of_a = random() % 2 == 0;
      for (std::size_t k = 0; k < candidate.values.a.size(); ++k) {
        const Format& large = of_a ? *f.b : *f.a;
        candidate.values.a[k] = candidate.values.b[k] = 0;
        (of_a ? candidate.values.b : candidate.values.a)[k] =
            number_at(large, large.largest_exponent(), false, false, random);
      }
      const int exponent = f.d->least_exponent() + static_cast<int>(random() % 32);
      candidate.values.c = number_at(*f.c, exponent, random() % 4 != 0, random() % 2 == 0, random);
      return;
    }
    if (kind == 2) {
      const int top = f.a->largest_exponent() + f.b->largest_exponent() - 1;
      const int exponent =
          std::min(top, f.d->largest_exponent() - 8) - static_cast<int>(random() % 8);
      set_scales(f, candidate, 0);
      for (std::size_t k = 0; k < candidate.values.a.size(); ++k) {
        set_product(f, candidate, k, exponent, false, random() % 2 == 0, random);
      }
      candidate.values.c = number_at(*f.c, exponent, false, random() % 2 == 0, random);
      return;
    }
    set_scales(f, candidate, 0);
    const Integer least = Integer(1) << f.a->ignored_low_bits;
    const int span = f.b->largest_exponent() - f.b->least_exponent() + 1;
    const int above = static_cast<int>(random() % static_cast<unsigned>(span));
    const int exponent = f.a->least_exponent() + f.b->least_exponent() + (kind == 0 ? 0 : above);
    const bool negative = random() % 2 == 0;
    for (std::size_t k = 1; k < candidate.values.a.size(); ++k) {
      candidate.values.a[k] = candidate.values.b[k] = 0;
      if (kind == 1) set_product(f, candidate, k, exponent - kept - 1, negative, true, random);
    }
    candidate.values.a[0] = least;
    candidate.values.b[0] =
        kind == 0 ? Integer(1) << f.b->ignored_low_bits
                  : number_at(*f.b, exponent - f.a->least_exponent(), false, false, random);
    if (kind == 1) {
      const Integer unit =
          power_of_two(static_cast<unsigned>(f.b->fraction_bits + f.b->ignored_low_bits));
      candidate.values.b[0] = candidate.values.b[0] / unit * unit;
    }
    candidate.values.c = number_at(*f.c, exponent - kept - 1, negative, true, random);
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
