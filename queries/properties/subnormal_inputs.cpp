// States subnormal-inputs in the language.

#include <algorithm>

#include "queries/numbers/exact.h"
#include "queries/property/reduction.h"
#include "queries/property/subnormal_operands.h"
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
  int cases(const Subject& s) const override {
    return static_cast<int>(subnormal_operands(s).size());
  }
  std::string case_name(const Subject& s, int which) const override {
    const SubnormalOperand x = subnormal_operands(s)[static_cast<std::size_t>(which)];
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
    const auto [operand, k] = subnormal_operands(s)[static_cast<std::size_t>(which)];
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

 private:
  static Bool is_subnormal(const Format& format, Int pattern) {
    const Int p = abs(ordinal(format, pattern));
    return p > 0 && p < power_of_two(static_cast<unsigned>(format.fraction_bits));
  }
  static Integer one(const Format& format) {
    return Integer(format.bias) << static_cast<unsigned>(format.fraction_bits);
  }
  static Bool at_least_one(const Format& format, Int pattern) {
    return abs(ordinal(format, pattern)) >= one(format);
  }
};

}  // namespace

std::unique_ptr<Property> subnormal_inputs() { return std::make_unique<SubnormalInputs>(); }

}  // namespace mmaspec
