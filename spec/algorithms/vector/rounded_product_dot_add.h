#pragma once
/// Sums of products that are rounded before they are aligned: the dot product of the PSP's vector
/// unit (VFPU), and designs whose multipliers round.

#include <optional>

#include "spec/formats/symbolic_result.h"
#include "spec/parts/dot_add.h"

namespace mmaspec {

/// d = round(c + sum round(a[k] * b[k])). The exponent of a product is the sum of its factors'
/// exponents, its significand is in [0, 4). Each product is rounded to `product_bits` bits below
/// its exponent. Then all products and c are aligned to the largest exponent of those that are not
/// zero after that, cut toward zero to `fraction_bits` bits below it, and summed exactly. The sum
/// is cut toward zero to `sum_bits` bits below the largest exponent, and rounded once. A sum that
/// becomes zero by that keeps its sign; an exact zero is +0. A K beyond `block` is computed as a
/// chain of such steps. Block scale factors multiply the products before they are rounded: their
/// exponents are added, their significands are multiplied.
///
/// The PSP's `vdot.q`, as the emulator PPSSPP computes it: a, b, d and c of f32, k = 4,
/// product_bits = 25 to odd, fraction_bits = 25, sum_bits = 23, flush_inputs, round = rne,
/// underflow = flush-tiny, and c = +0.
struct RoundedProductDotAdd {
  static constexpr std::string_view kName = "rounded-product-dot-add";
  static constexpr std::string_view kReference =
      "PPSSPP (hrydgard/ppsspp), MIPSVFPUUtils.cpp, vfpu_dot_reference(); issue 21070";
  static constexpr bool kTakesScaleFactors = true;

  int block;         ///< products in one step; divides K
  int product_bits;  ///< of each product, below its exponent
  Rounding product_rounding = Rounding::to_odd;
  int fraction_bits;            ///< F: of each term, below the largest exponent
  std::optional<int> sum_bits;  ///< of the sum, below the largest exponent; none: all
  bool flush_inputs = false;    ///< subnormals and zeros among a, b, c count as +0
  ResultFormat result;          ///< of each step

  friend bool operator==(const RoundedProductDotAdd&, const RoundedProductDotAdd&) = default;
};

/// The same with expressions for its parameters.
struct SymbolicRoundedProductDotAdd {
  int block;
  Int product_bits;  ///< >= 0, as all bits here
  Choice<Rounding> product_rounding;
  Int fraction_bits;
  std::optional<Int> sum_bits;  ///< more than fraction_bits are none
  Bool flush_inputs;
  SymbolicResultFormat result;
};
SymbolicRoundedProductDotAdd symbolic(const RoundedProductDotAdd& design);

/// The product_bits with which every product is exact, with its scale factors.
int exact_product_bits(const DotFormats& formats);

/// Its parameters, as `design:` takes them.
void describe(RoundedProductDotAdd& design, const DotFormats& formats, ParameterVisitor& visit);
/// The pattern of d in the current graph.
Int build(const RoundedProductDotAdd& design, const DotFormats& formats,
          const DotOperands& operands);
Int build(const SymbolicRoundedProductDotAdd& design, const DotFormats& formats,
          const DotOperands& operands);

}  // namespace mmaspec
