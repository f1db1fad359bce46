#include "spec/algorithms/vector/pair_dot_add.h"

#include "spec/parts/parameter_visitor.h"
#include "spec/parts/rounded_sum.h"

namespace mmaspec {

void describe(PairDotAdd& design, const DotFormats& formats, ParameterVisitor& visit) {
  auto& [fused, flush_inputs, step] = design;
  visit.require([&] { return formats.k % 2 == 0; }, "pair-dot-add needs an even k");
  visit.yes_no(
      {"fused",
       "yes: a pair's exact sum is rounded once; no: each product and their sum are rounded"},
      fused);
  visit.yes_no({"flush_inputs", "subnormal operands are replaced by zeros of the same sign"},
               flush_inputs);
  describe_result(step, formats.d, visit);
}

SymbolicPairDotAdd symbolic(const PairDotAdd& design) {
  const auto& [fused, flush_inputs, step] = design;
  return {fused, flush_inputs, step};
}

Int build(const PairDotAdd& design, const DotFormats& formats, const DotOperands& operands) {
  return build(symbolic(design), formats, operands);
}

Int build(const SymbolicPairDotAdd& design, const DotFormats& formats,
          const DotOperands& operands) {
  const DotOperands in = subnormals_as_zeros(formats, operands, design.flush_inputs);
  const Format& a = *formats.a;
  const Format& b = *formats.b;
  const Format& step = *design.step.format;
  const Integer nan = quiet_nan(*formats.d);
  // A result as an operand of the next step.
  const auto flushed = [&](Int x) {
    const bool may_be_subnormal = design.step.underflow.may_be(Underflow::gradual);
    if (!may_hold(design.flush_inputs) || !may_be_subnormal) return x;
    return select(design.flush_inputs, subnormal_as_zero(step, x), x);
  };
  const auto product = [&](std::size_t k) {
    const Int p = multiply(a, in.a[k], b, in.b[k], design.step, nan);
    mark("pattern of a[" + std::to_string(k) + "]*b", p, MarkRole::pattern);
    return p;
  };
  Int d = in.c;
  const Format* accumulator = formats.c;
  for (std::size_t k = 0; k < in.a.size(); k += 2) {
    const auto sum_of_products = [&] {
      const Int first = product(k);  // evaluated in this order, for the marks, independent of the
                                     // compiler
      const Int second = product(k + 1);
      return add(step, flushed(first), step, flushed(second), design.step, nan);
    };
    const Int pair = design.fused ? dot_of_two(a, in.a[k], in.a[k + 1], b, in.b[k], in.b[k + 1],
                                               design.step, nan)
                                  : sum_of_products();
    mark("pattern of a pair", pair, MarkRole::pattern);
    d = add(*accumulator, k == 0 ? d : flushed(d), step, flushed(pair), design.step, nan);
    mark("pattern of d", d, MarkRole::pattern);
    accumulator = formats.d;
  }
  return d;
}

}  // namespace mmaspec
