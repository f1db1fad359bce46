// Properties that two evaluations have the same result, on numbers: commutative,
// permutation-invariant, single-normalization and equivalent.

#include "queries/counterexamples/bias.h"
#include "queries/counterexamples/counterexample.h"

namespace mmaspec {
namespace {

class EqualResults : public Counterexamples {
 public:
  bool violated(const Subject& s, int, const std::vector<RunValues>& runs) const override {
    return !same_value(*s.formats().d, runs[0].d, runs[1].d);
  }
};

class PermutationInvariant : public EqualResults {
 public:
  /// Few swaps are as likely as many.
  void bias_sample(const Subject& s, int, Candidate& candidate, Random& random) const override {
    if (s.form != Form::whole || random() % 2 == 0) return;
    const auto least = static_cast<int>(random() % 4);
    for (auto& [name, made] : candidate.extras) {
      for (int i = 0; i < least; ++i) {
        if (random() % 2 == 0) made = 0;
      }
    }
  }
};

class Equivalent : public EqualResults {
 public:
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

std::unique_ptr<Counterexamples> counterexamples_of_commutative() {
  return std::make_unique<EqualResults>();
}
std::unique_ptr<Counterexamples> counterexamples_of_permutation_invariant() {
  return std::make_unique<PermutationInvariant>();
}
std::unique_ptr<Counterexamples> counterexamples_of_single_normalization() {
  return std::make_unique<EqualResults>();
}
std::unique_ptr<Counterexamples> counterexamples_of_equivalent() {
  return std::make_unique<Equivalent>();
}

}  // namespace mmaspec
