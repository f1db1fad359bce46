#pragma once
/// Pair-dot-add: the two-way dot products of Arm (BFDOT, BFMMLA, BFMOPA, FMOPA) and the rank-2
/// updates of Power10's matrix unit.

#include "spec/formats/symbolic_result.h"
#include "spec/parts/dot_add.h"

namespace mmaspec {

/// d = c + (a[0] * b[0] + a[1] * b[1]), pair after pair: a pair's products are added before they
/// join the sum. Arm Architecture Reference Manual (DDI 0487), BFDotAdd(): with FPCR.EBF = 0 each
/// product and each sum is rounded to odd, subnormals are zeros; with FPCR.EBF = 1 the exact sum of
/// a pair is rounded (FPDot()), and then its sum with c. Power ISA 3.1, section 7.6.1.11 (VSX
/// matrix-multiply assist): as the latter.
struct PairDotAdd {
  static constexpr std::string_view kName = "pair-dot-add";
  static constexpr std::string_view kReference =
      "Arm DDI 0487, BFDotAdd() and FPDot(); Power ISA 3.1, rank-2 updates";
  static constexpr bool kTakesScaleFactors = false;

  /// The exact sum of a pair is rounded once; else each product is, and their sum.
  bool fused = true;
  bool flush_inputs = false;  ///< subnormals among a, b and c count as zeros of their signs
  ResultFormat step;          ///< of everything that is rounded

  friend bool operator==(const PairDotAdd&, const PairDotAdd&) = default;
};

/// The same with expressions for its parameters; how pairs are added shapes the graph.
struct SymbolicPairDotAdd {
  bool fused;
  Bool flush_inputs;
  SymbolicResultFormat step;
};
SymbolicPairDotAdd symbolic(const PairDotAdd& design);

/// Its parameters, as `design:` takes them.
void describe(PairDotAdd& design, const DotFormats& formats, ParameterVisitor& visit);
/// The pattern of d in the current graph.
Int build(const PairDotAdd& design, const DotFormats& formats, const DotOperands& operands);
Int build(const SymbolicPairDotAdd& design, const DotFormats& formats, const DotOperands& operands);

}  // namespace mmaspec
