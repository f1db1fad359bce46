#pragma once
/// Partial sums of groups of products that are rounded or scaled before they join the accumulator:
/// the matrix instructions of RISC-V's Integrated Matrix Extension.

#include <optional>
#include <string>
#include <vector>

#include "spec/algorithms/algorithm.h"

namespace mmaspec {

/// A result that overflows as IEEE 754-2019 section 7.4 says for the rounding. Rounding to odd,
/// which the standard lacks, gives the largest number, whose significand is odd.
ResultFormat with_ieee_overflow(const Format& format, Rounding rounding);

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
  std::string reference() const override;
  std::vector<Parameter> parameters() const override;

 private:
  int group_;  ///< products of a group; it divides k
  Rounding partial_;
  Rounding rounding_;
};

/// The same with scale factors. Those of a block are converted to d's format, and their product f
/// is rounded to it. d = c, then for each group in order d = round(d + s * f), where s is the exact
/// sum of its products (`partial` nullopt), or s is that sum rounded by `partial` and s * f is
/// rounded, too. A NaN f makes d NaN. a and b may be integers.
class ScaledGroups final : public Composition {
 public:
  ScaledGroups(int group, std::optional<Rounding> partial, Rounding rounding)
      : group_(group), partial_(partial), rounding_(rounding) {}

  Int build(const DotFormats& formats, const DotOperands& operands) const override;
  bool equals(const Composition& other) const override;
  int step_k() const override { return group_; }
  std::string name() const override { return "scaled-groups"; }
  std::string reference() const override;
  std::vector<Parameter> parameters() const override;

 private:
  int group_;  ///< products of a group; it divides k and the block of a scale factor
  std::optional<Rounding> partial_;
  Rounding rounding_;
};

}  // namespace mmaspec
