#include "spec/algorithms/sequential_fma.h"

#include "spec/algorithms/symbolic.h"
#include "spec/parts/parameter_visitor.h"
#include "spec/parts/rounded_sum.h"

namespace mmaspec {
namespace {

/// A result as an operand of the next step.
Int as_operand(const SymbolicSequentialFma& design, const Format& format, Int pattern) {
  const bool may_be_subnormal = design.result.underflow.may_be(Underflow::gradual);
  if (!may_hold(design.flush_inputs) || !may_be_subnormal) return pattern;
  return select(design.flush_inputs, subnormal_as_zero(format, pattern), pattern);
}

/// d = fma of the products of these numbers, one after the other, from `d` of format `accumulator`.
Int fma_chain(const SymbolicSequentialFma& design, const DotFormats& formats, const DotOperands& in,
              const std::vector<std::size_t>& numbers, Int d, const Format* accumulator) {
  for (const std::size_t k : numbers) {
    d = fused_multiply_add(*formats.a, in.a[k], *formats.b, in.b[k], *accumulator,
                           as_operand(design, *accumulator, d), design.result,
                           quiet_nan(*formats.d));
    mark("pattern of d", d, MarkRole::pattern);
    accumulator = formats.d;
  }
  return d;
}

/// The order in which products are added: each `reversed` of them last first.
std::vector<std::size_t> order(std::size_t count, std::size_t reversed) {
  std::vector<std::size_t> numbers;
  for (std::size_t first = 0; first < count; first += reversed) {
    for (std::size_t i = reversed; i > 0; --i) numbers.push_back(first + i - 1);
  }
  return numbers;
}

}  // namespace

void describe(SequentialFma& design, const DotFormats& formats, ParameterVisitor& visit) {
  auto& [result, flush_inputs, reversed, chains] = design;
  describe_result(result, formats.d, visit);
  visit.yes_no({.key = "flush_inputs",
                .meaning = "subnormal operands count as zeros of their signs",
                .shown = flush_inputs},
               flush_inputs);
  visit.integer({.key = "reversed",
                 .meaning = "each so many products are added last first",
                 .shown = reversed != 1},
                reversed, 1, 4096);
  visit.integer({.key = "chains",
                 .meaning = "chains that start from zero, k mod so many apart; 1: one from c",
                 .shown = chains != 1},
                chains, 1, 4096);
  visit.require([&] { return formats.k % design.reversed == 0 && formats.k % design.chains == 0; },
                "reversed and chains must divide k");
}

Int build(const SequentialFma& design, const DotFormats& formats, const DotOperands& operands) {
  return build(symbolic(design), formats, operands);
}

Int build(const SymbolicSequentialFma& design, const DotFormats& formats,
          const DotOperands& operands) {
  const DotOperands in = subnormals_as_zeros(formats, operands, design.flush_inputs);
  const std::vector<std::size_t> all =
      order(operands.a.size(), static_cast<std::size_t>(design.reversed));
  if (design.chains == 1) return fma_chain(design, formats, in, all, in.c, formats.c);
  const auto chains = static_cast<std::size_t>(design.chains);
  const auto plus = [&](const Format& fx, Int x, Int y) {
    const Int sum = add(fx, as_operand(design, fx, x), *formats.d,
                        as_operand(design, *formats.d, y), design.result, quiet_nan(*formats.d));
    mark("pattern of a sum", sum, MarkRole::pattern);
    return sum;
  };
  Int dot = 0;
  for (std::size_t chain = 0; chain < chains; ++chain) {
    std::vector<std::size_t> members;
    for (const std::size_t k : all) {
      if (k % chains == chain) members.push_back(k);
    }
    const Int sum = fma_chain(design, formats, in, members, 0, formats.d);
    dot = chain == 0 ? sum : plus(*formats.d, dot, sum);
  }
  return plus(*formats.c, in.c, dot);
}

}  // namespace mmaspec
