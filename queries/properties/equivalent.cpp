#include "queries/numbers/exact.h"
#include "queries/property/bias_sample.h"
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
  bool violated(const Subject& s, int, const std::vector<RunValues>& runs) const override {
    return !same_value(*s.formats().d, runs[0].d, runs[1].d);
  }
  /// Two blocks of scale factors with the largest magnitudes cancel, next to the smallest of a
  /// third block.
  void bias_sample(const Subject& s, int, Candidate& candidate, Random& random) const override {
    const DotFormats& f = s.formats();
    DotValues& v = candidate.values;
    if (f.scale == nullptr || v.scale_a.size() < 3 || random() % 4 != 0) return;
    const auto block = static_cast<std::size_t>(f.scale_block);
    const auto put = [&](std::size_t i, const Integer& a, const Integer& b, const Integer& scale) {
      v.a[i * block] = a << f.a->ignored_low_bits;
      v.b[i * block] = b << f.b->ignored_low_bits;
      v.scale_a[i] = v.scale_b[i] = scale;
    };
    leave_one_product(candidate, v.a.size());
    const Integer power = power_of_two(static_cast<unsigned>(f.a->fraction_bits));
    const Integer a = f.a->largest_finite() / power * power;
    const Integer large = f.scale->largest_finite() - Integer(random() % 64);
    put(0, a, f.b->largest_finite(), large);
    put(1, negated(*f.a, a << f.a->ignored_low_bits) >> f.a->ignored_low_bits,
        f.b->largest_finite(), large);
    put(2, 1, 1, 1 + Integer(random() % 8));
    if (random() % 2 == 0) v.c = 0;
  }
};

}  // namespace

std::unique_ptr<Property> equivalent() { return std::make_unique<Equivalent>(); }

}  // namespace mmaspec
