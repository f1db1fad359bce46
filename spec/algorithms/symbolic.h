#pragma once
/// Designs with symbolic parameters: numbers and choices are expressions, so that one graph is many
/// designs. What shapes the graph stays as it is: blocks, groups, the order of additions.
///
/// Each algorithm is written over these; a design of numbers (spec/algorithms/) is the symbolic one
/// at constants.

#include <optional>

#include "spec/algorithms/algorithm.h"
#include "spec/formats/symbolic_result.h"

namespace mmaspec {

struct SymbolicGroupPairwiseSum {
  int group;
  Bool flush_inputs;
  SymbolicResultFormat step;
  Bool minus_zero_products;
};

struct SymbolicFusedDotAdd {
  Int fraction_bits;                  ///< >= 0
  std::optional<Int> exponent_floor;  ///< one below every exponent is none
  Choice<ZeroTerms> zero_terms;
  Int zero_exponent;
  int block;
  SymbolicResultFormat result;
  Choice<Rounding> align_rounding;  ///< toward_zero or down
  AccumulatorJoins c_joins;
  bool normalized_products;
  Bool flush_inputs;
  std::optional<Int> product_overflow;  ///< one above every product's is none
  Bool minus_zero;
  bool normalized_c;
};

struct SymbolicRoundDownDotAdd {
  int block;
  int groups;
  Int product_fraction_bits;  ///< >= 0, as all bits here
  Int sum_fraction_bits;
  Choice<Rounding> sum_rounding;  ///< toward_zero or down
  Int c_fraction_bits;
  Choice<Rounding> c_rounding;  ///< toward_zero or down
  std::optional<Int> c_reach;   ///< one beyond every distance is none
  Int product_overflow;
  Choice<ZeroTerms> zero_terms;
  Int zero_exponent;
  SymbolicResultFormat result;
  std::optional<Int> normalized_bits;  ///< more than a sum has are none
  Bool overflow_joins;
};

struct SymbolicGroupDotFusedSum {
  int group;
  Int fraction_bits;  ///< >= 0
  Choice<ZeroTerms> zero_terms;
  Int zero_exponent;
  SymbolicResultFormat result;
  std::optional<Int> exponent_floor;  ///< one below every exponent is none
  Bool cancelled_groups_count;
};

struct SymbolicSplitFp8 {
  SymbolicFusedDotAdd half;
  bool chained_halves;
};

struct SymbolicExactDotAdd {
  int block;
  SymbolicResultFormat result;
};

/// The same design at constants of the current graph. Each takes the design apart with all its
/// members, so that a new one does not compile until it is considered here.
SymbolicGroupPairwiseSum symbolic(const GroupPairwiseSum& design);
SymbolicFusedDotAdd symbolic(const FusedDotAdd& design);
SymbolicRoundDownDotAdd symbolic(const RoundDownDotAdd& design);
SymbolicGroupDotFusedSum symbolic(const GroupDotFusedSum& design);
SymbolicSplitFp8 symbolic(const SplitFp8& design);
SymbolicExactDotAdd symbolic(const ExactDotAdd& design);

/// The pattern of d in the current graph.
Int build(const SymbolicGroupPairwiseSum& design, const DotFormats& formats,
          const DotOperands& operands);
Int build(const SymbolicFusedDotAdd& design, const DotFormats& formats,
          const DotOperands& operands);
Int build(const SymbolicRoundDownDotAdd& design, const DotFormats& formats,
          const DotOperands& operands);
Int build(const SymbolicGroupDotFusedSum& design, const DotFormats& formats,
          const DotOperands& operands);
Int build(const SymbolicSplitFp8& design, const DotFormats& formats, const DotOperands& operands);
Int build(const SymbolicExactDotAdd& design, const DotFormats& formats,
          const DotOperands& operands);

/// One step of the fused dot-add over all of `operands`; the pattern of d.
Int fused_dot_add(const SymbolicFusedDotAdd& design, const DotFormats& formats,
                  const DotOperands& operands);

}  // namespace mmaspec
