// States refines in the language.

#include "queries/numbers/exact.h"
#include "queries/property/property.h"

namespace mmaspec {
namespace {

/// The first one's d is never farther from the exact result than the second one's. NaN counts as
/// farther than infinity, and infinity as farther than every number.
class Refines : public Property {
 public:
  std::string name() const override { return "refines"; }
  std::string summary() const override {
    return "the first unit is never further from the exact result than the second";
  }
  std::string source() const override { return "Valpey et al."; }
  bool of_two() const override { return true; }
  UnderCondition under_condition() const override { return {Conditioned::the_input, kNotReduced}; }
  bool is_of_integers() const override { return true; }

  Statement state(const Subject& s, int) const override {
    const DotFormats& f = s.formats();
    const DotOperands in = dot_inputs(f);
    const Run one = run(s, s.first.label(), in);
    const Run two = run_second(s, s.second->label(), in);
    const ExactTerms exact = exact_terms(f, in);
    const Int sum = total(exact.terms);
    const Unpacked x = unpack(*f.d, one.d);
    const Unpacked y = unpack(*f.d, two.d);
    const Int dx = abs(in_unit(*f.d, one.d, exact.unit) - sum);
    const Int dy = abs(in_unit(*f.d, two.d, exact.unit) - sum);
    const Bool further = (x.is_nan && !y.is_nan) || (x.is_infinite && y.is_finite()) ||
                         (x.is_finite() && y.is_finite() && dx > dy);
    return {{one, two}, {}, {differ({}, *f.d, one.d, *f.d, two.d), further}};
  }
};

}  // namespace

std::unique_ptr<Property> refines() { return std::make_unique<Refines>(); }

}  // namespace mmaspec
