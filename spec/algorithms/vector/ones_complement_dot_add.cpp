#include "spec/algorithms/vector/ones_complement_dot_add.h"

#include "spec/algorithms/vector/packed_result.h"

namespace mmaspec {
namespace {

/// Flushes subnormal numbers of formats with f32's exponents; those of other formats are normal in
/// f32.
Int flushed(const Format& format, Int pattern) {
  const bool is_below = format.least_exponent() <= formats::f32.least_exponent();
  return is_below ? subnormal_as_zero(format, pattern) : pattern;
}

Int ones_complement_dot_add(const SymbolicOnesComplementDotAdd& design, const DotFormats& formats,
                            const DotOperands& operands) {
  DotOperands in = operands;
  for (Int& a : in.a) a = flushed(*formats.a, a);
  for (Int& b : in.b) b = flushed(*formats.b, b);
  in.c = flushed(*formats.c, in.c);
  const UnpackedOperands x = unpack(formats, in);

  std::vector<Term> terms;
  // A product counts this many places higher: c_bits of it are kept where product_bits would be.
  const Int below = design.c_bits - design.product_bits;
  for (std::size_t k = 0; k < x.a.size(); ++k) {
    const Term p = exact_product(*formats.a, x.a[k], *formats.b, x.b[k]);
    mark("a[" + std::to_string(k) + "]*b", negate_if(p.sign, p.significand), p.exponent,
         -p.fraction_bits);
    terms.push_back({p.sign, p.significand, p.exponent + below, p.fraction_bits});
  }
  const Term c = as_term(*formats.c, x.c);
  mark("c", negate_if(c.sign, c.significand), c.exponent, -c.fraction_bits);
  terms.push_back(c);

  std::vector<Bool> zero;
  for (const Term& t : terms) zero.push_back(t.is_zero());
  const Integer least = least_exponent(terms);
  terms = leave_zeros_out(terms, least);
  if (may_hold(design.zero_c_counts)) {
    terms.back().exponent = select(design.zero_c_counts, c.exponent, terms.back().exponent);
  }

  Int sum = 0;
  Int e_max = 0;
  {
    const Stage stage("align");
    e_max = largest_exponent(terms);
    mark("e_max", e_max, MarkRole::largest_exponent);
    std::vector<Int> units;
    for (const Term& t : terms) {
      const bool is_product = units.size() < x.a.size();
      const Int from_bits = is_product ? t.fraction_bits + below : Int(t.fraction_bits);
      const Int m = align(false, t.significand, t.exponent, from_bits, e_max, design.c_bits,
                          Rounding::toward_zero);
      units.push_back(select(t.sign ^ c.sign, -m - 1, m));
      mark_fixed("term " + std::to_string(units.size() - 1) + " in c's frame", units.back(), e_max,
                 design.c_bits);
    }
    const Stage sum_stage("sum");
    sum = total(units);
    mark_fixed("sum in c's frame", sum, e_max, design.c_bits, MarkRole::sum);
  }
  const Int rounded = packed_result((sum < 0) ^ c.sign, abs(sum), e_max - design.c_bits,
                                    design.result, design.through_f32);
  const Int d = select(all_of(zero), 0, rounded);
  return with_special_values(special_case(x), *formats.d, quiet_nan(*formats.d), d);
}

}  // namespace

void describe(OnesComplementDotAdd& design, const DotFormats& formats, ParameterVisitor& visit) {
  auto& [block, product_bits, c_bits, zero_c_counts, through_f32, result] = design;
  visit.divisor({"block", "products in one step; a longer K is computed as a chain"}, block,
                formats.k);
  visit.integer({"product_bits", "bits kept of products below their largest exponent"},
                product_bits, 0, 600);
  visit.integer({"c_bits", "bits kept below c's exponent"}, c_bits, 0, 600);
  visit.require([&] { return design.c_bits >= design.product_bits; },
                "c_bits must be at least product_bits");
  visit.yes_no({"zero_c_counts", "a zero c has its format's least exponent"}, zero_c_counts);
  describe_through_f32(through_f32, formats, visit);
  describe_result(result, formats.d, visit);
}

SymbolicOnesComplementDotAdd symbolic(const OnesComplementDotAdd& design) {
  const auto& [block, product_bits, c_bits, zero_c_counts, through_f32, result] = design;
  return {block, product_bits, c_bits, zero_c_counts, through_f32, result};
}

Int build(const OnesComplementDotAdd& design, const DotFormats& formats,
          const DotOperands& operands) {
  return build(symbolic(design), formats, operands);
}

Int build(const SymbolicOnesComplementDotAdd& design, const DotFormats& formats,
          const DotOperands& operands) {
  return chain(formats, operands, design.block, [&](const DotFormats& part, const DotOperands& in) {
    return ones_complement_dot_add(design, part, in);
  });
}

}  // namespace mmaspec
