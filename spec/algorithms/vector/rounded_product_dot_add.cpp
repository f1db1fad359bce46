#include "spec/algorithms/vector/rounded_product_dot_add.h"

#include "spec/parts/parameter_visitor.h"
#include "spec/parts/terms.h"

namespace mmaspec {
namespace {

/// The magnitude of a number of this sign in units of 2^cut, rounded to an integer.
Int rounded_units(Bool sign, Int magnitude, Int cut, const Choice<Rounding>& rounding) {
  const Int twice = floor_shift_right(2 * magnitude, cut);
  const Bool lost = shift_left(twice, cut) != 2 * magnitude;
  const Int units = floor_shift_right(twice, 1);
  const Bool up = rounds_up(rounding, sign, bit(units, 0), bit(twice, 0), lost);
  return units + select(up, 1, 0);
}

/// The products, rounded, and c.
std::vector<Term> rounded_terms(const SymbolicRoundedProductDotAdd& design,
                                const DotFormats& formats, const UnpackedOperands& x) {
  const Stage stage("product");
  std::vector<Term> terms;
  for (std::size_t k = 0; k < x.a.size(); ++k) {
    Term p = scaled_product(formats, x, k);
    const Int cut = max(p.fraction_bits - design.product_bits, 0);
    p.significand =
        shift_left(rounded_units(p.sign, p.significand, cut, design.product_rounding), cut);
    mark("a[" + std::to_string(k) + "]*b", negate_if(p.sign, p.significand), p.exponent,
         -p.fraction_bits);
    terms.push_back(p);
  }
  terms.push_back(as_term(*formats.c, x.c));
  mark("c", negate_if(x.c.sign, x.c.significand), x.c.exponent, -formats.c->fraction_bits);
  return leave_zeros_out(terms, least_exponent(terms));
}

Int rounded_product_dot_add(const SymbolicRoundedProductDotAdd& design, const DotFormats& formats,
                            const DotOperands& operands) {
  const UnpackedOperands x =
      unpack(formats, flush_subnormals(formats, operands, design.flush_inputs));
  const std::vector<Term> terms = rounded_terms(design, formats, x);
  Int e_max = 0;
  std::vector<Int> aligned;
  {
    const Stage stage("align");
    e_max = largest_exponent(terms);
    mark("e_max", e_max, MarkRole::largest_exponent);
    for (const Term& t : terms) {
      aligned.push_back(align(t, e_max, design.fraction_bits, Rounding::toward_zero));
      mark_fixed("term " + std::to_string(aligned.size() - 1), aligned.back(), e_max,
                 design.fraction_bits);
    }
  }
  const Stage stage("sum");
  const Int sum = total(aligned);
  mark_fixed("sum", sum, e_max, design.fraction_bits, MarkRole::sum);
  const Int cut = design.sum_bits ? max(design.fraction_bits - *design.sum_bits, 0) : Int(0);
  const Int d = round_and_pack({sum < 0, floor_shift_right(abs(sum), cut),
                                e_max - (design.fraction_bits - cut), false, sum < 0, true},
                               design.result);
  return with_special_values(special_case(x), *formats.d, quiet_nan(*formats.d), d);
}

}  // namespace

void describe(RoundedProductDotAdd& design, const DotFormats& formats, ParameterVisitor& visit) {
  auto& [block, product_bits, product_rounding, fraction_bits, sum_bits, flush_inputs, result] =
      design;
  visit.divisor({"block", "products in one step; a longer K is computed as a chain"}, block,
                formats.k);
  visit.integer({.key = "product_bits",
                 .meaning = "bits kept of each product below the sum of its factors' exponents",
                 .required = true},
                product_bits, 0, 600);
  visit.one_of<Rounding>({"product_round", "rounding of products"}, product_rounding,
                         {Rounding::toward_zero, Rounding::nearest_even, Rounding::down,
                          Rounding::up, Rounding::nearest_away, Rounding::to_odd});
  visit.integer({.key = "fraction_bits",
                 .meaning = "bits kept of each term below the largest exponent (F)",
                 .required = true},
                fraction_bits, 0, 600);
  visit.integer_or_none({"sum_bits", "bits kept of the sum below the largest exponent"}, sum_bits,
                        0, 600);
  visit.yes_no({"flush_inputs", "subnormal operands and zeros are replaced by +0"}, flush_inputs);
  describe_result(result, formats.d, visit);
}

int exact_product_bits(const DotFormats& formats) {
  const int of_scales = formats.scale == nullptr ? 0 : 2 * formats.scale->fraction_bits;
  return formats.a->fraction_bits + formats.b->fraction_bits + of_scales;
}

SymbolicRoundedProductDotAdd symbolic(const RoundedProductDotAdd& design) {
  const auto& [block, product_bits, product_rounding, fraction_bits, sum_bits, flush_inputs,
               result] = design;
  return {block,
          product_bits,
          product_rounding,
          fraction_bits,
          sum_bits ? std::optional<Int>(*sum_bits) : std::nullopt,
          flush_inputs,
          result};
}

Int build(const RoundedProductDotAdd& design, const DotFormats& formats,
          const DotOperands& operands) {
  return build(symbolic(design), formats, operands);
}

Int build(const SymbolicRoundedProductDotAdd& design, const DotFormats& formats,
          const DotOperands& operands) {
  return chain(formats, operands, design.block, [&](const DotFormats& part, const DotOperands& in) {
    return rounded_product_dot_add(design, part, in);
  });
}

}  // namespace mmaspec
