// error-bound, sum-error-bound and norm-error-bound on numbers.

#include "queries/counterexamples/bias.h"
#include "queries/counterexamples/counterexample.h"

namespace mmaspec {
namespace {

class BoundedError : public Counterexamples {
 public:
  /// A product of subnormal factors, or zero, has the largest exponent, and all other terms are
  /// just below the kept bits; or all terms have the same magnitude.
  void bias_sample(const Subject& s, int, Candidate& candidate, Random& random) const override {
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
};

class ErrorBound : public BoundedError {
 public:
  bool violated(const Subject& s, int, const std::vector<RunValues>& runs) const override {
    const auto error = error_in_ulp(s.formats(), runs[0].operands, runs[0].d);
    return error && *error > s.parameter.value();
  }
};

class SumErrorBound : public BoundedError {
 public:
  bool violated(const Subject& s, int, const std::vector<RunValues>& runs) const override {
    const DotFormats& f = s.formats();
    const auto terms = exact_terms(f, runs[0].operands);
    const Decoded d = decode(*f.d, runs[0].d);
    if (!terms || !d.is_finite()) return false;
    Rational sum = 0;
    for (const Rational& t : *terms) sum += t;
    const Rational size = std::max(size_on(f, runs[0].operands, *terms),
                                   rational_power_of_two(f.d->least_exponent()));
    return abs(Rational(d.value() - sum)) >
           s.parameter.value() * rational_power_of_two(-f.d->fraction_bits - 1) * size;
  }

 protected:
  /// The sum of the terms' magnitudes.
  virtual Rational size_on(const DotFormats&, const DotValues&,
                           const std::vector<Rational>& terms) const {
    Rational size = 0;
    for (const Rational& t : terms) size += abs(t);
    return size;
  }
};

class NormErrorBound : public SumErrorBound {
 protected:
  /// The norms of a matrix product.
  Rational size_on(const DotFormats& f, const DotValues& v,
                   const std::vector<Rational>& terms) const override {
    Rational sum = 0;
    Rational largest = 0;
    for (const Integer& a : v.a) sum += abs(decode(*f.a, a).value());
    for (const Integer& b : v.b)
      largest = std::max(largest, Rational(abs(decode(*f.b, b).value())));
    return sum * largest + abs(terms.back());
  }
};

}  // namespace

std::unique_ptr<Counterexamples> counterexamples_of_error_bound() {
  return std::make_unique<ErrorBound>();
}
std::unique_ptr<Counterexamples> counterexamples_of_sum_error_bound() {
  return std::make_unique<SumErrorBound>();
}
std::unique_ptr<Counterexamples> counterexamples_of_norm_error_bound() {
  return std::make_unique<NormErrorBound>();
}

}  // namespace mmaspec
