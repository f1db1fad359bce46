#pragma once
/// The operands of a text as it reads them: as they are, normalised, or with zeros in the place of
/// subnormals.

#include "queries/losses/loss_lemmas.h"

namespace mmaspec {

/// A number as a text reads it.
struct ReadNumber {
  Scaled value;
  bool may_be_zero_instead;  ///< of the number
};

/// Of a pattern of the format, an input or a variable of lemmas, as `result` is made of it.
ReadNumber number_as_read(const Format& format, Int pattern, NodeId result, LossLemmas& lemmas);

/// Adds the products and then c, of the operands that dot_inputs() names in the current graph, each
/// as `result` is made of it: a product of the significands that a node of its cone is, if there is
/// one. `size` is that of each exact number; where a text takes some operand for zero, the number's
/// error is its size.
///
/// What is guessed is how operands are read; that they stand for the same numbers, or for zero, is
/// asked of each operand alone, and that products of such are the same, or zero, is arithmetic.
/// What lemmas may presume of significands' products is kept.
void add_operands_as_read(ExactNumbers& numbers, const DotFormats& formats, const Magnitude& size,
                          NodeId result, LossLemmas& lemmas);

}  // namespace mmaspec
