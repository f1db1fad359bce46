#include "spec/algorithms/vector/f32_chain.h"

#include "spec/formats/symbolic_result.h"
#include "spec/formats/unpack.h"
#include "spec/parts/parameter_visitor.h"
#include "spec/parts/rounded_sum.h"

namespace mmaspec {
namespace {

/// The f32 pattern as an operand of d's format.
Int converted_to(const Format& d, Int pattern, const Choice<Rounding>& round) {
  if (d == formats::f32) return pattern;
  const Unpacked x = unpack(formats::f32, pattern);
  const SymbolicResultFormat result(&d, round, Underflow::gradual, Overflow::to_infinity,
                                    d.fraction_bits);
  const Int number = round_and_pack(
      {x.sign, x.significand, x.exponent - formats::f32.fraction_bits, false, x.sign, true},
      result);
  return with_special_values({x.is_nan, x.is_infinite && !x.sign, x.is_infinite && x.sign}, d,
                             canonical_nan(d), number);
}

/// Each block's sum, scaled in two steps, is added to the previous one.
Int scaled_blocks(const DotFormats& formats, const DotOperands& in) {
  const ResultFormat step{&formats::f32};
  const Integer nan = quiet_nan(formats::f32);
  const auto block = static_cast<std::size_t>(formats.scale_block);
  Int d = in.c;
  const Format* accumulator = formats.c;
  for (std::size_t i = 0; i < in.scale_a.size(); ++i) {
    Int part = 0;
    for (std::size_t k = i * block; k < (i + 1) * block; ++k) {
      part = fused_multiply_add(*formats.a, in.a[k], *formats.b, in.b[k], formats::f32, part, step,
                                nan);
      mark("pattern of a block's sum", part, MarkRole::pattern);
    }
    for (const Int factor : {in.scale_a[i], in.scale_b[i]}) {
      part = multiply(formats::f32, part, *formats.scale, factor, step, nan);
      mark("pattern of a scaled block", part, MarkRole::pattern);
    }
    d = add(*accumulator, d, formats::f32, part, step, nan);
    mark("pattern of the f32 sum", d, MarkRole::pattern);
    accumulator = &formats::f32;
  }
  return d;
}

}  // namespace

SymbolicF32Chain symbolic(const F32Chain& design) {
  const auto& [round] = design;
  return {round};
}

void describe(F32Chain& design, const DotFormats&, ParameterVisitor& visit) {
  auto& [round] = design;
  visit.one_of<Rounding>(
      {.key = "round", .meaning = "rounding of the last f32 number to d's format"}, round,
      {Rounding::toward_zero, Rounding::nearest_even, Rounding::down, Rounding::up,
       Rounding::nearest_away, Rounding::to_odd});
}

Int build(const F32Chain& design, const DotFormats& formats, const DotOperands& operands) {
  return build(symbolic(design), formats, operands);
}

Int build(const SymbolicF32Chain& design, const DotFormats& formats, const DotOperands& operands) {
  if (formats.scale != nullptr) {
    return converted_to(*formats.d, scaled_blocks(formats, operands), design.round);
  }
  const auto [chain, inner] = unconverted(formats);
  return converted_to(*formats.d, build(chain, inner, operands), design.round);
}

Unconverted unconverted(const DotFormats& formats) {
  DotFormats inner = formats;
  inner.d = &formats::f32;
  return {SequentialFma{ResultFormat{&formats::f32}}, inner};
}

}  // namespace mmaspec
