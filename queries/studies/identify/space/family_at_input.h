#pragma once
/// Compares the results of a family of designs at one input with the answer.

#include "concrete/dot/model.h"
#include "queries/studies/identify/space/intervals.h"
#include "queries/studies/identify/space/space.h"

namespace mmaspec {

/// In identification, results are compared as patterns, except that all NaNs are equal.
bool same_answer(const Format& format, const Integer& x, const Integer& y);

/// Tests whether patterns of a format, as machine integers, are NaNs.
class NanTest {
 public:
  explicit NanTest(const Format& format);
  bool operator()(std::uint64_t pattern) const {
    return (pattern & magnitude_) >= least_ && (pattern & magnitude_) <= most_;
  }
  /// Whether some pattern from low to high can be a NaN.
  bool between(std::uint64_t low, std::uint64_t high) const;

 private:
  std::uint64_t magnitude_;  ///< mask of the bits that decide
  std::uint64_t least_;
  std::uint64_t most_;
  std::uint64_t sign_;
};

/// For each axis, an interval of indices of its values: first and last.
using Runs = std::vector<std::array<std::int16_t, 2>>;

/// A family at constant operands, with its parameters in intervals of their values.
class FamilyAtInput {
 public:
  /// For intervals within `hull`.
  FamilyAtInput(const Family& family, const Runs& hull, const DotFormats& formats,
                const DotValues& values, const Integer& answer);

  enum class Gives { answer, another, either };
  /// Whether all designs in these intervals give the answer, all give another result, or this is
  /// not determined. With one value for each axis it is always determined. For levels see
  /// Intervals.
  Gives enter(std::size_t level, const Runs& runs);

  /// Adds for each axis how much of the result depends on it, at the level that was entered last.
  void count(std::size_t level, std::vector<std::uint32_t>& axes) const {
    intervals_->count(level, axes);
  }
  std::uint64_t looked_at() const { return intervals_->looked_at(); }

 private:
  struct Parameter {
    std::size_t axis;
    std::int64_t low;  ///< the value of input 0
  };

  std::vector<std::vector<int>> values_;  ///< for each axis
  std::vector<Parameter> parameters_;     ///< for each input
  std::unique_ptr<Intervals> intervals_;
  std::vector<std::array<std::int64_t, 2>> inputs_;
  NanTest is_nan_;
  std::uint64_t answer_;
  bool answer_is_nan_;
};

}  // namespace mmaspec
