#pragma once
/// How a term graph reads its operands: unchanged, normalized, or with subnormals replaced by zero.

#include "queries/error_bounds/loss_lemmas.h"

namespace mmaspec {

/// A number as a term graph reads it.
struct DecodedOperand {
  BinaryRational value;
  bool may_be_zero_instead;  ///< zero may replace the number
};

/// Finds how `result` reads a pattern of the format, which is an input or a variable of lemmas.
DecodedOperand number_as_read(const Format& format, Int pattern, NodeId result, LossLemmas& lemmas);

/// Adds the products and then c, for the operands that dot_inputs() names in the current graph, as
/// `result` reads them. A product is the product of significands that is a node of the cone of
/// `result`, if there is one. `size` is the magnitude of each exact number. If an operand may be
/// read as zero, the number's error is its size.
///
/// How operands are read is conjectured. For each operand, a solver proves that the number read is
/// the same, or zero. That products are then the same, or zero, follows by arithmetic. Facts about
/// products of significands that lemmas may assume are kept.
void add_operands_as_read(ExactNumbers& numbers, const DotFormats& formats, const Magnitude& size,
                          NodeId result, LossLemmas& lemmas);

}  // namespace mmaspec
