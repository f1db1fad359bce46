// Properties that compare the result with the exact one, on numbers: exact-when-representable,
// faithful, correctly-rounded and refines.

#include "queries/counterexamples/counterexample.h"

namespace mmaspec {
namespace {

class ExactWhenRepresentable : public Counterexamples {
 public:
  bool violated(const Subject& s, int, const std::vector<RunValues>& runs) const override {
    const Format& d = *s.formats().d;
    const auto exact = exact_dot(s.formats(), runs[0].operands);
    if (!exact) return false;
    if (d.is_integer()) {
      return *exact >= Rational(d.least_integer()) && *exact <= Rational(d.largest_integer()) &&
             decode(d, runs[0].d).value() != *exact;
    }
    const Neighbours near = neighbours(d, *exact);
    return same_value(d, near.below, near.above) && !same_value(d, runs[0].d, near.below);
  }
};

class Faithful : public Counterexamples {
 public:
  bool violated(const Subject& s, int, const std::vector<RunValues>& runs) const override {
    const Format& d = *s.formats().d;
    const auto exact = exact_dot(s.formats(), runs[0].operands);
    if (!exact) return false;
    const Neighbours near = neighbours(d, *exact);
    return !same_value(d, runs[0].d, near.below) && !same_value(d, runs[0].d, near.above);
  }
};

class CorrectlyRounded : public Counterexamples {
 public:
  bool violated(const Subject& s, int, const std::vector<RunValues>& runs) const override {
    const Format& d = *s.formats().d;
    const auto exact = exact_dot(s.formats(), runs[0].operands);
    return exact && !same_value(d, runs[0].d, nearest_even(d, *exact));
  }
};

class Refines : public Counterexamples {
 public:
  bool violated(const Subject& s, int, const std::vector<RunValues>& runs) const override {
    const Format& f = *s.formats().d;
    const auto exact = exact_dot(s.formats(), runs[0].operands);
    if (!exact) return false;
    const Decoded x = decode(f, runs[0].d);
    const Decoded y = decode(f, runs[1].d);
    if (x.is_nan) return !y.is_nan;
    if (x.is_infinite) return y.is_finite();
    return y.is_finite() && boost::multiprecision::abs(Rational(x.value() - *exact)) >
                                boost::multiprecision::abs(Rational(y.value() - *exact));
  }
};

}  // namespace

std::unique_ptr<Counterexamples> counterexamples_of_exact_when_representable() {
  return std::make_unique<ExactWhenRepresentable>();
}
std::unique_ptr<Counterexamples> counterexamples_of_faithful() {
  return std::make_unique<Faithful>();
}
std::unique_ptr<Counterexamples> counterexamples_of_correctly_rounded() {
  return std::make_unique<CorrectlyRounded>();
}
std::unique_ptr<Counterexamples> counterexamples_of_refines() {
  return std::make_unique<Refines>();
}

}  // namespace mmaspec
