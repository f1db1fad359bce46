// States negation-symmetric in the language.

#include "queries/numbers/exact.h"
#include "queries/property/property.h"
#include "queries/theorems/steps.h"

namespace mmaspec {
namespace {

/// f(-c, -a, b) = -f(c, a, b). It fails for directed rounding: CDNA3 rounds down (MMA-Sim section
/// VI-C).
class NegationSymmetric : public Property {
 public:
  std::string name() const override { return "negation-symmetric"; }
  std::string summary() const override {
    return "negating c and all a negates the result: no rounding has a direction";
  }
  std::string source() const override { return "MMA-Sim VI-C"; }
  UnderCondition under_condition() const override { return {Conditioned::the_given, kNotReduced}; }

  Relation relation(const StagePair& pair) const override {
    if (pair.format != nullptr) return Relation::negated_pattern;
    return pair.role == MarkRole::largest_exponent ? Relation::equal : Relation::negated;
  }
  Derivable derivable() const override { return Derivable::related; }
  std::optional<Argument> holds_because(const Subject& s) const override {
    return argument_if(treats_signs_alike(s.first), TrustedTheorem::sign_symmetry,
                       "each step cuts and rounds by magnitude, for every K");
  }

  Statement state(const Subject& s, int) const override {
    const DotFormats& f = s.formats();
    const DotOperands in = dot_inputs(f);
    DotOperands other = in;
    for (Int& a : other.a) a = negated(*f.a, a);
    other.c = negated(*f.c, in.c);
    const Run one = run(s, "given", in);
    const Run two = run(s, "negated", other);
    return {{one, two}, {}, {differ({}, *f.d, one.d, *f.d, negated(*f.d, two.d))}};
  }
};

}  // namespace

std::unique_ptr<Property> negation_symmetric() { return std::make_unique<NegationSymmetric>(); }

}  // namespace mmaspec
