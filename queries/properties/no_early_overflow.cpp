// States no-early-overflow in the language.

#include <algorithm>

#include "queries/numbers/exact.h"
#include "queries/theorems/known_design.h"
#include "queries/theorems/steps.h"

namespace mmaspec {
namespace {

/// d is infinite (NaN if d's format lacks infinity) only if the exact result, rounded to nearest,
/// is infinite. CDNA3's products overflow at 2^128 even if their sum does not (MMA-Sim section
/// IV-F).
class NoEarlyOverflow : public Property {
 public:
  std::string name() const override { return "no-early-overflow"; }
  std::string summary() const override {
    return "d is infinite only if the exact result rounds to infinity";
  }
  std::string source() const override { return "MMA-Sim IV-F"; }
  Derivable derivable() const override { return Derivable::early_overflow; }
  UnderCondition under_condition() const override { return {Conditioned::the_input, kNotReduced}; }

  std::optional<Argument> holds_because(const Subject& s) const override {
    if (overflows_no_earlier(s.first)) return Argument{TrustedTheorem::one_rounding, kRoundedOnce};
    if (is_exact_near_overflow(s.first)) {
      return Argument{TrustedTheorem::exact_near_overflow,
                      "sums that could overflow are exact before they do"};
    }
    if (cannot_overflow(s.first)) {
      return Argument{TrustedTheorem::no_overflow, "no finite operands overflow, for every K"};
    }
    // The condition limits operands to such a range.
    const auto range = s.range ? s.range() : std::nullopt;
    return argument_if(range && error_in_range(s.first, *range),
                       TrustedTheorem::no_overflow_in_range,
                       "no step overflows on operands so small");
  }

  Statement state(const Subject& s, int) const override {
    const DotFormats& f = s.formats();
    const DotOperands in = dot_inputs(f);
    const Run one = run(s, "given", in);
    const Int nearest = exact_rounded(f, in, Rounding::nearest_even);
    return {{one}, {unpack(*f.d, nearest).is_finite()}, {!unpack(*f.d, one.d).is_finite()}};
  }
};

}  // namespace

std::unique_ptr<Property> no_early_overflow() { return std::make_unique<NoEarlyOverflow>(); }

}  // namespace mmaspec
