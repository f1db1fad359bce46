// no-early-overflow on numbers.

#include "queries/counterexamples/bias.h"
#include "queries/counterexamples/counterexample.h"
#include "queries/theorems/known_design.h"

namespace mmaspec {
namespace {

class NoEarlyOverflow : public Counterexamples {
 public:
  bool violated(const Subject& s, int, const std::vector<RunValues>& runs) const override {
    const Format& d = *s.formats().d;
    const auto exact = exact_dot(s.formats(), runs[0].operands);
    return exact && !decode(d, runs[0].d).is_finite() &&
           decode(d, nearest_even(d, *exact)).is_finite();
  }
  void bias_sample(const Subject& s, int, Candidate& candidate, Random& random) const override {
    const DotFormats& f = s.formats();
    if (random() % 8 == 0) return sum_to_the_limit(s, candidate, random);
    const auto near_top = [&](const Format& format) {
      const Integer top = format.largest_finite() << format.ignored_low_bits;
      const Integer fraction =
          power_of_two(static_cast<unsigned>(format.fraction_bits + format.ignored_low_bits));
      Integer pattern = top;
      if (random() % 3 != 0) pattern -= Integer(random() % 3) * fraction;
      if (random() % 2 == 0) pattern -= Integer(random()) % fraction;
      pattern = std::max(pattern, Integer(0));
      pattern = (pattern >> format.ignored_low_bits) << format.ignored_low_bits;
      return format.has_sign && random() % 2 == 0 ? negated(format, pattern) : pattern;
    };
    if (random() % 2 == 0) candidate.values.c = near_top(*f.c);
    for (std::size_t k = 0; k < candidate.values.a.size(); ++k) {
      switch (random() % 4) {
        case 0:
          candidate.values.a[k] = near_top(*f.a);
          candidate.values.b[k] = near_top(*f.b);
          break;
        case 1:
          candidate.values.a[k] = near_top(*f.a);
          break;
        default:
          break;
      }
    }
    // The largest number plus half an ulp, minus a little: a tie if that little is cut.
    if (random() % 4 == 0) {
      candidate.values.c = f.c->largest_finite() << f.c->ignored_low_bits;
      leave_one_product(candidate, candidate.values.a.size());
      set_product(f, candidate, 0, f.d->largest_exponent() - f.d->fraction_bits - 1, false, false,
                  random);
      const Integer unit =
          power_of_two(static_cast<unsigned>(f.a->fraction_bits + f.a->ignored_low_bits));
      candidate.values.a[0] = candidate.values.a[0] / unit * unit;
      if (candidate.values.a.size() > 1) {
        const Integer least = Integer(1) << f.a->ignored_low_bits;
        candidate.values.a[1] = f.a->has_sign ? negated(*f.a, least) : least;
        candidate.values.b[1] = Integer(1) << f.b->ignored_low_bits;
      }
      return;
    }
    // The largest number plus an ulp, and many terms of the other sign that alignment cuts to zero.
    if (random() % 3 == 0) {
      candidate.values.c = f.c->largest_finite() << f.c->ignored_low_bits;
      const int above = f.d->largest_exponent() - f.d->fraction_bits;
      const int reach = f.a->largest_exponent() + f.b->largest_exponent() - 1;
      set_scales(f, candidate, std::max(above - reach, 0));
      const int ulp = f.scale != nullptr ? std::min(above, reach) : above;
      const int cut = ulp - 1 - static_cast<int>(random() % 4);
      for (std::size_t k = 0; k < candidate.values.a.size(); ++k) {
        set_product(f, candidate, k, k == 0 ? ulp : cut, k != 0, k != 0, random);
        if (k != 0) continue;
        // Exactly one ulp.
        Integer& a = candidate.values.a[0];
        const Integer unit =
            power_of_two(static_cast<unsigned>(f.a->fraction_bits + f.a->ignored_low_bits));
        a = a / unit * unit;
      }
    }
  }

 private:
  /// Terms whose sum rounds to infinity, and a negative c that a larger exponent cuts.
  static void sum_to_the_limit(const Subject& s, Candidate& candidate, Random& random) {
    const DotFormats& f = s.formats();
    const std::optional<int> places = alignment_bits(s.first.algorithm);
    if (!places) return;
    const std::size_t k = candidate.values.a.size();
    const int top = f.d->largest_exponent();
    const int last_bit = top - f.d->fraction_bits;
    if (f.scale == nullptr) {
      const Rational limit = rational_power_of_two(top + 1) - rational_power_of_two(last_bit - 1);
      set_products_to_sum(f, candidate, 0, k, limit, false, random);
      candidate.values.c =
          negated(*f.c, Integer(1) << static_cast<unsigned>(f.c->ignored_low_bits));
      return;
    }
    // The least product 2^g that is too large, with a scale factor for which it is cut to d's last
    // bit; and a block with another scale factor that subtracts all except the limit.
    const int exponent = last_bit + *places;
    const int least =
        f.a->least_exponent() - f.a->fraction_bits + f.b->least_exponent() - f.b->fraction_bits;
    const int gap = exponent + least - top - 1;
    const auto blocks = candidate.values.scale_a.size();
    if (gap < 1 || blocks < 2) return;
    leave_one_product(candidate, k);
    candidate.values.a[0] = Integer(1) << static_cast<unsigned>(f.a->ignored_low_bits);
    candidate.values.b[0] = Integer(1) << static_cast<unsigned>(f.b->ignored_low_bits);
    const auto block = static_cast<std::size_t>(f.scale_block);
    set_products_to_sum(f, candidate, block, 2 * block, rational_power_of_two(gap) - 1, true,
                        random);
    set_scales(f, candidate, top + 1);
    Candidate first = candidate;
    set_scales(f, first, exponent);
    candidate.values.scale_a[0] = first.values.scale_a[0];
    candidate.values.scale_b[0] = first.values.scale_b[0];
    candidate.values.c = number_at(*f.c, last_bit - 1, true, true, random);
  }
};

}  // namespace

std::unique_ptr<Counterexamples> counterexamples_of_no_early_overflow() {
  return std::make_unique<NoEarlyOverflow>();
}

}  // namespace mmaspec
