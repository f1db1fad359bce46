// States subnormal-results in the language.

#include <algorithm>

#include "queries/numbers/exact.h"
#include "queries/property/reduction.h"
#include "queries/property/zero_terms.h"
#include "queries/theorems/steps.h"

namespace mmaspec {
namespace {

/// A subnormal result is not replaced by zero: with at most one of the products and c nonzero, an
/// exact result that is subnormal in d's format is returned. Reduced: that product is the first.
class SubnormalResults : public Property {
 public:
  std::string name() const override { return "subnormal-results"; }
  std::string summary() const override {
    return "subnormal results are not flushed (one term, whose value d holds)";
  }
  std::string source() const override { return "Fasi et al. III-A; MMA-Sim IV-B"; }
  bool is_of_conversions() const override { return false; }
  UnderCondition under_condition() const override {
    return {Conditioned::the_input, is_kept_by_each_place};
  }

  std::optional<Argument> holds_because(const Subject& s) const override {
    return argument_if(keeps_subnormals(s.first), TrustedTheorem::subnormals_kept,
                       "a sum with zero is exact, and subnormal results are kept, for every K");
  }

  int cases(const Subject& s) const override { return s.form == Form::whole ? s.formats().k : 1; }
  std::string case_name(const Subject& s, int which) const override {
    return s.form == Form::whole ? "product " + std::to_string(which) + " or c" : "";
  }

  Statement state(const Subject& s, int which) const override {
    const auto k = static_cast<std::size_t>(which);
    const DotFormats& f = s.formats();
    const DotOperands in = dot_inputs(f);
    const Run one = run(s, "one term", in);
    const ZeroProducts zero = zero_products(f, in, k);
    const UnpackedOperands x = unpack(f, in);
    const Number exact = larger(scaled_product(f, x, k), as_term(*f.c, x.c));
    const Int below = round_and_pack(exact, {f.d, Rounding::down});
    const Int above = round_and_pack(exact, {f.d, Rounding::up});
    const Int size = abs(ordinal(*f.d, below));
    return {{one},
            {zero.zero, product_is_zero(f, in, k) || ordinal(*f.c, in.c) == 0,
             ordinal(*f.d, below) == ordinal(*f.d, above), size > 0,
             size < power_of_two(static_cast<unsigned>(f.d->fraction_bits))},
            {ordinal(*f.d, one.d) == 0},
            zero.known};
  }

 private:
  /// The nonzero term, if there is one.
  static Number larger(const Term& product, const Term& c) {
    const int fraction_bits = std::max(product.fraction_bits, c.fraction_bits);
    const auto units = [&](const Term& t) {
      return t.significand * power_of_two(static_cast<unsigned>(fraction_bits - t.fraction_bits));
    };
    const Bool none = product.is_zero();
    return {select(none, c.sign, product.sign), select(none, units(c), units(product)),
            select(none, c.exponent, product.exponent) - fraction_bits};
  }
};

}  // namespace

std::unique_ptr<Property> subnormal_results() { return std::make_unique<SubnormalResults>(); }

}  // namespace mmaspec
