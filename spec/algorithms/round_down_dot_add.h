#pragma once
/// Fused dot-round-down-add (FDRDA), its chain (CoFDRDA) and its grouped form (GFDRDA, CoGFDRDA):
/// the matrix cores of CDNA3 below f32.

#include <optional>

#include "spec/parts/terms.h"

namespace mmaspec {

/// The products are aligned to their own largest exponent, cut toward zero and summed. That sum and
/// c are aligned to the larger of their exponents, rounded down, added, and rounded to the result.
/// If `normalized_bits` is given, the normalised sum is cut to that many bits first. MMA-Sim
/// sections IV-F to IV-I; its release 2.1.1 for `normalized_bits` and `overflow_joins`.
struct RoundDownDotAdd {
  static constexpr std::string_view kName = "round-down-dot-add";
  static constexpr std::string_view kReference =
      "MMA-Sim sections IV-F to IV-I (FDRDA, CoFDRDA, GFDRDA, CoGFDRDA)";
  static constexpr bool kTakesScaleFactors = false;

  int block;       ///< products in one step; a longer K is a chain
  int groups = 1;  ///< product k belongs to group k mod groups; each has its own exponent
  int product_fraction_bits =
      24;                      ///< below the largest exponent of a group; and of the groups' sums
  int sum_fraction_bits = 31;  ///< of the products' sum, below the larger of its and c's exponent
  Rounding sum_rounding = Rounding::down;  ///< of that sum and of the groups' sums; or toward zero
  int c_fraction_bits = 24;                ///< of c, likewise
  Rounding c_rounding = Rounding::down;    ///< or toward zero
  /// c counts as zero if its exponent is more than this below the larger one; none: rounded down.
  std::optional<int> c_reach;
  int product_overflow = 128;  ///< products from 2^this on count as infinities
  ZeroTerms zero_terms = ZeroTerms::operands_count;
  int zero_exponent = -126;
  ResultFormat result;
  /// Fraction bits kept of the normalised sum, rounded as the products' sum is; below the result
  /// format's least normal number, of that number's exponent. None: all are kept.
  std::optional<int> normalized_bits;
  /// A product that counts as an infinity does so next to infinite operands, too (NaN where the
  /// signs differ); else they alone decide.
  bool overflow_joins = false;

  friend bool operator==(const RoundDownDotAdd&, const RoundDownDotAdd&) = default;
};

/// Its parameters, as `design:` takes them.
void describe(RoundDownDotAdd& design, const DotFormats& formats, ParameterVisitor& visit);
/// The pattern of d in the current graph.
Int build(const RoundDownDotAdd& design, const DotFormats& formats, const DotOperands& operands);

}  // namespace mmaspec
