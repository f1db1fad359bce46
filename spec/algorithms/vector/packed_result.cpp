#include "spec/algorithms/vector/packed_result.h"

namespace mmaspec {

Int packed_result(Bool sign, Int magnitude, Int exponent, const SymbolicResultFormat& result,
                  bool through_f32) {
  const Number number{sign, magnitude, exponent};
  if (!through_f32) return round_and_pack(number, result);
  const auto& [format, rounding, underflow, overflow, kept] = result;
  // All bits of the result's format correspond to all bits of f32.
  const Int kept_of_f32 = select(kept == format->fraction_bits, formats::f32.fraction_bits, kept);
  const SymbolicResultFormat wide{&formats::f32, rounding, underflow, overflow, kept_of_f32};
  const Int pattern = round_and_pack(number, wide);
  mark("pattern of the f32 result", pattern);
  return bits(pattern, 16, 16);
}

void describe_through_f32(bool& through_f32, const DotFormats& formats, ParameterVisitor& visit) {
  visit.yes_no({.key = "through_f32",
                .meaning = "d is the high part of an f32 result",
                .shown = through_f32},
               through_f32);
  visit.require([&] { return !through_f32 || formats.d == nullptr || *formats.d == formats::bf16; },
                "through_f32=yes needs d=bf16");
}

}  // namespace mmaspec
