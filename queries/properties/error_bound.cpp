// States error-bound, sum-error-bound and norm-error-bound in the language.

#include <algorithm>

#include "queries/errors/error_analysis.h"
#include "queries/errors/scaled_words.h"
#include "queries/errors/sum_error.h"
#include "queries/numbers/exact.h"
#include "queries/property/property.h"

namespace mmaspec {
namespace {

/// |d - exact| is at most X times a unit, for finite d.
class BoundedError : public Property {
 public:
  UnderCondition under_condition() const override { return {Conditioned::the_input, kNotReduced}; }

  std::vector<Rational> parameters(const Subject&) const override {
    // Quarters up to 4, then eight steps in each binade.
    std::vector<Rational> all;
    for (int i = 1; i < 16; ++i) all.emplace_back(i, 4);
    for (int e = 0; e < 32; ++e) {
      for (int i = 8; i < 16; ++i) all.push_back(Rational(i, 2) * rational_power_of_two(e));
    }
    return all;
  }

  Statement state(const Subject& s, int) const override {
    const DotFormats& f = s.formats();
    const DotOperands in = dot_inputs(f);
    const Run one = run(s, "given", in);
    const ExactTerms exact = exact_terms(f, in);
    const Int least = power_of_two(static_cast<unsigned>(f.d->least_exponent() - exact.unit));
    const Int size = in_places(s, in, exact, least);
    const Int error = abs(in_unit(*f.d, one.d, exact.unit) - total(exact.terms));
    const Rational& x = bound(s);
    const Integer scale = denominator(x) * power_of_two(static_cast<unsigned>(places(f)));
    return {{one}, {unpack(*f.d, one.d).is_finite()}, {scale * error > numerator(x) * size}};
  }

 protected:
  const Rational& bound(const Subject& s) const {
    if (!s.parameter || *s.parameter < 0) {
      throw std::invalid_argument(name() + ": --bound must be a number of ulp");
    }
    return *s.parameter;
  }
  /// 2^places times the unit of the error, in the terms' unit; `least` is d's least normal number.
  virtual Int in_places(const Subject& s, const DotOperands& in, const ExactTerms& exact,
                        Int least) const = 0;
  virtual int places(const DotFormats& f) const = 0;
};

/// In ulp of the largest term: the unit in the last place of a number of d's format with the
/// largest term's exponent (at least d's least exponent). Error analyses of dot products use this
/// form: Blanchard et al., "Mixed precision block fused multiply-add", SIAM J. Sci. Comput. 42(3),
/// 2020.
class ErrorBound : public BoundedError {
 public:
  std::string name() const override { return "error-bound"; }
  std::string summary() const override {
    return "d is at most X ulp of the largest term away from the exact result";
  }
  std::string source() const override { return "Blanchard et al. 2020"; }
  bool is_of_conversions() const override { return false; }

  std::optional<Argument> holds_because(const Subject& s) const override {
    const std::optional<Rational> known =
        error_by_analysis(s.first, s.normal_factors ? ErrorOf::normal_factors : ErrorOf::all);
    return argument_if(known && *known <= bound(s), TrustedTheorem::error_of_steps,
                       "what its steps cut and round adds up to no more");
  }
  Derivable derivable() const override { return Derivable::error; }

 protected:
  Int in_places(const Subject&, const DotOperands&, const ExactTerms& exact,
                Int least) const override {
    std::vector<Int> sizes{least};
    for (Int t : exact.terms) sizes.push_back(abs(t));
    // 2^(E + fraction bits) in the unit: the largest term's leading bit, scaled so that an ulp
    // corresponds to 2^p.
    return shift_left(1, bit_length(max(sizes)) - 1);
  }
  int places(const DotFormats& f) const override { return f.d->fraction_bits; }
};

/// In u times the sum of the terms' magnitudes (at least d's least normal number), where u is half
/// an ulp of 1 in d's format: the componentwise error bounds of numerical analysis.
class SumErrorBound : public BoundedError {
 public:
  std::string name() const override { return "sum-error-bound"; }
  std::string summary() const override {
    return "d is at most X u (|c| + sum |a[k]| |b[k]|) away from the exact result";
  }
  std::string source() const override { return "Blanchard et al. 2020"; }
  bool is_of_conversions() const override { return false; }
  bool in_tables() const override { return false; }

