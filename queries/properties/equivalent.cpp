#include "queries/exact.h"
#include "queries/properties/property.h"

namespace mmaspec {
namespace {

/// Two instructions of the same formats give the same d. (`mmaspec diff` asks the same of any two.)
class Equivalent : public Property {
 public:
  std::string name() const override { return "equivalent"; }
  std::string summary() const override { return "the two give the same d for the same inputs"; }
  std::string source() const override { return "-"; }
  bool of_two() const override { return true; }

  Statement state(const Subject& s, int) const override {
    const Format& d = *s.formats().d;
    const DotOperands in = dot_inputs(s.formats());
    const Run one = run(s, s.first.name(), in);
    const Run two = run_second(s, s.second->name(), in);
    return {{one, two}, {differ({}, d, one.d, d, two.d)}};
  }
  bool violated(const Subject& s, int, const std::vector<RunValues>& runs) const override {
    return !same_value(*s.formats().d, runs[0].d, runs[1].d);
  }
};

}  // namespace

std::unique_ptr<Property> equivalent() { return std::make_unique<Equivalent>(); }

}  // namespace mmaspec
