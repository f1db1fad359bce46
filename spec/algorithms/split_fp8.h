#pragma once
/// FP8 `mma.sync` on tensor cores that have no such instruction (Hopper, Blackwell): the assembler
/// writes two half-precision instructions and an addition in its place. No published model has it;
/// the machine code and recorded results of H100, H200 and B200 do:
/// docs/notes/fp8-mma-sync-on-hopper.md.

#include "spec/algorithms/fused_dot_add.h"

namespace mmaspec {

/// Operands are converted to f16, exactly. The products with k mod 4 in {0, 1} (the low half) and
/// in {2, 3} (the high half) go through the fused dot-add `half` one after the other; c is added
/// last, rounded to nearest even in d's format.
struct SplitFp8 {
  static constexpr std::string_view kName = "split-fp8";
  static constexpr std::string_view kReference = "docs/notes/fp8-mma-sync-on-hopper.md";
  static constexpr bool kTakesScaleFactors = false;

  FusedDotAdd half;
  /// True: the high half starts from the low half's sum (assemblers since CUDA 12.8). False: from
  /// zero, and the two sums are added, rounded to nearest even (CUDA 12.4 to 12.6).
  bool chained_halves = true;

  friend bool operator==(const SplitFp8&, const SplitFp8&) = default;
};

/// The formats of a half, whose c is the other half's sum or zero. Operands whose numbers are all
/// normal in f16 are so there: a subnormal number of E4M3 counts the exponent of its leading bit.
/// They have three fraction bits; f16's other seven would be zero, and are left out. E5M2 has the
/// exponents of f16 as it is. Formats with numbers beyond f16's, which no assembler converts, stay.
DotFormats half_formats(const DotFormats& formats);
/// An operand of `format` as a half takes it.
Int half_operand(const Format& format, Int pattern);

/// Its parameters, as `design:` takes them.
void describe(SplitFp8& design, const DotFormats& formats, ParameterVisitor& visit);
/// The pattern of d in the current graph.
Int build(const SplitFp8& design, const DotFormats& formats, const DotOperands& operands);

}  // namespace mmaspec
