#include "queries/exact.h"
#include "queries/properties/property.h"

namespace mmaspec {
namespace {

/// c <= c' implies f(c) <= f(c'). Fasi et al. found that tensor cores violate it: a larger c shifts
/// more bits of the products out. Mikaitis, "Monotonicity of multi-term floating-point adders".
class MonotoneC : public Property {
 public:
  std::string name() const override { return "monotone-c"; }
  std::string summary() const override { return "a larger c never gives a smaller result"; }
  std::string source() const override { return "Fasi et al. III-D5"; }

  std::vector<Extra> extras(const Subject& s) const override { return {{"c'", s.formats().c}}; }

  Statement state(const Subject& s, int) const override {
    const DotFormats& f = s.formats();
    const DotOperands in = dot_inputs(f);
    DotOperands other = in;
    other.c = input("c'", static_cast<unsigned>(f.c->storage_bits));
    const Run one = run(s, "c", in);
    const Run two = run(s, "c' >= c", other);
    const Bool numbers = !unpack(*f.d, one.d).is_nan && !unpack(*f.d, two.d).is_nan;
    return {{one, two},
            {place(*f.c, in.c) <= place(*f.c, other.c), numbers,
             place(*f.d, two.d) < place(*f.d, one.d)}};
  }
  bool violated(const Subject& s, int, const std::vector<RunValues>& runs) const override {
    const DotFormats& f = s.formats();
    if (decode(*f.d, runs[0].d).is_nan || decode(*f.d, runs[1].d).is_nan) return false;
    return place(*f.c, runs[0].operands.c) <= place(*f.c, runs[1].operands.c) &&
           place(*f.d, runs[1].d) < place(*f.d, runs[0].d);
  }
  void incline(const Subject& s, int, Candidate& candidate, Random& random) const override {
    // From just below a power of two to it; or to a number a few places above.
    const Format& f = *s.formats().c;
    Integer& c = candidate.values.c;
    const unsigned low = static_cast<unsigned>(f.ignored_low_bits);
    const Integer sign =
        f.has_sign ? Integer(c >> static_cast<unsigned>(f.sign_bit())) : Integer(0);
    Integer magnitude =
        (c >> low) % power_of_two(static_cast<unsigned>(f.fraction_bits + f.exponent_bits));
    const Integer unit = power_of_two(static_cast<unsigned>(f.fraction_bits));
    if (random() % 2 == 0) magnitude = magnitude / unit * unit;
    const Integer step = random() % 2 == 0 ? Integer(1) : Integer(random() % 64 + 1);
    Integer smaller = magnitude >= step ? Integer(magnitude - step) : Integer(0);
    if (random() % 8 == 0) smaller = Integer(random()) % (magnitude + 1);
    if (sign != 0) std::swap(smaller, magnitude);
    const auto pattern = [&](const Integer& m) {
      return Integer((m << low) + (sign << static_cast<unsigned>(f.has_sign ? f.sign_bit() : 0)));
    };
    c = pattern(smaller);
    candidate.extras["c'"] = pattern(magnitude);
  }
};

}  // namespace

std::unique_ptr<Property> monotone_c() { return std::make_unique<MonotoneC>(); }

}  // namespace mmaspec
