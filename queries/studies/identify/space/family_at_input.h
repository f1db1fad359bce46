#pragma once
/// The result of a family of designs at one input, and whether it is the answer.

#include "concrete/dot/model.h"
#include "queries/studies/identify/space/intervals.h"
#include "queries/studies/identify/space/space.h"

namespace mmaspec {

/// Results of identification compare as patterns, but any NaN is equal to any NaN.
bool same_answer(const Format& format, const Integer& x, const Integer& y);

/// Whether patterns of a format, as machine integers, are NaNs.
class NanTest {
 public:
  explicit NanTest(const Format& format);
  bool operator()(std::uint64_t pattern) const {
    return (pattern & magnitude_) >= least_ && (pattern & magnitude_) <= most_;
  }
  /// Whether there may be one from low to high.
  bool between(std::uint64_t low, std::uint64_t high) const;

 private:
  std::uint64_t magnitude_;  ///< the bits that decide
  std::uint64_t least_;
  std::uint64_t most_;
  std::uint64_t sign_;
};

/// Runs of places of an axis's values, first and last, one run an axis.
using Runs = std::vector<std::array<std::int16_t, 2>>;

/// A family at constant operands, its parameters in runs of their values.
class FamilyAtInput {
 public:
  /// For runs within `hull`.
  FamilyAtInput(const Family& family, const Runs& hull, const DotFormats& formats,
                const DotValues& values, const Integer& answer);

  enum class Gives { answer, another, either };
  /// What designs of these runs give: the answer, all; another, all; or that is open. Runs of one
  /// value an axis decide it. For levels see Intervals.
  Gives enter(std::size_t level, const Runs& runs);

  /// Adds for each axis how much of the result depends on it, at the level that was entered last.
  void count(std::size_t level, std::vector<std::uint32_t>& axes) const {
    intervals_->count(level, axes);
  }
  std::uint64_t looked_at() const { return intervals_->looked_at(); }

 private:
  struct Parameter {
    std::size_t axis;
    std::int64_t low;  ///< what input 0 stands for
  };

  std::vector<std::vector<int>> values_;  ///< of each axis
  std::vector<Parameter> parameters_;     ///< of each input
  std::unique_ptr<Intervals> intervals_;
  std::vector<std::array<std::int64_t, 2>> inputs_;
  NanTest is_nan_;
  std::uint64_t answer_;
  bool answer_is_nan_;
};

}  // namespace mmaspec
