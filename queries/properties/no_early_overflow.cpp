#include <algorithm>

#include "queries/exact.h"
#include "queries/properties/incline.h"
#include "queries/steps.h"

namespace mmaspec {
namespace {

/// d is infinite (NaN, where d's format has no infinity) only if the exact result, rounded to
/// nearest, is. CDNA3's products overflow at 2^128 though their sum need not (MMA-Sim section
/// IV-F).
class NoEarlyOverflow : public Property {
 public:
  std::string name() const override { return "no-early-overflow"; }
  std::string summary() const override {
    return "d is infinite only if the exact result rounds to infinity";
  }
  std::string source() const override { return "MMA-Sim IV-F"; }

  std::string holds_because(const Subject& s) const override {
    return is_correctly_rounded(s.first) ? "the exact result is all that is rounded, once" : "";
  }

  Statement state(const Subject& s, int) const override {
    const DotFormats& f = s.formats();
    const DotOperands in = dot_inputs(f);
    const Run one = run(s, "given", in);
    const Int nearest = exact_rounded(f, in, Rounding::nearest_even);
    return {{one}, {!unpack(*f.d, one.d).is_finite(), unpack(*f.d, nearest).is_finite()}};
  }
  bool violated(const Subject& s, int, const std::vector<RunValues>& runs) const override {
    const Format& d = *s.formats().d;
    const auto exact = exact_dot(s.formats(), runs[0].operands);
    return exact && !decode(d, runs[0].d).is_finite() &&
           decode(d, nearest_even(d, *exact)).is_finite();
  }
  void incline(const Subject& s, int, Candidate& candidate, Random& random) const override {
    const DotFormats& f = s.formats();
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
    // The largest number, half an ulp more, and a little less: a tie, where that little is cut.
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
    // The largest number, an ulp more, and many terms against it that alignment cuts to nothing.
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
        // An ulp and no more.
        Integer& a = candidate.values.a[0];
        const Integer unit =
            power_of_two(static_cast<unsigned>(f.a->fraction_bits + f.a->ignored_low_bits));
        a = a / unit * unit;
      }
    }
  }
};

}  // namespace

std::unique_ptr<Property> no_early_overflow() { return std::make_unique<NoEarlyOverflow>(); }

}  // namespace mmaspec
