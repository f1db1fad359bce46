#pragma once
/// Partial sums of groups of products, each rounded before it joins the accumulator: the matrix
/// instructions of RISC-V's Zvvfmm that round their partial sums.

#include <string>
#include <vector>

#include "spec/algorithms/algorithm.h"

namespace mmaspec {

/// d = c, then for each group in order: s = round_partial(sum of its exact products),
/// d = round(d + s), all in d's format. An exact zero s is +0.
class RoundedGroups final : public Composition {
 public:
  RoundedGroups(int group, Rounding partial, Rounding rounding)
      : group_(group), partial_(partial), rounding_(rounding) {}

  Int build(const DotFormats& formats, const DotOperands& operands) const override;
  bool equals(const Composition& other) const override;
  int step_k() const override { return group_; }
  std::string name() const override { return "rounded-groups"; }
  std::string reference() const override {
    return "RISC-V Integrated Matrix Extension (draft), accumulation and rounding model";
  }
  std::vector<Parameter> parameters() const override;

 private:
  int group_;  ///< products of a group; it divides k
  Rounding partial_;
  Rounding rounding_;
};

}  // namespace mmaspec
