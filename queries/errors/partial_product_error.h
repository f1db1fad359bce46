#pragma once
/// Error bounds of sums of partial products, Tenstorrent's MVMUL.

#include <optional>

#include "spec/catalog/instruction.h"
#include "spec/formats/text.h"

namespace mmaspec {

/// X such that |d - exact| <= X ulp of the largest term, for all finite operands with finite d.
///
/// It is the triangle inequality: |d - exact| <= |d| + |exact|, which is as sharp as a bound for
/// all inputs can be up to a small factor, because subnormal operands are lost. With L the largest
/// magnitude of a term, or d's least normal number if that is larger, |exact| <= (K + 1) L. A bound
/// of |d| follows from step to step, with these facts:
///
/// - A part of a product is at most the product. Its exponent is at most that of the product,
/// except
///   where an operand is zero.
/// - Rounding x to a multiple of w, to nearest, gives at most |x| + w / 2, and at most 2 |x|.
/// - A sum of -1 units that counts as -2^27 units needs an accumulator that the products cancel
///   except for one unit.
/// - An intermediate result that overflows counts as the power of two beyond the largest number, or
///   as the largest number, neither of which exceeds the rounded sum.
///
/// nullopt: the result is not rounded to nearest or toward zero with tininess after rounding, or no
/// bound is known.
std::optional<Rational> partial_product_error(const PartialProductDotAdd& design,
                                              const DotFormats& formats);

}  // namespace mmaspec
