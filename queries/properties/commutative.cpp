// States commutative in the language.

#include "queries/numbers/exact.h"
#include "queries/property/reduction.h"

namespace mmaspec {
namespace {

/// f does not change when a[k] and b[k] are exchanged, for any set of k; reduced, for one k. IEEE
/// 754-2019 requires that of a product; Mikaitis, "Monotonicity of multi-term floating-point
/// adders", assumes it.
class Commutative : public Property {
 public:
  std::string name() const override { return "commutative"; }
  std::string summary() const override {
    return "exchanging a[k] and b[k], for any k, does not change the result";
  }
  std::string source() const override { return "IEEE 754-2019, 5.4.1"; }
  bool is_of_conversions() const override { return false; }
  UnderCondition under_condition() const override {
    return {Conditioned::both, is_kept_by_each_swap};
  }
  bool is_of_integers() const override { return true; }

  std::string not_applicable(const Subject& s) const override {
    return *s.formats().a == *s.formats().b ? "" : "a and b have different formats";
  }
  int cases(const Subject& s) const override { return s.form == Form::whole ? 1 : s.formats().k; }
  std::string case_name(const Subject& s, int k) const override {
    if (s.form == Form::whole) return "some a[k] and b[k] swapped";
    return "a[" + std::to_string(k) + "] and b[" + std::to_string(k) + "] swapped";
  }
  std::vector<Extra> extras(const Subject& s) const override {
    std::vector<Extra> all;
    for (int k = 0; s.form == Form::whole && k < s.formats().k; ++k)
      all.push_back({switch_of(k), 1});
    return all;
  }

  Statement state(const Subject& s, int which) const override {
    const DotOperands in = dot_inputs(s.formats());
    DotOperands swapped = in;
    for (int i = 0; i < s.formats().k; ++i) {
      const auto k = static_cast<std::size_t>(i);
      const Bool made = s.form == Form::whole ? input(switch_of(i), 1) == 1 : Bool(i == which);
      swapped.a[k] = select(made, in.b[k], in.a[k]);
      swapped.b[k] = select(made, in.a[k], in.b[k]);
    }
    const Run one = run(s, "given", in);
    const Run two = run(s, case_name(s, which), swapped);
    const Format& f = *s.formats().d;
    return {{one, two}, {}, {differ({}, f, one.d, f, two.d)}};
  }

 private:
  static std::string switch_of(int k) { return "swap " + std::to_string(k); }
};

}  // namespace

std::unique_ptr<Property> commutative() { return std::make_unique<Commutative>(); }

}  // namespace mmaspec
