#pragma once
/// Scaled sums of integers that are rounded before they join the accumulator: x86 ACE's
/// TOP4MXBSSPS.

#include <string>
#include <vector>

#include "spec/algorithms/algorithm.h"

namespace mmaspec {

/// d = c, then for each scale block in order: s = the exact sum of its products and scale factors,
/// rounded to d's format, d = d + s, rounded to nearest even. Results that are tiny after rounding
/// become zeros, and so does a subnormal c. a and b are integers or in fixed point, scale factors
/// powers of two; a NaN among these makes d NaN. An exact zero s is +0.
class ScaledSums final : public Composition {
 public:
  Int build(const DotFormats& formats, const DotOperands& operands) const override;
  bool equals(const Composition& other) const override;
  int step_k() const override { return 0; }
  std::string name() const override { return "scaled-sums"; }
  std::string reference() const override;
  std::vector<Parameter> parameters() const override { return {}; }
};

}  // namespace mmaspec
