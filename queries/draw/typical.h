#pragma once
/// Operands as random data have them: what numerical analysts draw, where Sampler draws corners.

#include <optional>
#include <vector>

#include "concrete/batch/evaluator.h"
#include "concrete/dot/model.h"
#include "util/split_mix.h"

namespace mmaspec {

enum class Distribution {
  normal,   ///< mean 0, deviation 1
  uniform,  ///< in [-1, 1)
};

/// Draws a and b, each rounded to nearest even into its format; c is +0, as a GEMM begins, and
/// scale factors are 1. Integers are as many times larger as fills their format. The same for the
/// same seed, everywhere.
class TypicalData {
 public:
  TypicalData(const DotFormats& formats, Distribution distribution, unsigned seed)
      : formats_(formats), distribution_(distribution), random_(seed) {}
  /// Each operand is one of these finite numbers, of which there is one at least; all are as
  /// likely. Integers are those nearest to them.
  TypicalData(const DotFormats& formats, std::vector<double> numbers, unsigned seed)
      : formats_(formats), numbers_(std::move(numbers)), random_(seed) {}

  /// One lane after the other; rows in the order of dot_inputs(). Throws std::logic_error for
  /// another number of rows.
  void fill(Lanes& lanes);
  /// The next lane.
  DotValues next();
  /// The next lanes, as many; all are in memory at once.
  std::vector<DotValues> next(std::size_t count);

 private:
  double number();
  std::uint64_t drawn(const Format& format);

  DotFormats formats_;
  Distribution distribution_ = Distribution::uniform;
  std::vector<double> numbers_;  ///< empty: of the distribution
  SplitMix random_;
  std::optional<double> spare_;  ///< the second of two normal numbers
  /// Rounds rows of numbers of double precision, one graph's inputs, to a's and b's formats.
  std::optional<BatchEvaluator> rounding_;
  BatchEvaluator::Scratch scratch_;
};

}  // namespace mmaspec
