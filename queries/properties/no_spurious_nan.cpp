// States no-spurious-nan in the language.

#include "queries/numbers/exact.h"
#include "queries/property/property.h"
#include "queries/theorems/steps.h"
#include "spec/parts/terms.h"

namespace mmaspec {
namespace {

/// d is NaN only if an operand is NaN, or if infinity meets zero or an infinity of the other sign.
/// It covers all inputs, not only finite ones.
class NoSpuriousNan : public Property {
 public:
  std::string name() const override { return "no-spurious-nan"; }
  std::string summary() const override {
    return "d is NaN only for a NaN operand, 0 * infinity, or infinities of both signs";
  }
  std::string source() const override { return "IEEE 754-2019, 7.2"; }
  InputClass inputs() const override { return InputClass::any; }
  UnderCondition under_condition() const override { return {Conditioned::the_input, kNotReduced}; }

  std::optional<Argument> holds_because(const Subject& s) const override {
    return argument_if(makes_no_nan(s.first), TrustedTheorem::no_overflow,
                       "no finite operands overflow, for every K");
  }

  Statement state(const Subject& s, int) const override {
    const DotFormats& f = s.formats();
    const DotOperands in = dot_inputs(f);
    const Run one = run(s, "given", in);
    return {{one}, {!special_case(unpack(f, in)).is_nan}, {unpack(*f.d, one.d).is_nan}};
  }
};

}  // namespace

std::unique_ptr<Property> no_spurious_nan() { return std::make_unique<NoSpuriousNan>(); }

}  // namespace mmaspec
