#include "spec/algorithms/fused_dot_add.h"

#include <algorithm>

#include "spec/algorithms/symbolic.h"
#include "spec/parts/parameter_visitor.h"

namespace mmaspec {
namespace {

/// The products, followed by c.
std::vector<Term> exact_terms(const SymbolicFusedDotAdd& design, const DotFormats& formats,
                              const UnpackedOperands& x) {
  const ZeroExponent zero(design.zero_terms, design.zero_exponent);
  const Stage stage("product");
  std::vector<Term> terms;
  for (std::size_t k = 0; k < x.a.size(); ++k) {
    Term p = scaled_product(formats, x, k, zero);
    if (design.normalized_products) p = normalized(p);
    mark("a[" + std::to_string(k) + "]*b", negate_if(p.sign, p.significand), p.exponent,
         -p.fraction_bits);
    terms.push_back(p);
  }
  terms.push_back(as_term(*formats.c, x.c, zero));
  mark("c", negate_if(x.c.sign, x.c.significand), x.c.exponent, -formats.c->fraction_bits);
  return terms;
}

/// units * 2^(exponent - F).
struct FixedPoint {
  Int units;
  Int exponent;
};

/// The sum of the terms, cut below the largest exponent.
FixedPoint align_and_sum(const SymbolicFusedDotAdd& design, const std::vector<Term>& terms,
                         Int floor) {
  std::vector<Int> aligned;
  Int e_max = 0;
  {
    const Stage stage("align");
    e_max = max(largest_exponent(terms), floor);
    mark("e_max", e_max, MarkRole::largest_exponent);
    for (const Term& t : terms) {
      aligned.push_back(align(t, e_max, design.fraction_bits, design.align_rounding));
      mark_fixed("term " + std::to_string(aligned.size() - 1), aligned.back(), e_max,
                 design.fraction_bits);
    }
  }
  const Stage stage("sum");
  const Int sum = total(aligned);
  mark_fixed("sum", sum, e_max, design.fraction_bits, MarkRole::sum);
  return {sum, e_max};
}

FixedPoint fused_sum(const SymbolicFusedDotAdd& design, std::vector<Term> terms) {
  // A floor below every exponent has no effect: it would only count if all terms were zero.
  Int floor = least_exponent(terms);
  if (design.exponent_floor) floor = max(floor, *design.exponent_floor);
  terms = leave_zeros_out(terms, floor, design.zero_terms.is(ZeroTerms::left_out));
  if (design.c_joins == AccumulatorJoins::early) return align_and_sum(design, terms, floor);
  const Term c = terms.back();
  terms.pop_back();
  const FixedPoint dot = align_and_sum(design, terms, floor);
  // Cut to the same F below an exponent that is not less, the dot product is only shifted.
  const Stage stage("align");
  const Int e_max = max({dot.exponent, c.exponent, floor});
  mark("e_max", e_max);
  const Int dot_units = align(dot.units < 0, abs(dot.units), dot.exponent, design.fraction_bits,
                              e_max, design.fraction_bits, design.align_rounding);
  mark_fixed("term 0", dot_units, e_max, design.fraction_bits);
  const Int c_units = align(c, e_max, design.fraction_bits, design.align_rounding);
  mark_fixed("term 1", c_units, e_max, design.fraction_bits);
  const Stage sum_stage("sum");
  const Int sum = dot_units + c_units;
  mark_fixed("sum", sum, e_max, design.fraction_bits, MarkRole::sum);
  return {sum, e_max};
}

/// True if all terms are zeros and at least one of them is -0.
Bool makes_minus_zero(const std::vector<Term>& terms) {
  std::vector<Bool> zero;
  std::vector<Bool> negative;
  for (const Term& t : terms) {
    zero.push_back(t.is_zero());
    negative.push_back(t.sign);
  }
  return all_of(zero) && any_of(negative);
}

}  // namespace

Int fused_dot_add(const FusedDotAdd& design, const DotFormats& formats,
                  const DotOperands& operands) {
  return fused_dot_add(symbolic(design), formats, operands);
}

Int fused_dot_add(const SymbolicFusedDotAdd& design, const DotFormats& formats,
                  const DotOperands& operands) {
  const DotOperands in = flush_subnormals(formats, operands, design.flush_inputs);
  UnpackedOperands x = unpack(formats, in);
  // If c is first converted to d's format, subnormal numbers of a narrower format become normal.
  if (design.normalized_c && !(*formats.c == *formats.d)) {
    x.c = unpack_normalized(*formats.c, in.c);
  }

  const std::vector<Term> terms = exact_terms(design, formats, x);
  const FixedPoint sum = fused_sum(design, terms);
  Int d = round_and_pack({sum.units < 0, abs(sum.units), sum.exponent - design.fraction_bits},
                         design.result);
  if (may_hold(design.minus_zero)) {
    const auto sign = static_cast<unsigned>(formats.d->sign_bit());
    d = select(design.minus_zero && makes_minus_zero(terms), Int(power_of_two(sign)), d);
  }

  SpecialCase special = special_case(x);
  if (design.product_overflow) {
    special =
        with_product_overflow(special, {terms.begin(), terms.end() - 1}, *design.product_overflow);
  }
  return with_special_values(special, *formats.d, canonical_nan(*formats.d), d);
}

std::string to_string(AccumulatorJoins joins) {
  return joins == AccumulatorJoins::early ? "early" : "late";
}

void describe_fused(FusedDotAdd& design, const DotFormats& formats, bool with_block,
                    ParameterVisitor& visit) {
  auto& [fraction_bits, exponent_floor, zero_terms, zero_exponent, block, result, align_rounding,
         c_joins, normalized_products, flush_inputs, product_overflow, minus_zero, normalized_c] =
      design;
  if (with_block) {
    visit.divisor({"block", "products in one fused step; a longer K is computed as a chain"}, block,
                  formats.k);
  }
  visit.integer({.key = "fraction_bits",
                 .meaning = "bits kept below the largest exponent (F)",
                 .required = true},
                fraction_bits, 0, 600);
  visit.integer_or_none({"floor", "the least value of the largest exponent (exponent floor)"},
                        exponent_floor, -5000, 5000);
  describe_zero_terms(zero_terms, zero_exponent,
                      "whether zeros are considered for the largest exponent", visit);
  describe_result(result, formats.d, visit);
  visit.one_of<Rounding>({"align_round", "rounding of alignment"}, align_rounding,
                         {Rounding::toward_zero, Rounding::down});
  visit.one_of<AccumulatorJoins>(
      {"c_joins", "early: c is one of the terms; late: c is added to the products' sum"}, c_joins,
      {AccumulatorJoins::early, AccumulatorJoins::late});
  visit.yes_no({"normalize_products", "a product's exponent is that of its leading bit"},
               normalized_products);
  visit.yes_no({"flush_inputs", "subnormal operands and zeros are replaced by +0"}, flush_inputs);
  visit.integer_or_none(
      {"product_overflow", "products whose magnitude is at least 2^this are infinite"},
      product_overflow, -5000, 5000);
  visit.yes_no({.key = "minus_zero",
                .meaning = "the result is -0 if all terms are zeros and one is -0",
                .shown = minus_zero},
               minus_zero);
  visit.yes_no(
      {.key = "normalize_c",
       .meaning = "if c and d have different formats, c's exponent is that of its leading bit",
       .shown = !normalized_c},
      normalized_c);
}

void describe(FusedDotAdd& design, const DotFormats& formats, ParameterVisitor& visit) {
  describe_fused(design, formats, true, visit);
}

Int build(const FusedDotAdd& design, const DotFormats& formats, const DotOperands& operands) {
  return build(symbolic(design), formats, operands);
}

Int build(const SymbolicFusedDotAdd& design, const DotFormats& formats,
          const DotOperands& operands) {
  return chain(formats, operands, design.block, [&](const DotFormats& part, const DotOperands& in) {
    return fused_dot_add(design, part, in);
  });
}

}  // namespace mmaspec
