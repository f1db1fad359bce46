#pragma once
/// Ones'-complement dot-add: the DOT2 and WMMA instructions of AMD's RDNA3.

#include "spec/formats/symbolic_result.h"
#include "spec/parts/terms.h"

namespace mmaspec {

/// Two products and c on one grid, 2^max(e_p - product_bits, e_c - c_bits): e_p is the largest sum
/// of the factors' exponents of a product that is not zero, e_c the exponent of c. Each term is cut
/// toward zero to the grid. In the sign frame of c, a term of c's sign adds its magnitude m, one of
/// the other sign the ones' complement of it, -m - 1, even where it is zero. The sum is rounded
/// once. Operands below 2^-126 (subnormal numbers of f32 and bf16) count as zeros of their signs;
/// where all terms are zeros d is +0, and so is a sum that is rounded to zero. ROCm/rocm-systems,
/// issue 12056 and its model of gfx1100 (gfx11_dot2.h, dot_packed16.h), by captured results.
struct OnesComplementDotAdd {
  static constexpr std::string_view kName = "ones-complement-dot-add";
  static constexpr std::string_view kReference = "ROCm/rocm-systems issue 12056 (gfx11_dot2.h)";
  static constexpr bool kTakesScaleFactors = false;

  int block;  ///< products in one step, a longer K is a chain; the hardware's is 2
  int product_bits = 24;
  int c_bits = 26;             ///< >= product_bits
  bool zero_c_counts = false;  ///< c has an exponent even where it is zero: its format's least one
  bool through_f32 = false;    ///< d is the high part of an f32 result: bf16 results alone
  ResultFormat result{nullptr, Rounding::nearest_even};  ///< of each step

  friend bool operator==(const OnesComplementDotAdd&, const OnesComplementDotAdd&) = default;
};

/// The same with expressions for its parameters; blocks, and whether d is the high part of an f32,
/// shape the graph.
struct SymbolicOnesComplementDotAdd {
  int block;
  Int product_bits;  ///< >= 0
  Int c_bits;        ///< >= product_bits
  Bool zero_c_counts;
  bool through_f32;
  SymbolicResultFormat result;
};
SymbolicOnesComplementDotAdd symbolic(const OnesComplementDotAdd& design);

/// Its parameters, as `design:` takes them.
void describe(OnesComplementDotAdd& design, const DotFormats& formats, ParameterVisitor& visit);
/// The pattern of d in the current graph.
Int build(const OnesComplementDotAdd& design, const DotFormats& formats,
          const DotOperands& operands);
Int build(const SymbolicOnesComplementDotAdd& design, const DotFormats& formats,
          const DotOperands& operands);

}  // namespace mmaspec
