#include "queries/exact.h"
#include "queries/properties/property.h"

namespace mmaspec {
namespace {

/// f is the same when a[k] and b[k] change places. IEEE 754-2019 asks that of a product; Mikaitis,
/// "Monotonicity of multi-term floating-point adders", takes it for granted.
class Commutative : public Property {
 public:
  std::string name() const override { return "commutative"; }
  std::string summary() const override {
    return "a[k] and b[k] can change places, for any k, and the result stays";
  }
  std::string source() const override { return "IEEE 754-2019, 5.4.1"; }

  std::string not_applicable(const Subject& s) const override {
    return *s.formats().a == *s.formats().b ? "" : "a and b have different formats";
  }
  int cases(const Subject& s) const override { return s.formats().k; }
  std::string case_name(const Subject&, int k) const override {
    return "a[" + std::to_string(k) + "] and b[" + std::to_string(k) + "] swapped";
  }

  Statement state(const Subject& s, int which) const override {
    const auto k = static_cast<std::size_t>(which);
    const DotOperands in = dot_inputs(s.formats());
    DotOperands swapped = in;
    std::swap(swapped.a[k], swapped.b[k]);
    const Run one = run(s, "given", in);
    const Run two = run(s, case_name(s, which), swapped);
    const Format& f = *s.formats().d;
    return {{one, two}, {differ({}, f, one.d, f, two.d)}};
  }
  bool violated(const Subject& s, int, const std::vector<RunValues>& runs) const override {
    return !same_value(*s.formats().d, runs[0].d, runs[1].d);
  }
};

}  // namespace

std::unique_ptr<Property> commutative() { return std::make_unique<Commutative>(); }

}  // namespace mmaspec
