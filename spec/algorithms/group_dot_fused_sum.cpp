#include "spec/algorithms/group_dot_fused_sum.h"

#include "spec/algorithms/symbolic.h"
#include "spec/parts/parameter_visitor.h"

namespace mmaspec {
namespace {

/// a * b in units of the least product of the formats: FP4 and FP6 products span few bits.
Int fixed_product(const Format& fa, const Unpacked& a, const Format& fb, const Unpacked& b) {
  const Term p = exact_product(fa, a, fb, b);
  const Int above = p.exponent - (fa.least_exponent() + fb.least_exponent());
  return negate_if(p.sign, shift_left(p.significand, above));
}

}  // namespace

void describe(GroupDotFusedSum& design, const DotFormats& formats, ParameterVisitor& visit) {
  auto& [group, fraction_bits, zero_terms, zero_exponent, result, exponent_floor,
         cancelled_groups_count] = design;
  visit.require([&] { return formats.scale != nullptr; },
                "group-dot-fused-sum needs scale factors: scale=, scale_block=");
  visit.divisor({"group", "products summed exactly before scaling"}, group, formats.k);
  visit.require([&, &group = group] { return formats.scale_block % group == 0; },
                "group=" + std::to_string(group) +
                    ": does not divide scale_block=" + std::to_string(formats.scale_block));
  visit.integer({"fraction_bits", "bits kept below the largest exponent (F)"}, fraction_bits, 0,
                600);
  describe_zero_terms(
      zero_terms, zero_exponent,
      "whether all-zero groups and a zero c are considered for the largest exponent", visit);
  describe_result(result, formats.d, visit);
  visit.integer_or_none({"floor", "the least value of the largest exponent (exponent floor)"},
                        exponent_floor, -5000, 5000);
  visit.yes_no({"cancelled_groups_count",
                "groups whose products cancel are considered for the largest exponent"},
               cancelled_groups_count);
}

Int build(const GroupDotFusedSum& design, const DotFormats& formats, const DotOperands& operands) {
  return build(symbolic(design), formats, operands);
}

Int build(const SymbolicGroupDotFusedSum& design, const DotFormats& formats,
          const DotOperands& operands) {
  const UnpackedOperands x = unpack(formats, operands);
  const Format& scale = *formats.scale;
  const int units = formats.a->fraction_bits + formats.b->fraction_bits -
                    formats.a->least_exponent() - formats.b->least_exponent();
  const ZeroExponent zero(design.zero_terms, design.zero_exponent);
  std::vector<Term> terms;
  std::vector<Bool> counts;  // counts although it is zero, if zeros are left out
  for (int first = 0; first < formats.k; first += design.group) {
    const Stage stage("product");
    std::vector<Int> products;
    std::vector<Bool> present;
    for (int k = first; k < first + design.group; ++k) {
      const auto i = static_cast<std::size_t>(k);
      present.push_back(!x.a[i].is_zero() && !x.b[i].is_zero());
      products.push_back(fixed_product(*formats.a, x.a[i], *formats.b, x.b[i]));
    }
    const Int dot = total(products);
    const Unpacked& sa = x.scale_a[static_cast<std::size_t>(first / formats.scale_block)];
    const Unpacked& sb = x.scale_b[static_cast<std::size_t>(first / formats.scale_block)];
    terms.push_back({dot < 0, abs(dot) * (sa.significand * sb.significand),
                     counted_exponent(sa, zero) + counted_exponent(sb, zero),
                     units + 2 * scale.fraction_bits});
    counts.push_back(design.cancelled_groups_count && any_of(present) && !sa.is_zero() &&
                     !sb.is_zero());
    mark("group " + std::to_string(first / design.group),
         negate_if(dot < 0, terms.back().significand), terms.back().exponent,
         -terms.back().fraction_bits);
  }
  terms.push_back(as_term(*formats.c, x.c, zero));
  counts.push_back(false);  // a zero c does not count
  Int floor = least_exponent(terms);
  if (design.exponent_floor) floor = max(floor, *design.exponent_floor);
  const Bool left_out = design.zero_terms.is(ZeroTerms::left_out);
  for (std::size_t i = 0; i < terms.size(); ++i) {
    terms[i] = leave_zeros_out({terms[i]}, floor, left_out && !counts[i])[0];
  }

  std::vector<Int> aligned;
  Int e_max = 0;
  {
    const Stage stage("align");
    e_max = max(largest_exponent(terms), floor);
    for (const Term& t : terms) {
      aligned.push_back(align(t, e_max, design.fraction_bits, Rounding::toward_zero));
    }
  }
  Int sum = 0;
  {
    const Stage stage("sum");
    sum = total(aligned);
    if (design.fraction_bits.is_constant()) {
      mark("sum", sum, e_max, -design.fraction_bits.range().low.convert_to<int>(), MarkRole::sum);
    }
  }
  const Int d = round_and_pack({sum < 0, abs(sum), e_max - design.fraction_bits}, design.result);
  return with_special_values(special_case(x), *formats.d, canonical_nan(*formats.d), d);
}

}  // namespace mmaspec
