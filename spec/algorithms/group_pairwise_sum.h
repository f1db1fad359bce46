#pragma once
/// Group-pairwise-sum (GPS): the f16 and bf16 matrix cores of CDNA1 and CDNA2.

#include "spec/parts/terms.h"

namespace mmaspec {

/// Each product is rounded to the result format. It is computed by a fused multiply-add with +0, so
/// that a product of -0 becomes +0, or by a multiplication (`minus_zero_products`). The products of
/// each `group` are summed pairwise. Then c + group + group + ... is computed one group at a time.
/// Every addition is rounded. MMA-Sim section IV-B; CDNA1: its released code.
///
/// Block scale factors multiply each exact product before it is rounded. No known unit has them:
/// these are hypothetical designs.
struct GroupPairwiseSum {
  static constexpr std::string_view kName = "group-pairwise-sum";
  static constexpr std::string_view kReference = "MMA-Sim section IV-B (GPS)";
  static constexpr bool kTakesScaleFactors = true;

  int group;                         ///< products summed pairwise; a power of two that divides K
  bool flush_inputs;                 ///< subnormals and zeros among a, b, c count as +0
  ResultFormat step;                 ///< of every product and every sum
  bool minus_zero_products = false;  ///< a product of -0 stays -0 (MMA-Sim 2.1.1)

  friend bool operator==(const GroupPairwiseSum&, const GroupPairwiseSum&) = default;
};

/// Its parameters, as `design:` takes them.
void describe(GroupPairwiseSum& design, const DotFormats& formats, ParameterVisitor& visit);
/// The pattern of d in the current graph.
Int build(const GroupPairwiseSum& design, const DotFormats& formats, const DotOperands& operands);

}  // namespace mmaspec
