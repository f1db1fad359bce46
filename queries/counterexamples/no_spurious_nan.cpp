// no-spurious-nan on numbers.

#include "queries/counterexamples/counterexample.h"

namespace mmaspec {
namespace {

class NoSpuriousNan : public Counterexamples {
 public:
  bool violated(const Subject& s, int, const std::vector<RunValues>& runs) const override {
    const DotFormats& f = s.formats();
    return decode(*f.d, runs[0].d).is_nan && !deserved(f, runs[0].operands);
  }
  /// An infinity and a number that is flushed to zero; a sum that overflows, followed by an
  /// infinity of the other sign.
  void bias_sample(const Subject& s, int, Candidate& candidate, Random& random) const override {
    const DotFormats& f = s.formats();
    if (random() % 2 == 0 || !f.a->has_infinity()) return;
    const std::size_t k = random() % candidate.values.a.size();
    const Integer infinity = f.a->first_non_finite()
                             << static_cast<unsigned>(f.a->ignored_low_bits);
    if (random() % 2 == 0) {
      candidate.values.a[k] = infinity;
      candidate.values.b[k] = Integer(1) << static_cast<unsigned>(f.b->ignored_low_bits);
      return;
    }
    const auto largest = [](const Format& x) {
      return Integer(x.largest_finite() << x.ignored_low_bits);
    };
    candidate.values.c = largest(*f.c);
    candidate.values.a[0] = largest(*f.a);
    candidate.values.b[0] = largest(*f.b);
    candidate.values.a[k] = negated(*f.a, infinity);
    candidate.values.b[k] = largest(*f.b);
  }

 private:
  static bool deserved(const DotFormats& f, const DotValues& v) {
    const Decoded c = decode(*f.c, v.c);
    bool positive = c.is_infinite && !c.negative;
    bool negative = c.is_infinite && c.negative;
    bool nan = c.is_nan;
    for (std::size_t k = 0; k < v.a.size(); ++k) {
      const Decoded a = decode(*f.a, v.a[k]);
      const Decoded b = decode(*f.b, v.b[k]);
      const auto zero = [](const Decoded& x) { return x.is_finite() && x.significand == 0; };
      nan = nan || a.is_nan || b.is_nan || (a.is_infinite && zero(b)) || (b.is_infinite && zero(a));
      const bool infinite = a.is_infinite || b.is_infinite;
      if (infinite && f.scale != nullptr) {
        const std::size_t block = k / static_cast<std::size_t>(f.scale_block);
        nan = nan || zero(decode(*f.scale, v.scale_a[block])) ||
              zero(decode(*f.scale, v.scale_b[block]));
      }
      positive = positive || (infinite && a.negative == b.negative);
      negative = negative || (infinite && a.negative != b.negative);
    }
    for (const auto* scales : {&v.scale_a, &v.scale_b}) {
      for (const Integer& scale : *scales) nan = nan || decode(*f.scale, scale).is_nan;
    }
    return nan || (positive && negative);
  }
};

}  // namespace

std::unique_ptr<Counterexamples> counterexamples_of_no_spurious_nan() {
  return std::make_unique<NoSpuriousNan>();
}

}  // namespace mmaspec
