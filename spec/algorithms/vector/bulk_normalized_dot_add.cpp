#include "spec/algorithms/vector/bulk_normalized_dot_add.h"

#include "spec/parts/parameter_visitor.h"
#include "spec/parts/rounded_sum.h"

namespace mmaspec {
namespace {

/// units * 2^(exponent - fraction_bits).
struct BulkSum {
  Int units;
  Int exponent;
  Int fraction_bits;
};

/// The products, aligned and summed.
BulkSum aligned_sum(const SymbolicBulkNormalizedDotAdd& design, const DotFormats& formats,
                    const UnpackedOperands& x) {
  std::vector<Term> products;
  for (std::size_t k = 0; k < x.a.size(); ++k) {
    products.push_back(scaled_product(formats, x, k));
    mark("a[" + std::to_string(k) + "]*b", negate_if(products[k].sign, products[k].significand),
         products[k].exponent, -products[k].fraction_bits);
  }
  products = leave_zeros_out(products, least_exponent(products));
  const Int fraction_bits = formats.d->fraction_bits + design.guard_bits;
  const Stage stage("align");
  const Int e_max = largest_exponent(products);
  mark("e_max", e_max, MarkRole::largest_exponent);
  std::vector<Int> aligned;
  for (const Term& t : products) {
    aligned.push_back(align(t, e_max, fraction_bits, Rounding::to_odd));
    mark_fixed("term " + std::to_string(aligned.size() - 1), aligned.back(), e_max, fraction_bits);
  }
  const Stage sum_stage("sum");
  const Int sum = total(aligned);
  mark_fixed("sum", sum, e_max, fraction_bits, MarkRole::sum);
  return {sum, e_max, fraction_bits};
}

/// The manual's pseudo-code for results, word for word. A normal one is cut: jamMask selects bits
/// below those that a shift has made zero. A subnormal one is the unchanged sum, not normalized,
/// shifted by as much as its exponent says; what is shifted out beyond that mask is lost, and what
/// does not fit under the sign is dropped here.
Int by_pseudo_code(const BulkSum& sum, const Format& f) {
  const int fraction = f.fraction_bits;
  const Bool negative = sum.units < 0;
  const Int magnitude = abs(sum.units);
  const Int normal = round_and_pack({negative, magnitude, sum.exponent - sum.fraction_bits},
                                    {&f, Rounding::toward_zero});
  // resExp: the result's encoded exponent.
  const Int field =
      sum.exponent - sum.fraction_bits + bit_length(magnitude) - 1 - f.least_exponent() + 1;
  const Int shift = min(max(field + fraction, 0), fraction);
  const Int shifted = floor_shift_right(magnitude, shift);
  const Int masked = fraction - shift;  // this many low bits of the sum decide the last one
  const Bool lost = shift_left(floor_shift_right(magnitude, masked), masked) != magnitude;
  const unsigned sign_bit = static_cast<unsigned>(f.sign_bit());
  const Int low = bits(shifted, 0, sign_bit);
  const Int subnormal =
      select(field < -fraction, 1, low + select(lost && !bit(low, 0), 1, 0)) +
      power_of_two(sign_bit) *
          select(negative || (field >= -fraction && bit(shifted, sign_bit)), 1, 0);
  return select(magnitude == 0, 0, select(field >= 1, normal, subnormal));
}

Int bulk_normalized_dot_add(const SymbolicBulkNormalizedDotAdd& design, const DotFormats& formats,
                            const DotOperands& operands) {
  UnpackedOperands x = unpack(formats, operands);
  x.c = {false, 0, 0, false, false};  // which is not part of the dot product
  for (auto* operands_of_one : {&x.a, &x.b}) {
    for (Unpacked& u : *operands_of_one) {
      u.is_nan = u.is_nan && !design.numbers_alone;
      u.is_infinite = u.is_infinite && !design.numbers_alone;
    }
  }
  const BulkSum sum = aligned_sum(design, formats, x);
  const Int finite = design.dot == BulkResult::pseudo_code
                         ? by_pseudo_code(sum, *design.result.format)
                         : round_and_pack({sum.units < 0, abs(sum.units),
                                           sum.exponent - sum.fraction_bits, false, false, true},
                                          design.result);
  const Integer nan = quiet_nan(*formats.d);
  const Int dot = with_special_values(special_case(x), *formats.d, nan, finite);
  mark("pattern of the products' sum", dot, MarkRole::pattern);
  const Int c = may_hold(design.flush_c)
                    ? select(design.flush_c, subnormal_as_zero(*formats.c, operands.c), operands.c)
                    : operands.c;
  return add(*formats.c, c, *formats.d, dot, design.result, nan);
}

}  // namespace

std::string to_string(BulkResult result) {
  return result == BulkResult::to_odd ? "to-odd" : "pseudo-code";
}

void describe(BulkNormalizedDotAdd& design, const DotFormats& formats, ParameterVisitor& visit) {
  auto& [block, guard_bits, dot, result, flush_c, numbers_alone] = design;
  visit.divisor({"block", "products in one sum; a longer K is computed as a chain"}, block,
                formats.k);
  visit.integer({.key = "guard_bits",
                 .meaning = "bits kept of products beyond the result's, below the largest exponent",
                 .required = true},
                guard_bits, 0, 64);
  visit.one_of<BulkResult>({"dot", "how the products' sum is rounded to the result's format"}, dot,
                           {BulkResult::to_odd, BulkResult::pseudo_code});
  visit.require(
      [&] {
        return design.dot == BulkResult::to_odd || formats.d == nullptr ||
               *formats.d == formats::f32;
      },
      "dot=pseudo-code needs d=f32");
  visit.yes_no({.key = "flush_c",
                .meaning = "a subnormal c is replaced by a zero of the same sign",
                .shown = flush_c},
               flush_c);
  visit.yes_no({.key = "numbers_alone",
                .meaning = "patterns of infinities and NaNs among a and b are numbers",
                .shown = numbers_alone},
               numbers_alone);
  describe_result(result, formats.d, visit);
}

SymbolicBulkNormalizedDotAdd symbolic(const BulkNormalizedDotAdd& design) {
  const auto& [block, guard_bits, dot, result, flush_c, numbers_alone] = design;
  return {block, guard_bits, dot, result, flush_c, numbers_alone};
}

Int build(const BulkNormalizedDotAdd& design, const DotFormats& formats,
          const DotOperands& operands) {
  return build(symbolic(design), formats, operands);
}

Int build(const SymbolicBulkNormalizedDotAdd& design, const DotFormats& formats,
          const DotOperands& operands) {
  return chain(formats, operands, design.block, [&](const DotFormats& part, const DotOperands& in) {
    return bulk_normalized_dot_add(design, part, in);
  });
}

}  // namespace mmaspec
