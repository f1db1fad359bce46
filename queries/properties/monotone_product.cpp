// States monotone-product in the language.

#include "queries/property/property.h"
#include "queries/theorems/known_design.h"
#include "queries/theorems/steps.h"
#include "spec/formats/integer.h"
#include "spec/parts/terms.h"

namespace mmaspec {
namespace {

/// The same as monotone-c for one product, for all factors: a[k] b[k] <= a' b' implies f <= f'.
/// This includes equal products: 1.5 * 1.5 and 1.125 * 2 have different exponents before
/// normalization, and tensor cores do not normalize products.
class MonotoneProduct : public Property {
 public:
  std::string name() const override { return "monotone-product"; }
  std::string summary() const override { return "a larger product never gives a smaller result"; }
  std::string source() const override { return "Fasi et al. III-D5; Mikaitis 2023"; }
  bool is_of_conversions() const override { return false; }
  UnderCondition under_condition() const override { return {Conditioned::both, kNotReduced}; }
  bool is_of_integers() const override { return true; }
  Derivable derivable() const override { return Derivable::order; }

  std::vector<Extra> extras(const Subject& s) const override {
    return {extra("a'", *s.formats().a), extra("b'", *s.formats().b)};
  }
  int cases(const Subject& s) const override { return s.formats().k; }
  std::string case_name(const Subject&, int k) const override {
    return "product " + std::to_string(k);
  }

  Relation relation(const StagePair& pair) const override {
    return pair.format != nullptr ? Relation::ordered : Relation::equal;
  }
  std::optional<Argument> holds_because(const Subject& s) const override {
    if (rounds_each_exact_result(s.first)) {
      return Argument{TrustedTheorem::monotone_steps,
                      "each step that the product goes through rounds an exact result once, for "
                      "every K"};
    }
    if (saturates(s.first)) return Argument{TrustedTheorem::saturating_sum, kSaturates};
    return argument_if(groups_outweigh_cuts(s.first), TrustedTheorem::group_outweighs,
                       "groups are summed exactly, and one that is not zero is larger than all "
                       "that its exponent cuts");
  }

  Statement state(const Subject& s, int which) const override {
    const auto k = static_cast<std::size_t>(which);
    const DotFormats& f = s.formats();
    const DotOperands in = dot_inputs(f);
    DotOperands other = in;
    other.a[k] = input("a'", static_cast<unsigned>(f.a->storage_bits));
    other.b[k] = input("b'", static_cast<unsigned>(f.b->storage_bits));
    const Run one = run(s, "given", in);
    const Run two = run(s, "a larger product", other);
    const Bool numbers = !unpack(*f.d, one.d).is_nan && !unpack(*f.d, two.d).is_nan;
    return {{one, two},
            {order(f, in.a[k], in.b[k]) <= order(f, other.a[k], other.b[k]), numbers},
            {ordinal(*f.d, two.d) < ordinal(*f.d, one.d)}};
  }

 private:
  /// An integer that increases with the product: 0 for zero, otherwise exponent and significand.
  static Int order(const DotFormats& f, Int a, Int b) {
    if (are_integers(f)) return integer_value(*f.a, a) * integer_value(*f.b, b);
    const Term p = normalized(exact_product(*f.a, unpack(*f.a, a), *f.b, unpack(*f.b, b)));
    const Integer least = p.exponent.range().low - 1;
    const Int key =
        (p.exponent - least) * power_of_two(bit_length(p.significand.range().high)) + p.significand;
    return negate_if(p.sign, select(p.is_zero(), 0, key));
  }
};

}  // namespace

std::unique_ptr<Property> monotone_product() { return std::make_unique<MonotoneProduct>(); }

}  // namespace mmaspec
