// States carry-bits in the language.

#include "queries/property/carry_limit.h"

namespace mmaspec {
namespace {

/// No fused sum overflows a register with N bits above the two integer bits of a product: its
/// magnitude is below 2^(2 + N) in units of 2^e_max. Valpey et al. ask how many bits the sum of
/// five terms needs; three, two are too few.
class CarryBits : public Property {
 public:
  std::string name() const override { return "carry-bits"; }
  std::string summary() const override {
    return "a fused sum never overflows with N bits above a product's two integer bits";
  }
  std::string source() const override { return "Valpey et al."; }
  bool is_of_conversions() const override { return false; }
  UnderCondition under_condition() const override { return {Conditioned::the_input, kNotReduced}; }

  std::string not_applicable(const Subject& s) const override {
    return fused_fraction_bits(s) ? "" : "it has no fused sum of a fixed width";
  }
  std::vector<Rational> parameters(const Subject& s) const override {
    std::vector<Rational> all;
    int most = 1;
    while ((1 << most) < s.formats().k * 2) ++most;
    for (int n = 0; n <= most + 2; ++n) all.emplace_back(n);
    return all;
  }

  Statement state(const Subject& s, int) const override {
    const DotOperands in = dot_inputs(s.formats());
    const std::size_t before = Graph::current().marks().size();
    const Run one = run(s, "given", in);
    const Integer limit = carry_limit(s);
    std::vector<Bool> beyond;
    const auto& marks = Graph::current().marks();
    for (std::size_t i = before; i < marks.size(); ++i) {
      if (marks[i].role == MarkRole::sum) beyond.push_back(abs(Int::of(marks[i].node)) >= limit);
    }
    return {{one}, {}, {any_of(beyond)}};
  }
};

}  // namespace

std::unique_ptr<Property> carry_bits() { return std::make_unique<CarryBits>(); }

}  // namespace mmaspec
