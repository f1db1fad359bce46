#pragma once
/// Partial-product dot-add: MVMUL of Tenstorrent's matrix units.

#include "spec/formats/symbolic_result.h"
#include "spec/parts/terms.h"

namespace mmaspec {

/// The multipliers take `a_bits` bits of a's significand and `b_bits` bits of b's, so that a
/// product is computed in up to four phases, each of which adds to the last one's d:
///
///   phase 0: the highest bits of both;  phase 1: the next a_bits bits of a, the highest of b;
///   phase 2: the highest of a, the next b_bits bits of b;  phase 3: the next bits of both.
///
/// Bits of a significand below 2 a_bits (2 b_bits) are ignored. A part of a significand keeps the
/// exponent that it has in the operand, also where the part is zero. In each step of a phase:
///
/// - The products of a `group` are rounded to the last bit of the product with the largest
///   exponent, to nearest, ties away from zero, and summed.
/// - The groups' sums and c are rounded to `aligned_bits` bits below the largest of their
///   exponents, and then to `fraction_bits` bits: sums to nearest, ties up; c to nearest, ties away
///   from zero. Their sum is rounded once.
///
/// Subnormal operands are zeros, and patterns of infinities and NaNs are numbers with one more
/// exponent. A zero operand counts an exponent of one below its format's least. A group counts one
/// below d's least exponent at least, and a group of that exponent is zero. A result of zero is +0.
/// With `minus_one_wraps`, a sum of -1 units counts as -2^27 units: the normalisation of Wormhole
/// does so. tenstorrent/ttsim, src/tensix.cpp, mvmul() and fpu_accum_normalize_encode().
struct PartialProductDotAdd {
  static constexpr std::string_view kName = "partial-product-dot-add";
  static constexpr std::string_view kReference =
      "tenstorrent/ttsim (src/tensix.cpp); tt-isa-documentation (MVMUL)";
  static constexpr bool kTakesScaleFactors = false;

  int block;              ///< products in one step; divides K
  int group = 8;          ///< products that are aligned and added first; divides block
  int first_phase = 0;    ///< 0 to 3
  int phases = 1;         ///< computed one after the other, each over the whole of K
  int a_bits = 5;         ///< bits of a's significand that a phase multiplies
  int b_bits = 7;         ///< likewise of b's
  int aligned_bits = 23;  ///< bits kept below the largest exponent
  int fraction_bits;      ///< bits kept of the aligned terms; at most aligned_bits
  bool minus_one_wraps = false;
  ResultFormat result{nullptr, Rounding::nearest_away, Underflow::flush_tiny};  ///< of each step

  friend bool operator==(const PartialProductDotAdd&, const PartialProductDotAdd&) = default;
};

/// The same with expressions for its parameters; what is multiplied and added in which order shapes
/// the graph.
struct SymbolicPartialProductDotAdd {
  int block;
  int group;
  int first_phase;
  int phases;
  int a_bits;
  int b_bits;
  Int aligned_bits;   ///< >= 0
  Int fraction_bits;  ///< 0 .. aligned_bits
  Bool minus_one_wraps;
  SymbolicResultFormat result;
};
SymbolicPartialProductDotAdd symbolic(const PartialProductDotAdd& design);

/// Its parameters, as `design:` takes them.
void describe(PartialProductDotAdd& design, const DotFormats& formats, ParameterVisitor& visit);
/// The pattern of d in the current graph.
Int build(const PartialProductDotAdd& design, const DotFormats& formats,
          const DotOperands& operands);
Int build(const SymbolicPartialProductDotAdd& design, const DotFormats& formats,
          const DotOperands& operands);

}  // namespace mmaspec
