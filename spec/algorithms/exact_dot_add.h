#pragma once
/// Exact dot-add: the sum as by a Kulisch accumulator, rounded once. An ideal to compare with, and
/// Khattak and Mikaitis's model of MI100.

#include "spec/parts/terms.h"

namespace mmaspec {

/// d = round(c + sum a[k] * b[k]) with nothing lost before the one rounding; a K beyond `block` is
/// a chain. The accumulator has one zero: an exact zero is +0; a negative sum that rounds to zero
/// is -0. U. Kulisch, Computer Arithmetic and Validity, 2nd ed., chapter 8.
struct ExactDotAdd {
  static constexpr std::string_view kName = "exact-dot-add";
  static constexpr std::string_view kReference =
      "Kulisch, Computer Arithmetic and Validity, chapter 8";
  static constexpr bool kTakesScaleFactors = true;

  int block;
  ResultFormat result;

  friend bool operator==(const ExactDotAdd&, const ExactDotAdd&) = default;
};

/// Its parameters, as `design:` takes them.
void describe(ExactDotAdd& design, const DotFormats& formats, ParameterVisitor& visit);
/// The pattern of d in the current graph.
Int build(const ExactDotAdd& design, const DotFormats& formats, const DotOperands& operands);

}  // namespace mmaspec
