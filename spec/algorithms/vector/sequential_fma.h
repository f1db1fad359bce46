#pragma once
/// Sequential fused multiply-add (SFMA): f64 tensor cores, AMD's f64 and f32 matrix cores, and the
/// vector units of CPUs.

#include "spec/formats/symbolic_result.h"
#include "spec/parts/dot_add.h"

namespace mmaspec {

/// d = fma(a[K-1], b[K-1], ... fma(a[0], b[0], c)), each rounded once. MMA-Sim section IV-A.
///
/// The parameters after `result` are those of x86: VDPBF16PS adds each pair's second product first
/// (`reversed` 2) and counts subnormals as zeros; AMX may keep even and odd k apart (`chains` 2).
///
/// With scale factors each block that shares one is a chain from +0. Its sum is multiplied by both
/// scale factors, rounded, and added to c or to the sum of the blocks before, rounded again. That
/// is how AMD's emulator computes CDNA4's scaled MFMA.
struct SequentialFma {
  static constexpr std::string_view kName = "sequential-fma";
  static constexpr std::string_view kReference = "MMA-Sim section IV-A (SFMA)";
  static constexpr bool kTakesScaleFactors = true;

  ResultFormat result;        ///< of every step
  bool flush_inputs = false;  ///< subnormals among a, b and c count as zeros of their signs
  int reversed = 1;  ///< in each group of this many products the last is added first; divides K;
                     ///< with scale factors 1
  /// 1: the chain starts from c. More: product k belongs to chain k mod chains, each starts from
  /// +0; their sums are added one after the other, and that sum to c. Divides K; with scale factors
  /// 1.
  int chains = 1;

  friend bool operator==(const SequentialFma&, const SequentialFma&) = default;
};

/// The same with expressions for its parameters; the order of the products shapes the graph.
struct SymbolicSequentialFma {
  SymbolicResultFormat result;
  Bool flush_inputs;
  int reversed;
  int chains;
};
SymbolicSequentialFma symbolic(const SequentialFma& design);

/// Its parameters, as `design:` takes them.
void describe(SequentialFma& design, const DotFormats& formats, ParameterVisitor& visit);
/// The pattern of d in the current graph.
Int build(const SequentialFma& design, const DotFormats& formats, const DotOperands& operands);
Int build(const SymbolicSequentialFma& design, const DotFormats& formats,
          const DotOperands& operands);

}  // namespace mmaspec
