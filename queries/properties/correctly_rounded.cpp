// States correctly-rounded in the language.

#include "queries/numbers/exact.h"
#include "queries/property/property.h"
#include "queries/theorems/steps.h"

namespace mmaspec {
namespace {

/// d is the exact result rounded once to nearest, ties to even: the result that IEEE 754 would
/// require if it defined a dot-add.
class CorrectlyRounded : public Property {
 public:
  std::string name() const override { return "correctly-rounded"; }
  std::string summary() const override {
    return "d is the number nearest to the exact result, ties to even";
  }
  std::string source() const override { return "IEEE 754-2019, 4.3.1 and 9.4"; }
  UnderCondition under_condition() const override { return {Conditioned::the_input, kNotReduced}; }

  std::optional<Argument> holds_because(const Subject& s) const override {
    return argument_if(is_correctly_rounded(s.first), TrustedTheorem::one_rounding, kRoundedOnce);
  }

  Statement state(const Subject& s, int) const override {
    const DotFormats& f = s.formats();
    const DotOperands in = dot_inputs(f);
    const Run one = run(s, "given", in);
    return {
        {one}, {}, {differ({}, *f.d, one.d, *f.d, exact_rounded(f, in, Rounding::nearest_even))}};
  }
};

}  // namespace

std::unique_ptr<Property> correctly_rounded() { return std::make_unique<CorrectlyRounded>(); }

}  // namespace mmaspec
