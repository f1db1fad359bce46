#pragma once
/// A chain of fused multiply-adds in f32 whose last number is converted to the result's format: the
/// WMMA instructions of AMD's CDNA5 with 16-bit results or scale factors, as AMD's emulator
/// computes them.

#include <string>
#include <vector>

#include "spec/algorithms/algorithm.h"
#include "spec/algorithms/sequential_fma.h"

namespace mmaspec {

/// d = convert(fma(a[K-1], b[K-1], ... fma(a[0], b[0], c))): each FMA is rounded to f32, to nearest
/// even, and the last number is converted to d's format by `round`; a number that is too large
/// becomes an infinity.
///
/// With scale factors each block that shares one is a chain from +0. Its sum is multiplied by a's
/// scale factor, rounded, multiplied by b's, rounded, and added to c or to the sum of the blocks
/// before, rounded again, all in f32. The last sum is converted.
class F32Chain final : public Composition {
 public:
  explicit F32Chain(Rounding round) : round_(round) {}

  /// Of the conversion; a d of f32 is not converted.
  Rounding round() const { return round_; }

  Int build(const DotFormats& formats, const DotOperands& operands) const override;
  bool equals(const Composition& other) const override;
  /// The next instruction of a chain takes a converted number.
  int step_k() const override { return 0; }
  std::string name() const override { return "f32-chain"; }
  std::string reference() const override {
    return "rocjitsu (ROCm/rocm-systems, emulation/rocjitsu), mma_exec.h";
  }
  std::vector<Parameter> parameters() const override;

 private:
  Rounding round_;
};

/// The algorithm as such a chain for formats on which proofs may rely, or nullptr: d's format is
/// f32, f16 or bf16, f32 has all numbers of c's format, and scale factors have no sign, are not
/// zero and belong to whole blocks.
const F32Chain* known_f32_chain(const Algorithm& algorithm, const DotFormats& formats);

/// The chain before its conversion, for formats without scale factors: FMAs in f32.
struct Unconverted {
  SequentialFma chain;
  DotFormats formats;  ///< d is f32
};
Unconverted unconverted(const DotFormats& formats);

}  // namespace mmaspec
