#pragma once
/// Operands that kernels scale before they convert them to a narrow format: each row of A by a
/// factor computed from its largest magnitude, and each column of B likewise.

#include "spec/plans/scheme.h"

namespace mmaspec {

/// How the factor and its inverse are computed from a row's largest magnitude and the largest
/// number of the unit's format, in f32, each rounded to nearest even.
enum class ScaleRecipe {
  quotient,  ///< factor = largest / magnitude, inverse = 1 / factor
  inverse,   ///< inverse = magnitude / largest, factor = 1 / inverse
  power,     ///< factor = the power of two below largest / magnitude, inverse = 1 / factor
};
std::string to_string(ScaleRecipe recipe);

/// The order in which the sum is multiplied by the two inverses.
enum class ScaleBack {
  product,  ///< by their product, which is rounded first
  a_first,
  b_first,
};
std::string to_string(ScaleBack back);

/// Operands are multiplied by their row's factor in f32 and converted to the inner unit's formats:
/// rounded to nearest even, and saturated. The sum, which starts from c, is multiplied by the
/// inverses. A row whose largest magnitude, factor or inverse is not a normal number (a row of
/// zeros, for example) has the factor 1.
struct RowScales {
  static constexpr std::string_view kName = "scale-rows";
  static constexpr std::string_view kReference =
      "PyTorch torchao, torchao/float8/float8_utils.py, amax_to_scale with axiswise scaling; vLLM, "
      "csrc/quantization/fp8, per-token scales";

  const Format* a = &formats::f32;  ///< formats of the operands before scaling
  const Format* b = &formats::f32;
  ScaleRecipe recipe = ScaleRecipe::quotient;
  ScaleBack back = ScaleBack::product;

  friend bool operator==(const RowScales& x, const RowScales& y) {
    const auto& [a, b, recipe, back] = x;
    return *a == *y.a && *b == *y.b && recipe == y.recipe && back == y.back;
  }
};

/// f32 patterns.
struct RowScale {
  Int factor;
  Int inverse;
};
/// For a row whose largest magnitude is `magnitude`, an f32 pattern without sign; `to`: the unit's
/// format.
RowScale row_scale(ScaleRecipe recipe, Int magnitude, const Format& to);

/// |number| as an f32 pattern.
Int magnitude_as_f32(const Format& from, Int number);
/// `number`, a pattern of `from`, times the factor, as an operand of the inner unit.
Int scaled_operand(const Format& from, Int number, Int factor, const Format& to);
/// The sum multiplied by the inverses.
Int scaled_back(ScaleBack back, Int sum, Int inverse_a, Int inverse_b);

/// See spec/plans/operand_schemes.h.
DotFormats formats_around(const RowScales& scheme, const Inner& inner, int k);
void describe(RowScales& scheme, const DotFormats& formats, ParameterVisitor& visit);
Int build_plan(const RowScales& scheme, const Inner& inner, const DotFormats& formats,
               const DotOperands& operands);
int plan_step(const RowScales& scheme, const Inner& inner);

}  // namespace mmaspec
