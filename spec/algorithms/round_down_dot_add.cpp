#include "spec/algorithms/round_down_dot_add.h"

#include "spec/algorithms/symbolic.h"
#include "spec/parts/parameter_visitor.h"

namespace mmaspec {
namespace {

/// A sum of aligned terms: units * 2^(exponent - fraction_bits).
struct RoundedDownSum {
  Int units;
  Int exponent;
};

/// Marks units * 2^(exponent - bits), for a number of bits that is an expression.
void mark_units(const std::string& label, Int units, Int exponent, Int bits,
                MarkRole role = MarkRole::value) {
  if (bits.is_constant()) mark(label, units, exponent, -bits.range().low.convert_to<int>(), role);
}

/// The sum of the terms, cut toward zero below their largest exponent.
RoundedDownSum cut_and_sum(const std::vector<Term>& terms, Int fraction_bits) {
  const Stage stage("align");
  const Int e_max = largest_exponent(terms);
  std::vector<Int> aligned;
  for (const Term& t : terms) {
    aligned.push_back(align(t, e_max, fraction_bits, Rounding::toward_zero));
  }
  const Int sum = total(aligned);
  mark_units("products", sum, e_max, fraction_bits);
  return {sum, e_max};
}

/// units * 2^(exponent - bits), normalized and cut to `kept` fraction bits.
struct CutSum {
  Int units;
  Int below;  ///< one of these units is 2^below units of the sum
};

/// The sum with the fraction bits that remain after normalization; its exponent is at least
/// `least`.
CutSum cut_normalized(const RoundedDownSum& sum, Int bits, Int kept, int least,
                      const Choice<Rounding>& rounding) {
  const Int leading = bit_length(abs(sum.units)) - 1;
  const Int below = max(max(leading, least - sum.exponent + bits) - kept, 0);
  const Bool negative = sum.units < 0;
  const Int toward_zero = negate_if(negative, floor_shift_right(abs(sum.units), below));
  const Int down = floor_shift_right(sum.units, below);
  return {select(rounding.is(Rounding::down), down, toward_zero), below};
}

/// The number, with `from_bits` fraction bits, rounded to `to_bits` below `e_max`.
Int round_to(const RoundedDownSum& x, Int from_bits, Int e_max, Int to_bits,
             const Choice<Rounding>& rounding) {
  return align(x.units < 0, abs(x.units), x.exponent, from_bits, e_max, to_bits, rounding);
}

Int round_down_dot_add(const SymbolicRoundDownDotAdd& design, const DotFormats& formats,
                       const DotOperands& operands) {
  const UnpackedOperands x = unpack(formats, operands);
  const ZeroExponent zero(design.zero_terms, design.zero_exponent);
  std::vector<Term> products;
  for (std::size_t k = 0; k < x.a.size(); ++k) {
    const Stage stage("product");
    products.push_back(exact_product(*formats.a, x.a[k], *formats.b, x.b[k], zero));
    mark("a[" + std::to_string(k) + "]*b", negate_if(products[k].sign, products[k].significand),
         products[k].exponent, -products[k].fraction_bits);
  }
  Term c = as_term(*formats.c, x.c, zero);
  if (design.zero_terms.may_be(ZeroTerms::left_out)) {
    const Bool leave = design.zero_terms.is(ZeroTerms::left_out);
    std::vector<Term> all = products;
    all.push_back(c);
    const Integer least = least_exponent(all);
    products = leave_zeros_out(products, least, leave);
    c = leave_zeros_out({c}, least, leave)[0];
  }

  std::vector<RoundedDownSum> sums;
  for (int group = 0; group < design.groups; ++group) {
    std::vector<Term> members;
    for (std::size_t k = static_cast<std::size_t>(group); k < products.size();
         k += static_cast<std::size_t>(design.groups)) {
      members.push_back(products[k]);
    }
    sums.push_back(cut_and_sum(members, design.product_fraction_bits));
  }

  const Stage stage("sum");
  std::vector<Int> exponents;
  for (const RoundedDownSum& s : sums) exponents.push_back(s.exponent);
  const Int e_dot = max(exponents);
  std::vector<Int> parts;
  for (const RoundedDownSum& s : sums) {
    parts.push_back(round_to(s, design.product_fraction_bits, e_dot, design.product_fraction_bits,
                             design.sum_rounding));
  }
  const RoundedDownSum dot{total(parts), e_dot};
  mark_units("dot", dot.units, e_dot, design.product_fraction_bits);

  const Int e_max = max(e_dot, c.exponent);
  const Int dot_units = round_to(dot, design.product_fraction_bits, e_max, design.sum_fraction_bits,
                                 design.sum_rounding);
  Int c_units = align(c, e_max, design.c_fraction_bits, design.c_rounding);
  if (design.c_reach) c_units = select(c.exponent < e_max - *design.c_reach, 0, c_units);
  mark_units("dot, rounded", dot_units, e_max, design.sum_fraction_bits);
  mark_units("c, rounded", c_units, e_max, design.c_fraction_bits);
  const Int bits = max(design.sum_fraction_bits, design.c_fraction_bits);
  const auto widened = [&](Int units, Int from) { return shift_left(units, bits - from); };
  const Int sum =
      widened(dot_units, design.sum_fraction_bits) + widened(c_units, design.c_fraction_bits);
  mark_units("sum", sum, e_max, bits, MarkRole::sum);

  CutSum last{sum, 0};
  if (design.normalized_bits) {
    last = cut_normalized({sum, e_max}, bits, *design.normalized_bits, formats.d->least_exponent(),
                          design.sum_rounding);
    mark_units("sum, normalised", last.units, e_max + last.below, bits);
  }
  const Int d = round_and_pack(
      {last.units < 0, abs(last.units), e_max - bits + last.below, false, false, true},
      design.result);
  const SpecialCase special = with_product_overflow(special_case(x), products,
                                                    design.product_overflow, design.overflow_joins);
  return with_special_values(special, *formats.d, quiet_nan(*formats.d), d);
}

}  // namespace

void describe(RoundDownDotAdd& design, const DotFormats& formats, ParameterVisitor& visit) {
  auto& [block, groups, product_fraction_bits, sum_fraction_bits, sum_rounding, c_fraction_bits,
         c_rounding, c_reach, product_overflow, zero_terms, zero_exponent, result, normalized_bits,
         overflow_joins] = design;
  const std::vector<Rounding> cuts{Rounding::toward_zero, Rounding::down};
  visit.divisor({"block", "products in one step; a longer K is computed as a chain"}, block,
                formats.k);
  visit.integer({"groups", "product k belongs to group k mod groups"}, groups, 1, block);
  visit.integer(
      {"product_bits", "bits kept of products below their group's largest exponent, toward zero"},
      product_fraction_bits, 0, 600);
  visit.integer({"sum_bits", "bits kept of the products' sum"}, sum_fraction_bits, 0, 600);
  visit.one_of<Rounding>({"sum_round", "rounding of the products' sum"}, sum_rounding, cuts);
  visit.integer({"c_bits", "bits kept of c"}, c_fraction_bits, 0, 600);
  visit.one_of<Rounding>({"c_round", "rounding of c"}, c_rounding, cuts);
  visit.integer_or_none(
      {"c_reach", "c is replaced by zero if its exponent is further below the largest one"},
      c_reach, 0, 5000);
  visit.integer({"product_overflow", "products whose magnitude is at least 2^this are infinite"},
                product_overflow, -5000, 5000);
  describe_zero_terms(zero_terms, zero_exponent,
                      "whether zeros are considered for the largest exponent", visit);
  describe_result(result, formats.d, visit);
  visit.integer_or_none({"normalized_bits",
                         "bits kept of the normalised sum, with the rounding of the products' sum"},
                        normalized_bits, 0, 600);
  visit.yes_no(
      {"overflow_joins",
       "products of at least 2^product_overflow are infinite next to infinite operands too"},
      overflow_joins);
}

Int build(const RoundDownDotAdd& design, const DotFormats& formats, const DotOperands& operands) {
  return build(symbolic(design), formats, operands);
}

Int build(const SymbolicRoundDownDotAdd& design, const DotFormats& formats,
          const DotOperands& operands) {
  return chain(formats, operands, design.block, [&](const DotFormats& part, const DotOperands& in) {
    return round_down_dot_add(design, part, in);
  });
}

}  // namespace mmaspec
