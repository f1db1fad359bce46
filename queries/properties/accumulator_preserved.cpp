// States accumulator-preserved in the language.

#include "queries/numbers/exact.h"
#include "queries/property/zero_terms.h"
#include "queries/theorems/steps.h"
#include "spec/formats/convert.h"

namespace mmaspec {
namespace {

/// If every product is zero, then d = c, rounded once if d's format requires it. FP8 on Ada and
/// Hopper keeps 13 bits of c (DeepSeek-V3 technical report, 3.3.2; MMA-Sim table III).
class AccumulatorPreserved : public Property {
 public:
  std::string name() const override { return "accumulator-preserved"; }
  std::string summary() const override { return "if every product is zero, the result is c"; }
  std::string source() const override { return "MMA-Sim VI-A; DeepSeek-V3 3.3.2"; }
  UnderCondition under_condition() const override { return {Conditioned::the_input, kNotReduced}; }
  bool is_of_integers() const override { return true; }

  std::optional<Argument> holds_because(const Subject& s) const override {
    if (is_conversion(s.formats()) && is_correctly_rounded(s.first)) {
      return Argument{TrustedTheorem::one_rounding, kRoundedOnce};
    }
    return argument_if(keeps_c(s.first), TrustedTheorem::zero_products,
                       "a sum with zero is exact, for every K");
  }

  Statement state(const Subject& s, int) const override {
    const DotFormats& f = s.formats();
    const DotOperands in = dot_inputs(f);
    const Run one = run(s, "products zero", in);
    const ZeroProducts products = zero_products(f, in, std::nullopt);
    const Int c = convert(*f.c, in.c, *f.d).pattern;
    return {{one}, {products.zero}, {differ({}, *f.d, one.d, *f.d, c)}, products.known};
  }
};

}  // namespace

std::unique_ptr<Property> accumulator_preserved() {
  return std::make_unique<AccumulatorPreserved>();
}

}  // namespace mmaspec
