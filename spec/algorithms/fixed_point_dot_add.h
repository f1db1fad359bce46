#pragma once
/// Dot-add with an accumulator in fixed point.

#include "spec/algorithms/vector/integer_dot_add.h"
#include "spec/parts/dot_add.h"

namespace mmaspec {

/// d = c + sum a[k] * b[k] in two's complement fixed point (spec/formats/fixed_point.h), as by
/// Kulisch accumulators of narrow formats and by units that add products as integers.
/// - Each exact product is rounded to a multiple of 2^-F, F being the fraction bits of d's format.
/// - `group` products at a time are added to c, exactly, and the sum is brought into d's format,
///   which is the next c. Where sums wrap the groups make no difference.
/// - The accumulator has neither infinities nor NaNs. Patterns of these among a and b are numbers
///   with the next exponent.
/// U. Kulisch, Computer Arithmetic and Validity, 2nd ed., chapter 8; J. Johnson, Rethinking
/// floating point for deep learning, 2018.
struct FixedPointDotAdd {
  static constexpr std::string_view kName = "fixed-point-dot-add";
  static constexpr std::string_view kReference =
      "Kulisch, Computer Arithmetic and Validity, chapter 8; Johnson, Rethinking floating point "
      "for deep learning";
  static constexpr bool kTakesScaleFactors = false;

  Rounding product_rounding = Rounding::toward_zero;  ///< toward zero, down, to nearest
  IntegerOverflow overflow = IntegerOverflow::wrap;
  int group = 1;  ///< divides K; of no effect where sums wrap

  /// Equal ones make the same result.
  friend bool operator==(const FixedPointDotAdd& x, const FixedPointDotAdd& y) {
    const auto& [rounding, overflow, group] = x;
    return rounding == y.product_rounding && overflow == y.overflow &&
           (overflow == IntegerOverflow::wrap || group == y.group);
  }
};

/// All of its parameters shape the graph.
using SymbolicFixedPointDotAdd = FixedPointDotAdd;
inline SymbolicFixedPointDotAdd symbolic(const FixedPointDotAdd& design) { return design; }

/// The exponent of the number of which all products are multiples.
int lowest_product_exponent(const DotFormats& formats);

/// Its parameters, as `design:` takes them.
void describe(FixedPointDotAdd& design, const DotFormats& formats, ParameterVisitor& visit);
/// The pattern of d in the current graph.
Int build(const FixedPointDotAdd& design, const DotFormats& formats, const DotOperands& operands);

}  // namespace mmaspec
