// States scale-invariant in the language.

#include <algorithm>
#include <tuple>

#include "queries/numbers/exact.h"
#include "queries/property/property.h"
#include "queries/theorems/doubling.h"
#include "spec/parts/terms.h"
#include "util/unsigned.h"

namespace mmaspec {
namespace {

/// Doubling c and every a doubles the result as long as nothing overflows or is subnormal:
/// operands, products and results are zero or normal numbers of their formats, and products are
/// normal in d's format. Error analysis assumes this when it scales a problem (Higham, Accuracy and
/// Stability of Numerical Algorithms, 2nd ed., section 2.1).
class ScaleInvariant : public Property {
 public:
  std::string name() const override { return "scale-invariant"; }
  std::string summary() const override {
    return "doubling c and every a doubles d, unless a number overflows or becomes subnormal";
  }
  std::string source() const override { return "Higham, ASNA 2.1"; }
  bool is_of_conversions() const override { return false; }
  InputClass inputs() const override { return InputClass::normal; }
  UnderCondition under_condition() const override { return {Conditioned::the_given, kNotReduced}; }

  std::string not_applicable(const Subject& s) const override {
    return s.formats().a->largest_exponent() - s.formats().a->least_exponent() < 2
               ? "a has too few exponents"
               : "";
  }

  Relation relation(const StagePair& pair) const override {
    return pair.role == MarkRole::largest_exponent ? Relation::next : Relation::equal;
  }
  Derivable derivable() const override { return Derivable::related; }
  std::optional<Argument> holds_because(const Subject& s) const override {
    return argument_if(
        doubles_with_terms(s.first), TrustedTheorem::doubling,
        "every intermediate number doubles, and doubling changes no rounding, for every K");
  }

  /// Zero is a separate case because its exponent does not change.
  int cases(const Subject&) const override { return 2; }
  std::string case_name(const Subject&, int which) const override {
    return which == 0 ? "some term is not zero" : "all terms are zero";
  }

  Statement state(const Subject& s, int which) const override {
    const DotFormats& f = s.formats();
    const DotOperands in = dot_inputs(f);
    DotOperands one = in;
    DotOperands two = in;
    for (std::size_t k = 0; k < in.a.size(); ++k) {
      std::tie(one.a[k], two.a[k]) = with_double(*f.a, in.a[k]);
    }
    std::tie(one.c, two.c) = with_double(*f.c, in.c);
    const Run given = run(s, "given", one);
    const Run doubled = run(s, "doubled", two);
    const std::vector<Term> terms = exact_terms_of(f, one);
    std::vector<Bool> zero;
    std::vector<Bool> premises;
    for (const Term& t : terms) {
      zero.push_back(t.is_zero());
      premises.push_back(is_normal(*f.d, t));
    }
    premises.push_back(which == 0 ? !all_of(zero) : all_of(zero));
    premises.push_back(zero_or_normal(*f.d, given.d));
    premises.push_back(zero_or_normal(*f.d, doubled.d));
    const Int p1 = ordinal(*f.d, given.d);
    const Int p2 = ordinal(*f.d, doubled.d);
    const Integer step = power_of_two(u(f.d->fraction_bits));
    const Int doubled_place = select(p1 == 0, 0, p1 + select(p1 < 0, Integer(-step), step));
    return {{given, doubled}, premises, {p2 != doubled_place}};
  }

 private:
  /// The number and its double, for zeros and normal numbers whose double exists; larger exponents
  /// are reduced to the largest with a double.
  static std::pair<Int, Int> with_double(const Format& f, Int pattern) {
    const auto low = u(f.ignored_low_bits);
    const Int fraction = bits(pattern, low, u(f.fraction_bits));
    const Int field = bits(pattern, low + u(f.fraction_bits), u(f.exponent_bits));
    const Bool sign = f.has_sign ? bit(pattern, u(f.sign_bit())) : Bool(false);
    const Int kept = min(field, f.largest_exponent() - 1 + f.bias);
    const auto pack = [&](Int e) {
      const Int magnitude = e * power_of_two(u(f.fraction_bits)) + fraction;
      return with_sign(f, sign, magnitude * power_of_two(low));
    };
    return {pack(kept), pack(select(kept == 0, 0, kept + 1))};
  }

  static Bool zero_or_normal(const Format& f, Int pattern) {
    const Int p = abs(ordinal(f, pattern));
    return unpack(f, pattern).is_finite() && (p == 0 || p >= power_of_two(u(f.fraction_bits)));
  }
  static std::vector<Term> exact_terms_of(const DotFormats& f, const DotOperands& in) {
    const UnpackedOperands x = unpack(f, in);
    std::vector<Term> all;
    for (std::size_t k = 0; k < x.a.size(); ++k) all.push_back(scaled_product(f, x, k));
    all.push_back(as_term(*f.c, x.c));
    return all;
  }
  /// True if the term and its double are zero or normal in d's format.
  static Bool is_normal(const Format& d, const Term& t) {
    const Int exponent = t.exponent + bit_length(t.significand) - 1 - t.fraction_bits;
    return t.is_zero() || (exponent >= d.least_exponent() && exponent + 1 <= d.largest_exponent());
  }
};

}  // namespace

std::unique_ptr<Property> scale_invariant() { return std::make_unique<ScaleInvariant>(); }

}  // namespace mmaspec
