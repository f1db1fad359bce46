// States equivalent in the language.

#include "queries/numbers/exact.h"
#include "queries/property/property.h"
#include "queries/theorems/equal.h"

namespace mmaspec {
namespace {

/// Two instructions with the same formats give the same d. (`mmaspec diff` asks the same for any
/// two.)
class Equivalent : public Property {
 public:
  std::string name() const override { return "equivalent"; }
  std::string summary() const override { return "both units give the same d for the same inputs"; }
  std::string source() const override { return "-"; }
  bool of_two() const override { return true; }
  UnderCondition under_condition() const override { return {Conditioned::the_input, kNotReduced}; }
  bool is_of_integers() const override { return true; }

  std::optional<Argument> holds_because(const Subject& s) const override {
    return equal_because(s.first, *s.second);
  }

  Statement state(const Subject& s, int) const override {
    const Format& d = *s.formats().d;
    const DotOperands in = dot_inputs(s.formats());
    const Run one = run(s, s.first.label(), in);
    const Run two = run_second(s, s.second->label(), in);
    return {{one, two}, {}, {differ({}, d, one.d, d, two.d)}};
  }
};

}  // namespace

std::unique_ptr<Property> equivalent() { return std::make_unique<Equivalent>(); }

}  // namespace mmaspec
