#include <algorithm>

#include "queries/numbers/exact.h"
#include "queries/property/bias_sample.h"
#include "queries/property/reduction.h"
#include "queries/property/zero_terms.h"
#include "queries/theorems/steps.h"

namespace mmaspec {
namespace {

/// A subnormal operand is not treated as zero: a single product of a subnormal and a number of at
/// least 1 is not zero unless rounding makes it zero; nor is a single c. Reduced: that product is
/// the first. PyTorch's notes on numerical accuracy say that CDNA2 flushes subnormals.
class SubnormalInputs : public Property {
 public:
  std::string name() const override { return "subnormal-inputs"; }
  std::string summary() const override { return "subnormal operands are not flushed to zero"; }
  std::string source() const override { return "PyTorch, Numerical accuracy; MMA-Sim IV-B"; }
  bool is_of_conversions() const override { return false; }
  UnderCondition under_condition() const override {
    return {Conditioned::the_input, is_kept_by_each_place};
  }

  std::string not_applicable(const Subject& s) const override {
    return cases(s) == 0 ? "its formats have no subnormals that could reach d" : "";
  }
  int cases(const Subject& s) const override { return static_cast<int>(operands(s).size()); }
  std::string case_name(const Subject& s, int which) const override {
    const Operand x = operands(s)[static_cast<std::size_t>(which)];
    std::string name = std::string("a subnormal ") + x.name;
    if (x.k && s.form == Form::whole) name += "[" + std::to_string(*x.k) + "]";
    return name;
  }

  std::optional<Argument> holds_because(const Subject& s) const override {
    // d holds the least number of each operand that has a case.
    return argument_if(
        keeps_subnormals(s.first), TrustedTheorem::subnormals_kept,
        "a sum with zero is exact, and d holds every subnormal operand, for every K");
  }

  Statement state(const Subject& s, int which) const override {
    const DotFormats& f = s.formats();
    const DotOperands in = dot_inputs(f);
    const Run one = run(s, case_name(s, which), in);
    const auto [operand, k] = operands(s)[static_cast<std::size_t>(which)];
    const ZeroProducts zero = zero_products(f, in, k);
    std::vector<Bool> premises{zero.zero};
    if (!k) {
      premises.push_back(is_subnormal(*f.c, in.c));
    } else {
      premises.push_back(ordinal(*f.c, in.c) == 0);
      const bool of_a = operand == 'a';
      premises.push_back(is_subnormal(of_a ? *f.a : *f.b, of_a ? in.a[*k] : in.b[*k]));
      premises.push_back(at_least_one(of_a ? *f.b : *f.a, of_a ? in.b[*k] : in.a[*k]));
    }
    return {{one}, premises, {ordinal(*f.d, one.d) == 0}, zero.known};
  }
  bool violated(const Subject& s, int which, const std::vector<RunValues>& runs) const override {
    const DotFormats& f = s.formats();
    const DotValues& v = runs[0].operands;
    const auto [operand, k] = operands(s)[static_cast<std::size_t>(which)];
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
    const auto [operand, kept] = operands(s)[static_cast<std::size_t>(which)];
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
  /// An operand, and the index of the product of which it is a factor.
  struct Operand {
    char name;
    std::optional<std::size_t> k;
  };

  /// Operands whose subnormals, times 1, are numbers that d holds.
  static std::vector<Operand> operands(const Subject& s) {
    const DotFormats& f = s.formats();
    const std::size_t products = s.form == Form::whole ? static_cast<std::size_t>(f.k) : 1;
    std::vector<Operand> all;
    const auto reaches_d = [&](const Format& format) {
      const int least = format.least_exponent() - format.fraction_bits;
      return format.has_zero && format.fraction_bits > 0 &&
             least >= f.d->least_exponent() - f.d->fraction_bits;
    };
    // Scale factors below 1 reduce products again.
    for (std::size_t k = 0; f.scale == nullptr && k < products; ++k) {
      if (reaches_d(*f.a)) all.push_back({'a', k});
      if (reaches_d(*f.b)) all.push_back({'b', k});
    }
    if (reaches_d(*f.c)) all.push_back({'c', std::nullopt});
    return all;
  }

  static Bool is_subnormal(const Format& format, Int pattern) {
    const Int p = abs(ordinal(format, pattern));
    return p > 0 && p < power_of_two(static_cast<unsigned>(format.fraction_bits));
  }
  static bool is_subnormal(const Format& format, const Integer& pattern) {
    const Integer p = boost::multiprecision::abs(ordinal(format, pattern));
    return p > 0 && p < power_of_two(static_cast<unsigned>(format.fraction_bits));
  }
  static Integer one(const Format& format) {
    return Integer(format.bias) << static_cast<unsigned>(format.fraction_bits);
  }
  static Bool at_least_one(const Format& format, Int pattern) {
    return abs(ordinal(format, pattern)) >= one(format);
  }
  static bool at_least_one(const Format& format, const Integer& pattern) {
    return boost::multiprecision::abs(ordinal(format, pattern)) >= one(format);
  }
};

}  // namespace

std::unique_ptr<Property> subnormal_inputs() { return std::make_unique<SubnormalInputs>(); }

}  // namespace mmaspec
