#pragma once
/// A chain of fused multiply-adds in f32 whose last number is converted to the result's format: the
/// WMMA instructions of AMD's CDNA5 with 16-bit results or scale factors, as AMD's emulator
/// computes them.

#include "spec/algorithms/vector/sequential_fma.h"
#include "spec/lang/choice.h"

namespace mmaspec {

/// d = convert(fma(a[K-1], b[K-1], ... fma(a[0], b[0], c))): each FMA is rounded to f32, to nearest
/// even, and the last number is converted to d's format by `round`; a number that is too large
/// becomes an infinity. A d of f32 is not converted.
///
/// With scale factors each block that shares one is a chain from +0. Its sum is multiplied by a's
/// scale factor, rounded, multiplied by b's, rounded, and added to c or to the sum of the blocks
/// before, rounded again, all in f32. The last sum is converted.
struct F32Chain {
  static constexpr std::string_view kName = "f32-chain";
  static constexpr std::string_view kReference =
      "rocjitsu (ROCm/rocm-systems, emulation/rocjitsu), mma_exec.h";
  static constexpr bool kTakesScaleFactors = true;

  Rounding round = Rounding::nearest_even;  ///< of the conversion

  friend bool operator==(const F32Chain&, const F32Chain&) = default;
};

/// The same with an expression for its parameter.
struct SymbolicF32Chain {
  Choice<Rounding> round;
};
SymbolicF32Chain symbolic(const F32Chain& design);

/// Its parameters, as `design:` takes them.
void describe(F32Chain& design, const DotFormats& formats, ParameterVisitor& visit);
/// The pattern of d in the current graph.
Int build(const F32Chain& design, const DotFormats& formats, const DotOperands& operands);
Int build(const SymbolicF32Chain& design, const DotFormats& formats, const DotOperands& operands);

/// The chain before its conversion, for formats without scale factors: FMAs in f32.
struct Unconverted {
  SequentialFma chain;
  DotFormats formats;  ///< d is f32
};
Unconverted unconverted(const DotFormats& formats);

}  // namespace mmaspec
