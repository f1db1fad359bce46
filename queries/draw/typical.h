#pragma once
/// Operands distributed as random data in numerical analysis, in contrast to the corner cases of
/// Sampler.

#include <optional>
#include <vector>

#include "concrete/batch/evaluator.h"
#include "concrete/dot/model.h"
#include "util/split_mix.h"

namespace mmaspec {

enum class Distribution {
  normal,   ///< mean 0, standard deviation 1
  uniform,  ///< in [-1, 1)
};

/// Draws a and b, each rounded to nearest even into its format. c is +0, as at the start of a GEMM,
/// and scale factors are 1. For integer formats the numbers are scaled to fill the format. Equal
/// seeds give equal data on every platform.
class TypicalData {
 public:
  TypicalData(const DotFormats& formats, Distribution distribution, unsigned seed)
      : formats_(formats), distribution_(distribution), random_(seed) {}
  /// Each operand is drawn uniformly from these finite numbers; there must be at least one. Integer
  /// operands are the nearest integers.
  TypicalData(const DotFormats& formats, std::vector<double> numbers, unsigned seed)
      : formats_(formats), numbers_(std::move(numbers)), random_(seed) {}

  /// Fills one lane after another; rows have the order of dot_inputs(). Throws std::logic_error for
  /// another number of rows.
  void fill(Lanes& lanes);
  /// The next lane.
  DotValues next();
  /// The next `count` lanes. All of them are in memory at once.
  std::vector<DotValues> next(std::size_t count);

 private:
  double number();
  std::uint64_t drawn(const Format& format);

  DotFormats formats_;
  Distribution distribution_ = Distribution::uniform;
  std::vector<double> numbers_;  ///< empty: draw from the distribution
  SplitMix random_;
  std::optional<double> spare_;  ///< the second of a pair of normal numbers
  /// Rounds rows of double-precision numbers, the inputs of one graph, to the formats of a and b.
  std::optional<BatchEvaluator> rounding_;
  BatchEvaluator::Scratch scratch_;
};

}  // namespace mmaspec
