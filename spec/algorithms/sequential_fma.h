#pragma once
/// Sequential fused multiply-add (SFMA): f64 tensor cores, AMD's f64 and f32 matrix cores.

#include "spec/formats/round.h"
#include "spec/parts/dot_add.h"

namespace mmaspec {

/// d = fma(a[K-1], b[K-1], ... fma(a[0], b[0], c)), each rounded once. MMA-Sim section IV-A.
struct SequentialFma {
  static constexpr std::string_view kName = "sequential-fma";
  static constexpr std::string_view kReference = "MMA-Sim section IV-A (SFMA)";
  static constexpr bool kTakesScaleFactors = false;

  ResultFormat result;  ///< of every step

  friend bool operator==(const SequentialFma&, const SequentialFma&) = default;
};

/// Its parameters, as `design:` takes them.
void describe(SequentialFma& design, const DotFormats& formats, ParameterVisitor& visit);
/// The pattern of d in the current graph.
Int build(const SequentialFma& design, const DotFormats& formats, const DotOperands& operands);

}  // namespace mmaspec
