#include "spec/algorithms/exact_dot_add.h"

#include "spec/algorithms/symbolic.h"
#include "spec/parts/parameter_visitor.h"

namespace mmaspec {
namespace {

Int exact_dot_add(const SymbolicExactDotAdd& design, const DotFormats& formats,
                  const DotOperands& operands) {
  const UnpackedOperands x = unpack(formats, operands);
  std::vector<Term> terms;
  for (std::size_t k = 0; k < x.a.size(); ++k) terms.push_back(scaled_product(formats, x, k));
  terms.push_back(as_term(*formats.c, x.c));

  // One fixed-point number that holds all bits of all terms.
  Int sum = 0;
  Integer least = 0;
  {
    const Stage stage("sum");
    for (const Term& t : terms)
      least = std::min(least, Integer(t.exponent.range().low - t.fraction_bits));
    std::vector<Int> shifted;
    for (const Term& t : terms) {
      shifted.push_back(
          negate_if(t.sign, shift_left(t.significand, t.exponent - t.fraction_bits - least)));
    }
    sum = total(shifted);
    mark("sum", sum, least, 0, MarkRole::sum);
  }
  const Int d = round_and_pack({sum < 0, abs(sum), least, false, false, true}, design.result);
  return with_special_values(special_case(x), *formats.d, canonical_nan(*formats.d), d);
}

}  // namespace

void describe(ExactDotAdd& design, const DotFormats& formats, ParameterVisitor& visit) {
  auto& [block, result] = design;
  visit.divisor({"block", "products in one exact sum; a longer K is computed as a chain"}, block,
                formats.k);
  describe_result(result, formats.d, visit);
}

Int build(const ExactDotAdd& design, const DotFormats& formats, const DotOperands& operands) {
  return build(symbolic(design), formats, operands);
}

Int build(const SymbolicExactDotAdd& design, const DotFormats& formats,
          const DotOperands& operands) {
  return chain(formats, operands, design.block, [&](const DotFormats& part, const DotOperands& in) {
    return exact_dot_add(design, part, in);
  });
}

}  // namespace mmaspec
