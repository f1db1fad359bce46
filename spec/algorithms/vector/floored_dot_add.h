#pragma once
/// Floored dot-add: the DOT2, DOT4 and WMMA instructions of AMD's RDNA4.

#include "spec/formats/symbolic_result.h"
#include "spec/parts/terms.h"

namespace mmaspec {

/// The products of a group are rounded down to product_bits below the largest sum of their factors'
/// exponents (zero products count none) and added. The groups' sums and c are then rounded down to
/// one grid, 2^max(e_p - product_bits, e_c - c_bits), e_p being the largest of all groups and e_c
/// c's exponent, which subnormals and zeros have too: the least one. A negative c of which the grid
/// keeps no bit counts as zero, but as -1 where the grid is at or below its format's least
/// exponent. The sum is rounded once; a zero is +0. ROCm/rocm-systems, issue 12056 and its model of
/// gfx1201 (gfx12_dot.h, dot_packed16.h), by captured results.
struct FlooredDotAdd {
  static constexpr std::string_view kName = "floored-dot-add";
  static constexpr std::string_view kReference = "ROCm/rocm-systems issue 12056 (gfx12_dot.h)";
  static constexpr bool kTakesScaleFactors = false;

  int block;      ///< products in one step; a longer K is a chain
  int group = 2;  ///< products that are aligned and added first; divides block
  int product_bits = 24;
  int c_bits = 26;  ///< >= product_bits
  /// The blocks of the lower and of the upper half of K take turns: lower, upper, lower, ...
  bool halves_alternate = false;
  bool through_f32 = false;  ///< d is the high part of an f32 result: bf16 results alone
  ResultFormat result{nullptr, Rounding::nearest_even};  ///< of each step

  friend bool operator==(const FlooredDotAdd&, const FlooredDotAdd&) = default;
};

/// The same with expressions for its parameters; what is added first, and whether d is the high
/// part of an f32, shape the graph.
struct SymbolicFlooredDotAdd {
  int block;
  int group;
  Int product_bits;  ///< >= 0
  Int c_bits;        ///< >= product_bits
  bool halves_alternate;
  bool through_f32;
  SymbolicResultFormat result;
};
SymbolicFlooredDotAdd symbolic(const FlooredDotAdd& design);

/// Its parameters, as `design:` takes them.
void describe(FlooredDotAdd& design, const DotFormats& formats, ParameterVisitor& visit);
/// The pattern of d in the current graph.
Int build(const FlooredDotAdd& design, const DotFormats& formats, const DotOperands& operands);
Int build(const SymbolicFlooredDotAdd& design, const DotFormats& formats,
          const DotOperands& operands);

}  // namespace mmaspec
