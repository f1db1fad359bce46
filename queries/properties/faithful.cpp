// States faithful in the language.

#include "queries/numbers/exact.h"
#include "queries/property/property.h"
#include "queries/theorems/steps.h"

namespace mmaspec {
namespace {

/// d is the exact result or one of its two neighbours. Handbook of Floating-Point Arithmetic, 2nd
/// ed., section 2.2.
class Faithful : public Property {
 public:
  std::string name() const override { return "faithful"; }
  std::string summary() const override { return "d is one of the exact result's two neighbours"; }
  std::string source() const override { return "Handbook of Floating-Point Arithmetic, 2.2"; }
  UnderCondition under_condition() const override { return {Conditioned::the_input, kNotReduced}; }

  std::optional<Argument> holds_because(const Subject& s) const override {
    return argument_if(is_faithfully_rounded(s.first), TrustedTheorem::one_rounding, kRoundedOnce);
  }

  Statement state(const Subject& s, int) const override {
    const DotFormats& f = s.formats();
    const DotOperands in = dot_inputs(f);
    const Run one = run(s, "given", in);
    return {{one},
            {},
            {differ({}, *f.d, one.d, *f.d, exact_rounded(f, in, Rounding::down)),
             differ({}, *f.d, one.d, *f.d, exact_rounded(f, in, Rounding::up))}};
  }
};

}  // namespace

std::unique_ptr<Property> faithful() { return std::make_unique<Faithful>(); }

}  // namespace mmaspec
