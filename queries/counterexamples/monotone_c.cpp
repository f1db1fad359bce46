// monotone-c on numbers.

#include "queries/counterexamples/bias.h"
#include "queries/counterexamples/counterexample.h"

namespace mmaspec {
namespace {

class MonotoneC : public Counterexamples {
 public:
  bool violated(const Subject& s, int, const std::vector<RunValues>& runs) const override {
    const DotFormats& f = s.formats();
    if (decode(*f.d, runs[0].d).is_nan || decode(*f.d, runs[1].d).is_nan) return false;
    return ordinal(*f.c, runs[0].operands.c) <= ordinal(*f.c, runs[1].operands.c) &&
           ordinal(*f.d, runs[1].d) < ordinal(*f.d, runs[0].d);
  }
  void bias_sample(const Subject& s, int, Candidate& candidate, Random& random) const override {
    if (are_integers(s.formats())) return;
    incline_c(s, candidate, random);
    if (s.form != Form::whole) return;
    // The next number or one a few steps away, as often as any number.
    const Format& c = *s.formats().c;
    const auto bits = random() % static_cast<unsigned>(c.fraction_bits + 4);
    const Integer steps = random() % 4 == 0 ? Integer(1) : 1 + Integer(random() >> (63 - bits));
    if (random() % 4 == 0) return;
    candidate.extras["c'"] = pattern_at(c, ordinal(c, candidate.values.c) + steps);
  }

 private:
  static void incline_c(const Subject& s, Candidate& candidate, Random& random) {
    const DotFormats& f = s.formats();
    if (random() % 4 != 0) return step_onto_one(f, candidate, random);
    if (random() % 3 != 0) return incline_to_step(*f.c, candidate.values.c, random);
    // c steps onto a power of two, or from zero to a subnormal number, whose exponent cuts all
    // products. The products have the same magnitude.
    const bool negative = random() % 2 == 0;
    const bool ones = random() % 2 == 0;
    const auto sign = [&] { return negative != (random() % 16 == 0); };
    if (f.scale != nullptr && random() % 2 == 0) {
      set_scales(f, candidate, -static_cast<int>(random() % 192));
      for (std::size_t k = 0; k < candidate.values.a.size(); ++k) {
        set_product(f, candidate, k, 0, sign(), ones, random);
      }
      candidate.values.c = 0;
      return;
    }
    set_scales(f, candidate, 0);
    const bool zero = random() % 2 == 0;
    const int top = f.a->largest_exponent() + f.b->largest_exponent();
    const int bottom = f.a->least_exponent() + f.b->least_exponent();
    const int reach = top - bottom + 1;
    const int exponent =
        zero ? f.d->least_exponent() - static_cast<int>(random() % 40)
             : top - static_cast<int>(random() % static_cast<unsigned>(std::min(reach, 60)));
    for (std::size_t k = 0; k < candidate.values.a.size(); ++k) {
      set_product(f, candidate, k, exponent, sign(), ones, random);
    }
    if (zero) {
      candidate.values.c = random() % 4 == 0 ? negated(*f.c, Integer(0)) : Integer(0);
      return;
    }
    candidate.values.c =
        number_at(*f.c, exponent + 8 + static_cast<int>(random() % 30), negative, false, random);
    incline_to_step(*f.c, candidate.values.c, random);
  }

  /// The simplest case: the number before 1, and products of one power of two that 1 may cut;
  /// next to them one product of the opposite sign of c, or none, so that the result has finer bits
  /// than c.
  static void step_onto_one(const DotFormats& f, Candidate& candidate, Random& random) {
    set_scales(f, candidate, 0);
    const int exponent = -12 - static_cast<int>(random() % 16);
    for (std::size_t k = 0; k < candidate.values.a.size(); ++k) {
      set_product(f, candidate, k, exponent, false, false, random);
      const Integer unit =
          power_of_two(static_cast<unsigned>(f.a->fraction_bits + f.a->ignored_low_bits));
      candidate.values.a[k] = candidate.values.a[k] / unit * unit;
    }
    if (random() % 2 == 0) {
      set_product(f, candidate, random() % candidate.values.a.size(),
                  -1 - static_cast<int>(random() % 3), true, false, random);
    }
    const Integer one = Integer(f.c->bias) << static_cast<unsigned>(f.c->fraction_bits);
    candidate.values.c = (one - 1) << f.c->ignored_low_bits;
  }
};

}  // namespace

std::unique_ptr<Counterexamples> counterexamples_of_monotone_c() {
  return std::make_unique<MonotoneC>();
}

}  // namespace mmaspec