  std::optional<Argument> holds_because(const Subject& s) const override {
    const auto known =
        sum_error_for_all_k(s.first, s.normal_factors ? ErrorOf::normal_factors : ErrorOf::all);
    if (!known || !known->is_unconditional()) return std::nullopt;
    const int k = s.formats().k;
    // S + N least is at most 1 + N times the larger of both.
    const Rational in_u = known->at(k) * (1 + known->sums_at(k)) *
                          rational_power_of_two(s.formats().d->fraction_bits + 1);
    return argument_if(in_u <= bound(s), TrustedTheorem::componentwise_error,
                       "what its steps cut and round adds up to no more, for every K");
  }

 protected:
  Int in_places(const Subject&, const DotOperands&, const ExactTerms& exact,
                Int least) const override {
    std::vector<Int> sizes;
    for (Int t : exact.terms) sizes.push_back(abs(t));
    return max(total(sizes), least);
  }
  int places(const DotFormats& f) const override { return f.d->fraction_bits + 1; }
};

/// The same in the norms of a matrix product: sum |a[k]| times the largest |b[k]|, and |c|.
/// Componentwise bounds imply normwise ones.
class NormErrorBound : public SumErrorBound {
 public:
  std::string name() const override { return "norm-error-bound"; }
  std::string summary() const override {
    return "d is at most X u (|c| + sum |a[k]| max |b[k]|) away from the exact result";
  }
  std::string source() const override { return "Mary and Mikaitis 2025"; }
  bool is_of_conversions() const override { return false; }
  std::string not_applicable(const Subject& s) const override {
    return s.formats().scale == nullptr ? "" : "factors with scale factors have no norms here";
  }

  std::optional<Argument> holds_because(const Subject& s) const override {
    if (auto componentwise = SumErrorBound::holds_because(s)) return componentwise;
    const auto known = norm_error_of_scaled_words(s.first);
    if (!known || *known * rational_power_of_two(places(s.formats())) > bound(s) ||
        !s.factors_are_within || !s.factors_are_within(kModerateExponent)) {
      return std::nullopt;
    }
    return Argument{TrustedTheorem::norm_error_of_words,
                    "what its words lose and its sums err by adds up to no more"};
  }

 protected:
  Int in_places(const Subject& s, const DotOperands& in, const ExactTerms& exact,
                Int least) const override {
    const DotFormats& f = s.formats();
    const auto unit = [](const Format& x) { return x.least_exponent() - x.fraction_bits; };
    std::vector<Int> sizes_of_a;
    std::vector<Int> sizes_of_b;
    for (const Int a : in.a) sizes_of_a.push_back(abs(in_unit(*f.a, a, unit(*f.a))));
    for (const Int b : in.b) sizes_of_b.push_back(abs(in_unit(*f.b, b, unit(*f.b))));
    // Products are among the exact terms, whose unit is at most theirs.
    const int places = unit(*f.a) + unit(*f.b) - exact.unit;
    const Int norms =
        total(sizes_of_a) * max(sizes_of_b) * power_of_two(static_cast<unsigned>(places));
    return max(norms + abs(exact.terms.back()), least);
  }
};

}  // namespace

std::unique_ptr<Property> error_bound() { return std::make_unique<ErrorBound>(); }
std::unique_ptr<Property> sum_error_bound() { return std::make_unique<SumErrorBound>(); }
std::unique_ptr<Property> norm_error_bound() { return std::make_unique<NormErrorBound>(); }

}  // namespace mmaspec
