// States exact-when-representable in the language.

#include "queries/numbers/exact.h"
#include "queries/property/property.h"
#include "queries/theorems/steps.h"
#include "spec/formats/integer.h"

namespace mmaspec {
namespace {

/// If the exact result is a number of d's format, d is that number.
class ExactWhenRepresentable : public Property {
 public:
  std::string name() const override { return "exact-when-representable"; }
  std::string summary() const override {
    return "if d's format represents the exact result, d is that result";
  }
  std::string source() const override { return "Khattak and Mikaitis; IEEE 754-2019, 5.1"; }
  UnderCondition under_condition() const override { return {Conditioned::the_input, kNotReduced}; }
  bool is_of_integers() const override { return true; }

  std::optional<Argument> holds_because(const Subject& s) const override {
    if (keeps_exact_integers(s.first)) {
      return Argument{TrustedTheorem::integers_exact,
                      "the sum is exact, or exact except for multiples of 2^n"};
    }
    return argument_if(is_faithfully_rounded(s.first), TrustedTheorem::one_rounding, kRoundedOnce);
  }

  Statement state(const Subject& s, int) const override {
    const DotFormats& f = s.formats();
    const DotOperands in = dot_inputs(f);
    const Run one = run(s, "given", in);
    if (are_integers(f)) {
      const Int exact = total(exact_terms(f, in).terms);
      return {{one}, {holds_integer(*f.d, exact)}, {integer_value(*f.d, one.d) != exact}};
    }
    const Int below = exact_rounded(f, in, Rounding::down);
    const Int above = exact_rounded(f, in, Rounding::up);
    return {{one},
            {ordinal(*f.d, below) == ordinal(*f.d, above)},
            {differ({}, *f.d, one.d, *f.d, below)}};
  }
};

}  // namespace

std::unique_ptr<Property> exact_when_representable() {
  return std::make_unique<ExactWhenRepresentable>();
}

}  // namespace mmaspec
