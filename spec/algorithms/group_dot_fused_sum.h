#pragma once
/// Group-dot-fused-sum (GDFS): MXFP4 and NVFP4 on Blackwell's tensor cores.

#include <optional>

#include "spec/parts/terms.h"

namespace mmaspec {

/// The products of each `group` are summed exactly. Each sum times its scale factors is one term. A
/// term's exponent is that of the scale factors; its significand is not normalised. The terms and c
/// are cut to `fraction_bits` bits below the largest exponent, summed exactly and rounded once.
/// MMA-Sim section IV-E.
struct GroupDotFusedSum {
  static constexpr std::string_view kName = "group-dot-fused-sum";
  static constexpr std::string_view kReference = "MMA-Sim section IV-E (GDFS)";
  static constexpr bool kTakesScaleFactors = true;

  int group = 16;
  int fraction_bits = 35;
  /// left_out: an all-zero group and a zero c do not count for the largest exponent;
  /// operands_count: the group counts its scale factors' exponents; a scale factor that is zero and
  /// a c that is zero count `zero_exponent`.
  ZeroTerms zero_terms = ZeroTerms::left_out;
  int zero_exponent = -126;
  ResultFormat result{nullptr, Rounding::toward_zero};
  /// The least that the largest exponent counts; none: unbounded.
  std::optional<int> exponent_floor;
  /// With left_out: a group whose products are not all zero, but cancel, counts its scale factors'
  /// exponents; else it does not count. (With operands_count every group counts them.)
  bool cancelled_groups_count = false;

  friend bool operator==(const GroupDotFusedSum&, const GroupDotFusedSum&) = default;
};

/// Its parameters, as `design:` takes them.
void describe(GroupDotFusedSum& design, const DotFormats& formats, ParameterVisitor& visit);
/// The pattern of d in the current graph.
Int build(const GroupDotFusedSum& design, const DotFormats& formats, const DotOperands& operands);

}  // namespace mmaspec
