#include "spec/algorithms/fixed_point_dot_add.h"

#include "spec/formats/integer.h"
#include "spec/formats/symbolic_result.h"
#include "spec/formats/unpack.h"
#include "spec/parts/parameter_visitor.h"

namespace mmaspec {
namespace {

/// A product in multiples of 2^lowest_product_exponent().
Int exact_units(const DotFormats& f, Int a, Int b) {
  const Unpacked x = unpack(*f.a, a);
  const Unpacked y = unpack(*f.b, b);
  const Int shift = x.exponent + y.exponent - (f.a->least_exponent() + f.b->least_exponent());
  return negate_if(x.sign ^ y.sign, shift_left(x.significand * y.significand, shift));
}

/// x / 2^cut, rounded.
Int rounded(Int x, int cut, Rounding rounding) {
  if (cut == 0) return x;
  if (rounding == Rounding::down) return floor_shift_right(x, cut);
  const Bool negative = x < 0;
  const Int magnitude = abs(x);
  const Int units = floor_shift_right(magnitude, cut);
  if (rounding == Rounding::toward_zero) return negate_if(negative, units);
  const Int twice = floor_shift_right(magnitude, cut - 1);
  const Bool lost = shift_left(twice, cut - 1) != magnitude;
  const Bool up = rounds_up(rounding, negative, bit(units, 0), bit(twice, 0), lost);
  return negate_if(negative, units + select(up, 1, 0));
}

}  // namespace

int lowest_product_exponent(const DotFormats& formats) {
  return formats.a->least_exponent() - formats.a->fraction_bits + formats.b->least_exponent() -
         formats.b->fraction_bits;
}

void describe(FixedPointDotAdd& design, const DotFormats& formats, ParameterVisitor& visit) {
  auto& [product_rounding, overflow, group] = design;
  visit.require([&] { return formats.d == nullptr || formats.c->point <= formats.d->point; },
                "c must have at most as many fraction bits as d");
  visit.one_of(
      {"product_round", "rounding of a product to the fraction bits of d's format"},
      product_rounding,
      {Rounding::toward_zero, Rounding::down, Rounding::nearest_even, Rounding::nearest_away});
  visit.one_of({"overflow",
                "a sum that d's format does not represent: wrap keeps its lowest bits, saturate "
                "takes the nearest number"},
               overflow, {IntegerOverflow::wrap, IntegerOverflow::saturate});
  ParameterName of_group{"group", "products that are added before a sum saturates"};
  of_group.shown = overflow == IntegerOverflow::saturate;
  visit.divisor(of_group, group, formats.k);
}

Int build(const FixedPointDotAdd& design, const DotFormats& formats, const DotOperands& operands) {
  const std::size_t k = operands.a.size();
  const bool wraps = design.overflow == IntegerOverflow::wrap;
  const std::size_t at_once = wraps ? k : static_cast<std::size_t>(design.group);
  const int point = formats.d->point;
  const int widened = lowest_product_exponent(formats) + point;
  const auto product = [&](std::size_t i) {
    const Int exact = exact_units(formats, operands.a[i], operands.b[i]);
    if (widened >= 0) return exact * power_of_two(static_cast<unsigned>(widened));
    return rounded(exact, -widened, design.product_rounding);
  };
  Int d = integer_value(*formats.c, operands.c) *
          power_of_two(static_cast<unsigned>(point - formats.c->point));
  for (std::size_t first = 0; first < k; first += at_once) {
    std::vector<Int> terms{d};
    for (std::size_t i = first; i < first + at_once; ++i) {
      const Stage stage("product");
      terms.push_back(product(i));
      mark("a[" + std::to_string(i) + "]*b", terms.back(), 0, -point);
    }
    const Stage stage("sum");
    const Int sum = total(terms);
    mark("sum", sum, 0, -point, MarkRole::sum);
    d = wraps ? sum : clamped(*formats.d, sum);
    if (!wraps) mark("saturated", d, 0, -point);
  }
  const Stage stage("sum");
  const Int pattern = integer_pattern(*formats.d, d);
  mark("pattern of d", pattern, MarkRole::pattern);
  return pattern;
}

}  // namespace mmaspec
