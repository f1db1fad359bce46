#include "spec/plans/instructions/rounded_groups.h"

#include "spec/formats/convert.h"
#include "spec/parts/parameter_text.h"
#include "spec/parts/rounded_sum.h"

namespace mmaspec {
namespace {

constexpr const char* kMatrixDraft = "RISC-V Integrated Matrix Extension (draft), ";

/// The pattern of the exact sum of the products, rounded to d's format.
Int rounded_products(const DotFormats& formats, const DotOperands& in, int group,
                     Rounding rounding) {
  DotFormats of_products = formats;
  of_products.c = formats.d;
  of_products.scale = nullptr;
  of_products.scale_block = 0;
  DotOperands products = in;
  products.c = 0;
  products.scale_a.clear();
  products.scale_b.clear();
  const Int sum =
      build(ExactDotAdd{group, with_ieee_overflow(*formats.d, rounding)}, of_products, products);
  mark("pattern of a partial sum", sum, MarkRole::pattern);
  return sum;
}

/// c + s * factor with one rounding, where s is the exact sum of the products and `factor` is the
/// pattern of a positive number, an infinity or a NaN of d's format.
Int add_scaled_products(const DotFormats& formats, const DotOperands& in, Int factor,
                        const ResultFormat& result) {
  DotFormats plain = formats;
  plain.scale = nullptr;
  plain.scale_block = 0;
  const UnpackedOperands x =
      unpack(plain, {in.a, in.b, in.c, std::vector<Int>{}, std::vector<Int>{}});
  std::vector<Term> products;
  for (std::size_t k = 0; k < x.a.size(); ++k) products.push_back(scaled_product(plain, x, k));
  Integer least = products.at(0).exponent.range().low - products[0].fraction_bits;
  for (const Term& t : products) {
    least = std::min(least, Integer(t.exponent.range().low - t.fraction_bits));
  }
  Int sum = 0;
  {
    const Stage stage("sum");
    std::vector<Int> shifted;
    for (const Term& t : products) {
      shifted.push_back(
          negate_if(t.sign, shift_left(t.significand, t.exponent - t.fraction_bits - least)));
    }
    sum = total(shifted);
    mark("sum", sum, least, 0, MarkRole::sum);
  }
  const Unpacked f = unpack(*formats.d, factor);
  const Unpacked normal = unpack_normalized(*formats.d, factor);
  const Term scaled = normalized(
      {sum < 0, abs(sum) * normal.significand, normal.exponent + least, formats.d->fraction_bits});
  mark("scaled sum", negate_if(scaled.sign, scaled.significand), scaled.exponent,
       -scaled.fraction_bits);

  UnpackedOperands without_c = x;
  without_c.c = {false, 0, 0, false, false};
  const SpecialCase of_sum = special_case(without_c);
  const Bool both = of_sum.positive_infinity && of_sum.negative_infinity;
  const Bool infinite = of_sum.positive_infinity || of_sum.negative_infinity;
  const Bool positive = of_sum.positive_infinity || (!infinite && f.is_infinite && sum > 0);
  const Bool negative = of_sum.negative_infinity || (!infinite && f.is_infinite && sum < 0);
  const Bool not_a_number = of_sum.is_nan || both || f.is_nan ||
                            (infinite && f.is_finite() && f.is_zero()) ||
                            (!infinite && f.is_infinite && sum == 0);
  const Bool up = positive || (x.c.is_infinite && !x.c.sign);
  const Bool down = negative || (x.c.is_infinite && x.c.sign);
  const SpecialCase special{not_a_number || x.c.is_nan || (up && down), up, down};
  const Int d =
      rounded_sum(scaled, as_term(*formats.c, unpack_normalized(*formats.c, in.c)), result);
  return with_special_values(special, *formats.d, quiet_nan(*formats.d), d);
}

}  // namespace

ResultFormat with_ieee_overflow(const Format& format, Rounding rounding) {
  const bool to_nearest = rounding == Rounding::nearest_even || rounding == Rounding::nearest_away;
  return {&format, rounding, Underflow::gradual,
          to_nearest ? Overflow::to_infinity : Overflow::directed};
}

Int RoundedGroups::build(const DotFormats& formats, const DotOperands& operands) const {
  const Format& result = *formats.d;
  return chain(formats, operands, group_, [&](const DotFormats& part, const DotOperands& in) {
    const Int sum = rounded_products(part, in, group_, partial_);
    return add(*part.c, in.c, result, sum, with_ieee_overflow(result, rounding_),
               quiet_nan(result));
  });
}

bool RoundedGroups::equals(const Composition& other) const {
  const auto* same = dynamic_cast<const RoundedGroups*>(&other);
  return same != nullptr && group_ == same->group_ && partial_ == same->partial_ &&
         rounding_ == same->rounding_;
}

std::string RoundedGroups::reference() const {
  return std::string(kMatrixDraft) + "accumulation and rounding model";
}

std::vector<Parameter> RoundedGroups::parameters() const {
  return {{"group", std::to_string(group_), "products of one partial sum, which is exact"},
          {"partial_round", to_string(partial_), "rounding of a partial sum"},
          {"round", to_string(rounding_), "rounding of the sum of a partial sum and d"}};
}

Int ScaledGroups::build(const DotFormats& formats, const DotOperands& operands) const {
  const Format& d = *formats.d;
  const ResultFormat result = with_ieee_overflow(d, rounding_);
  const Integer nan = quiet_nan(d);
  return chain(formats, operands, group_, [&](const DotFormats& part, const DotOperands& in) {
    const auto as_d = [&](Int scale) {
      return converted({.round = rounding_, .overflow = result.overflow}, *formats.scale, scale, d);
    };
    const Int factor = multiply(d, as_d(in.scale_a.at(0)), d, as_d(in.scale_b.at(0)), result, nan);
    mark("pattern of the scale factors' product", factor, MarkRole::pattern);
    if (!partial_) return add_scaled_products(part, in, factor, result);
    const Int sum = rounded_products(part, in, group_, *partial_);
    const Int scaled = multiply(d, factor, d, sum, result, nan);
    mark("pattern of a scaled partial sum", scaled, MarkRole::pattern);
    return add(*part.c, in.c, d, scaled, result, nan);
  });
}

bool ScaledGroups::equals(const Composition& other) const {
  const auto* same = dynamic_cast<const ScaledGroups*>(&other);
  return same != nullptr && group_ == same->group_ && partial_ == same->partial_ &&
         rounding_ == same->rounding_;
}

std::string ScaledGroups::reference() const {
  return std::string(kMatrixDraft) + "microscaling support";
}

std::vector<Parameter> ScaledGroups::parameters() const {
  return {{"group", std::to_string(group_), "products of one partial sum, which is exact"},
          {"partial_round", partial_ ? to_string(*partial_) : "none",
           "rounding of a partial sum, and whether the scaled partial sum is rounded; none: "
           "neither"},
          {"round", to_string(rounding_),
           "rounding of scale factors, of their product, of scaled partial sums, and of their sums "
           "with d"}};
}

}  // namespace mmaspec
