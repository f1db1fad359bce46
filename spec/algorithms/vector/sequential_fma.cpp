#include "spec/algorithms/vector/sequential_fma.h"

#include <numeric>

#include "spec/parts/parameter_visitor.h"
#include "spec/parts/rounded_sum.h"
#include "spec/parts/terms.h"

namespace mmaspec {
namespace {

/// A result as an operand of the next step.
Int as_operand(const SymbolicSequentialFma& design, const Format& format, Int pattern) {
  const bool may_be_subnormal = design.result.underflow.may_be(Underflow::gradual);
  if (!may_hold(design.flush_inputs) || !may_be_subnormal) return pattern;
  return select(design.flush_inputs, subnormal_as_zero(format, pattern), pattern);
}

/// d = fma of the products with these numbers, one after another, starting from `d` in the format
/// `accumulator`.
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

/// The order in which products are added: each group of `reversed` products is added in reverse
/// order.
std::vector<std::size_t> order(std::size_t count, std::size_t reversed) {
  std::vector<std::size_t> numbers;
  for (std::size_t first = 0; first < count; first += reversed) {
    for (std::size_t i = reversed; i > 0; --i) numbers.push_back(first + i - 1);
  }
  return numbers;
}

/// sum * sa * sb, rounded once; a zero has the sign of the sum.
Int scaled(const SymbolicSequentialFma& design, const DotFormats& formats, Int sum, Int sa,
           Int sb) {
  const Format& scale = *formats.scale;
  const Unpacked x = unpack(*formats.d, sum);
  const Unpacked a = unpack(scale, sa);
  const Unpacked b = unpack(scale, sb);
  const Int significand = x.significand * (a.significand * b.significand);
  const Int exponent =
      x.exponent + a.exponent + b.exponent - (formats.d->fraction_bits + 2 * scale.fraction_bits);
  const Int product =
      round_and_pack({x.sign, significand, exponent, false, x.sign, true}, design.result);
  const Bool is_nan =
      x.is_nan || a.is_nan || b.is_nan || (x.is_infinite && (a.is_zero() || b.is_zero()));
  return with_special_values({is_nan, x.is_infinite && !x.sign, x.is_infinite && x.sign},
                             *formats.d, quiet_nan(*formats.d), product);
}

/// Each block that shares scale factors is a chain from +0; its scaled sum is added to the previous
/// one.
Int scaled_blocks(const SymbolicSequentialFma& design, const DotFormats& formats,
                  const DotOperands& in) {
  Int d = in.c;
  const Format* accumulator = formats.c;
  const auto block = static_cast<std::size_t>(formats.scale_block);
  for (std::size_t i = 0; i < in.scale_a.size(); ++i) {
    std::vector<std::size_t> members(block);
    std::iota(members.begin(), members.end(), i * block);
    const Int sum = fma_chain(design, formats, in, members, 0, formats.d);
    const Int part =
        scaled(design, formats, as_operand(design, *formats.d, sum), in.scale_a[i], in.scale_b[i]);
    mark("pattern of a scaled block", part, MarkRole::pattern);
    d = add(*accumulator, as_operand(design, *accumulator, d), *formats.d,
            as_operand(design, *formats.d, part), design.result, quiet_nan(*formats.d));
    mark("pattern of d", d, MarkRole::pattern);
    accumulator = formats.d;
  }
  return d;
}

}  // namespace

void describe(SequentialFma& design, const DotFormats& formats, ParameterVisitor& visit) {
  auto& [result, flush_inputs, reversed, chains] = design;
  describe_result(result, formats.d, visit);
  visit.yes_no({.key = "flush_inputs",
                .meaning = "subnormal operands are replaced by zeros of the same sign",
                .shown = flush_inputs},
               flush_inputs);
  visit.integer({.key = "reversed",
                 .meaning = "within each block of this many products, the last one is added first",
                 .shown = reversed != 1},
                reversed, 1, 4096);
  visit.integer({.key = "chains",
                 .meaning = "number of chains that start from zero; product k belongs to chain k "
                            "mod this number. 1: one chain that starts from c",
                 .shown = chains != 1},
                chains, 1, 4096);
  visit.require([&] { return formats.k % design.reversed == 0 && formats.k % design.chains == 0; },
                "reversed and chains must divide k");
  visit.require(
      [&] { return formats.scale == nullptr || (design.reversed == 1 && design.chains == 1); },
      "with scale factors, reversed and chains must be 1");
}

SymbolicSequentialFma symbolic(const SequentialFma& design) {
  const auto& [result, flush_inputs, reversed, chains] = design;
  return {result, flush_inputs, reversed, chains};
}

Int build(const SequentialFma& design, const DotFormats& formats, const DotOperands& operands) {
  return build(symbolic(design), formats, operands);
}

Int build(const SymbolicSequentialFma& design, const DotFormats& formats,
          const DotOperands& operands) {
  const DotOperands in = subnormals_as_zeros(formats, operands, design.flush_inputs);
  if (formats.scale != nullptr) return scaled_blocks(design, formats, in);
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
