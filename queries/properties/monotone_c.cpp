// States monotone-c in the language.

#include "queries/numbers/exact.h"
#include "queries/property/reduction.h"
#include "queries/property/successor.h"
#include "queries/theorems/steps.h"

namespace mmaspec {
namespace {

/// c <= c' implies f(c) <= f(c'), so that both zeros give the same number. Reduced: for c' next to
/// c. The whole follows, because there is no number between neighbours, and each zero is next to
/// the other zero and to both numbers next to it. Fasi et al. found that tensor cores violate it: a
/// larger c shifts out more bits of the products. Mikaitis, "Monotonicity of multi-term
/// floating-point adders".
class MonotoneC : public Property {
 public:
  std::string name() const override { return "monotone-c"; }
  std::string summary() const override { return "a larger c never gives a smaller result"; }
  std::string source() const override { return "Fasi et al. III-D5"; }
  UnderCondition under_condition() const override { return {Conditioned::both, is_interval_of_c}; }
  bool is_of_integers() const override { return true; }
  bool is_of_ordered_formats() const override { return true; }
  std::string not_applicable(const Subject& s) const override {
    const DotFormats& f = s.formats();
    const bool is_ordered = f.d->has_sign && f.c->has_sign && f.c->has_nan() &&
                            f.c->specials != Specials::nan_minus_zero;
    return is_conversion(f) && !is_ordered
               ? "its operand has no sign, no NaN or no -0, or its result no sign"
               : "";
  }
  Derivable derivable() const override { return Derivable::order; }

  Relation relation(const StagePair& pair) const override {
    return pair.format != nullptr ? Relation::ordered : Relation::equal;
  }
  std::optional<Argument> holds_because(const Subject& s) const override {
    if (has_rounded_steps(s.first) || adds_c_last(s.first)) {
      return Argument{TrustedTheorem::monotone_steps,
                      "each step that c goes through rounds an exact sum once, for every K"};
    }
    if (is_monotone_conversion(s.first)) {
      return Argument{TrustedTheorem::monotone_steps, "its rounding is monotone"};
    }
    if (saturates(s.first)) return Argument{TrustedTheorem::saturating_sum, kSaturates};
    return argument_if(c_outweighs_cuts(s.first), TrustedTheorem::accumulator_outweighs,
                       "a step of c adds no less than what its larger exponent cuts from the "
                       "other terms of a block, for a chain of any length");
  }

  std::vector<Extra> extras(const Subject& s) const override {
    if (s.form == Form::whole) return {extra("c'", *s.formats().c)};
    return {{"other zero", 1}};
  }

  Statement state(const Subject& s, int) const override {
    const DotFormats& f = s.formats();
    const bool whole = s.form == Form::whole;
    const DotOperands in = dot_inputs(f);
    DotOperands other = in;
    other.c = whole ? input("c'", static_cast<unsigned>(f.c->storage_bits))
                    : successor(*f.c, in.c, input("other zero", 1) == 1);
    const Run one = run(s, "c", in);
    const Run two = run(s, whole ? "a larger c" : "the next c", other);
    const Bool numbers = !unpack(*f.d, one.d).is_nan && !unpack(*f.d, two.d).is_nan;
    std::vector<Bool> premises{numbers};
    // The case of equal c is excluded.
    if (whole) {
      premises.push_back(ordinal(*f.c, in.c) <= ordinal(*f.c, other.c) && in.c != other.c);
    }
    return {{one, two}, premises, {ordinal(*f.d, two.d) < ordinal(*f.d, one.d)}};
  }
};

}  // namespace

std::unique_ptr<Property> monotone_c() { return std::make_unique<MonotoneC>(); }

}  // namespace mmaspec
