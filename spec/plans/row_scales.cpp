// Rows scaled by their largest magnitude, and the division for it.
#include "spec/plans/row_scales.h"

#include <stdexcept>

#include "spec/formats/convert.h"
#include "spec/formats/unpack.h"
#include "spec/plans/kernel_schemes.h"
#include "spec/plans/operand_schemes.h"

namespace mmaspec {
namespace {

constexpr int kMostScaledBits = 16;  // for formats to which operands are scaled

void require_scalable(bool holds, const std::string& otherwise) {
  if (!holds) throw std::invalid_argument(otherwise);
}

std::vector<const Format*> scalable_formats() {
  std::vector<const Format*> all;
  for (const Format* f : all_formats()) {
    if (!f->is_integer() && f->has_sign && f->has_zero && f->storage_bits <= 32) all.push_back(f);
  }
  return all;
}

/// For an f32 pattern without sign.
Bool is_normal_f32(Int pattern) {
  return pattern >= Integer(0x00800000) && pattern < Integer(0x7f800000);
}

/// x / y rounded to nearest even: f32 patterns of positive normal numbers.
Int f32_quotient(Int x, Int y) {
  const Format& f32 = formats::f32;
  const Integer hidden = Integer(1) << static_cast<unsigned>(f32.fraction_bits);
  const Unpacked of_x = unpack(f32, x);
  const Unpacked of_y = unpack(f32, y);
  const Int divisor = claim(of_y.significand, hidden, 2 * hidden - 1);
  Int rest = claim(of_x.significand, hidden, 2 * hidden - 1);
  // One bit before the point, and three more after it than f32 has: the quotient is above 1/2.
  const int fraction_bits = f32.fraction_bits + 4;
  Int quotient = 0;
  for (int i = 0; i <= fraction_bits; ++i) {
    const Bool fits = rest >= divisor;
    quotient = 2 * quotient + select(fits, Int(1), Int(0));
    rest = 2 * claim(rest - select(fits, divisor, Int(0)), 0, 2 * hidden - 1);
  }
  return round_and_pack({false, quotient, of_x.exponent - of_y.exponent - fraction_bits, rest != 0},
                        {&f32});
}

}  // namespace

std::string to_string(ScaleRecipe recipe) {
  switch (recipe) {
    case ScaleRecipe::quotient:
      return "quotient";
    case ScaleRecipe::inverse:
      return "inverse";
    case ScaleRecipe::power:
      return "power";
  }
  throw std::logic_error("no such recipe");
}

std::string to_string(ScaleBack back) {
  switch (back) {
    case ScaleBack::product:
      return "product";
    case ScaleBack::a_first:
      return "a-first";
    case ScaleBack::b_first:
      return "b-first";
  }
  throw std::logic_error("no such order");
}

RowScale row_scale(ScaleRecipe recipe, Int magnitude, const Format& to) {
  const Int one{Integer(Convert::kUnscaled)};
  const Int largest = convert(to, Integer(to.largest_pattern()), formats::f32).pattern;
  const auto normal_or_one = [&](Int x) { return select(is_normal_f32(x), x, one); };
  const Int known = normal_or_one(magnitude);
  const bool inverse_first = recipe == ScaleRecipe::inverse;
  const Int first = inverse_first ? f32_quotient(known, largest) : f32_quotient(largest, known);
  Int second = f32_quotient(one, normal_or_one(first));
  Int factor = inverse_first ? second : first;
  Int inverse = inverse_first ? first : second;
  Bool usable = is_normal_f32(magnitude) && is_normal_f32(first) && is_normal_f32(second);
  if (recipe == ScaleRecipe::power) {
    // 2^e has the field e + 127, and its inverse 127 - e.
    const unsigned fraction_bits = static_cast<unsigned>(formats::f32.fraction_bits);
    const Int field = bits(factor, fraction_bits, 8);
    const Integer unit = Integer(1) << fraction_bits;
    factor = unit * field;
    inverse = select(usable, unit * max(2 * formats::f32.bias - field, 0), one);
    usable = usable && is_normal_f32(inverse);
  }
  return {select(usable, factor, one), select(usable, inverse, one)};
}

Int magnitude_as_f32(const Format& from, Int number) {
  const Int wide = from == formats::f32 ? number : convert(from, number, formats::f32).pattern;
  return bits(wide, 0, 31);
}

Int scaled_operand(const Format& from, Int number, Int factor, const Format& to) {
  const Format& f32 = formats::f32;
  const Int wide = from == f32 ? number : convert(from, number, f32).pattern;
  Convert scheme;
  scheme.saturate = true;
  return converted_operand(scheme, f32, times(f32, factor, wide), to, Convert::kUnscaled);
}

Int scaled_back(ScaleBack back, Int sum, Int inverse_a, Int inverse_b) {
  const auto product = [](Int x, Int y) { return times(formats::f32, x, y); };
  switch (back) {
    case ScaleBack::product:
      return product(product(inverse_a, inverse_b), sum);
    case ScaleBack::a_first:
      return product(inverse_b, product(inverse_a, sum));
    case ScaleBack::b_first:
      return product(inverse_a, product(inverse_b, sum));
  }
  throw std::logic_error("no such order");
}

DotFormats formats_around(const RowScales& scheme, const Inner& inner, int k) {
  const DotFormats& f = inner.formats;
  require_scalable(f.scale == nullptr, inner.name + " has scale factors");
  require_scalable(k % f.k == 0,
                   "k=" + std::to_string(k) + ": expected a multiple of " + std::to_string(f.k));
  require_scalable(*f.c == formats::f32 && *f.d == formats::f32,
                   "scale-rows needs f32 sums, unlike those of " + inner.name);
  for (const Format* to : {f.a, f.b}) {
    require_scalable(!to->is_integer() && to->storage_bits <= kMostScaledBits && to->has_sign,
                     "scale-rows needs floating-point operands of at most " +
                         std::to_string(kMostScaledBits) + " bits with a sign, not " +
                         std::string(to->name));
  }
  DotFormats formats = f;
  formats.a = scheme.a;
  formats.b = scheme.b;
  formats.k = k;
  return formats;
}

void describe(RowScales& scheme, const DotFormats&, ParameterVisitor& visit) {
  auto& [a, b, recipe, back] = scheme;
  visit.one_of<const Format*>({"a", "format of a before it is scaled"}, a, scalable_formats());
  visit.one_of<const Format*>({"b", "format of b before it is scaled"}, b, scalable_formats());
  visit.one_of<ScaleRecipe>(
      {"recipe",
       "how the factor of a row is computed: quotient of the unit's largest number and the row's "
       "largest magnitude; reciprocal of the inverse; or power of two"},
      recipe, {ScaleRecipe::quotient, ScaleRecipe::inverse, ScaleRecipe::power});
  visit.one_of<ScaleBack>({"back",
                           "product: the sum is multiplied by the product of both inverses; "
                           "otherwise by one after the other"},
                          back, {ScaleBack::product, ScaleBack::a_first, ScaleBack::b_first});
}

Int build_plan(const RowScales& scheme, const Inner& inner, const DotFormats& formats,
               const DotOperands& operands) {
  const auto scaled = [&](std::vector<Int>& row, const Format& from, const Format& to) {
    std::vector<Int> magnitudes;
    magnitudes.reserve(row.size());
    for (const Int& x : row) magnitudes.push_back(magnitude_as_f32(from, x));
    const RowScale scale = row_scale(scheme.recipe, max(magnitudes), to);
    for (Int& x : row) x = scaled_operand(from, x, scale.factor, to);
    return scale.inverse;
  };
  DotFormats of_inner = formats;
  of_inner.a = inner.formats.a;
  of_inner.b = inner.formats.b;
  DotOperands converted = operands;
  const Int inverse_a = scaled(converted.a, *formats.a, *of_inner.a);
  const Int inverse_b = scaled(converted.b, *formats.b, *of_inner.b);
  return scaled_back(scheme.back, run_inner(inner, of_inner, converted), inverse_a, inverse_b);
}

int plan_step(const RowScales&, const Inner&) { return 0; }

}  // namespace mmaspec
