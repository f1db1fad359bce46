#pragma once
/// Tolerances of a given probability, from samples: statistical, not proved.

#include <array>
#include <optional>

#include "queries/numbers/difference.h"
#include "queries/studies/machines/largest_difference.h"

namespace mmaspec {

/// What a test must allow for one element: |x - y| - rtol |x| or, of relative tolerances,
/// (|x - y| - atol) / |x|; at least 0.
struct Needed {
  double rtol = 0;
  double atol = 0;
  bool relative = false;

  double operator()(double x, double y) const;
};

/// An order statistic as an estimate of a quantile, and two between which the quantile lies with
/// the probability kIntervalLevel, whatever the distribution (H. A. David and H. N. Nagaraja, Order
/// Statistics, 3rd ed., section 7.1).
struct QuantileInterval {
  double estimate = 0;
  double low = 0;
  double high = 0;
};
constexpr double kIntervalLevel = 0.99;

/// The interval of the quantile `p` of what `ascending` are samples of; nullopt: they are too few.
std::optional<QuantileInterval> quantile_interval(const std::vector<double>& ascending, double p);
/// So many samples have an interval.
std::size_t samples_needed(double p);

/// Under the assumption that differences are subgaussian and their root mean square is the
/// parameter: P(|x - y| > t) <= 2 exp(-t^2 / (2 s^2)). Of sums of independent rounding errors of
/// mean zero (Higham and Mary, SIAM J. Sci. Comput. 41(5), 2019) it holds.
struct SubgaussianTolerance {
  double deviation = 0;  ///< the root mean square of what is needed
  double tolerance = 0;
  bool holds = false;  ///< no tail of the sample is heavier
};

/// Under the assumption that the error of each step has mean zero whatever the errors before
/// (Connolly, Higham and Mary, SIAM J. Sci. Comput. 43(1), 2021): |error| <=
/// sqrt(2 ln(2 / q) * the sum of the squares of the steps' error bounds) but for the probability q,
/// by Azuma's inequality (Ipsen and Zhou, SIAM J. Matrix Anal. Appl. 41(4), 2020). The steps'
/// bounds are proved (error_in_range()) for operands as large as those sampled.
constexpr double kSignificantBias = 4;  ///< in standard errors
struct MartingaleTolerance {
  double tolerance = 0;          ///< of the difference: both units' bounds together
  std::size_t rows = 0;          ///< whose errors were looked at
  std::size_t exceeded = 0;      ///< rows on which a unit errs by more than its bound
  std::array<double, 2> bias{};  ///< mean error of each unit in the direction of the exact sum
  std::array<double, 2> bias_score{};  ///< the same in standard errors; 0 without errors
  bool holds = false;                  ///< no bias that is significant, and no excess
};

struct SampledTolerance {
  double confidence = 0;  ///< the probability with which an element passes
  std::size_t rows = 0;
  std::size_t rows_needed = 0;  ///< for order statistics
  std::optional<QuantileInterval> quantile;
  std::optional<SubgaussianTolerance> subgaussian;  ///< of absolute tolerances with rtol = 0
  std::optional<MartingaleTolerance> martingale;    ///< the same, of units with known bounds
  LargestDifference largest;

  /// The one to use: the upper end of the quantile's interval or, where the rows are too few, the
  /// smallest whose assumption the sample does not contradict. nullopt: there is none.
  std::optional<double> tolerance() const;
  /// What it rests on: "order statistics", "subgaussian differences", "mean-independent steps" or
  /// "".
  const char* how() const;
};

/// Of `count` rows, fewer where the deadline passes. `confidence`: between 1/2 and 1, both
/// excluded.
SampledTolerance sampled_tolerance(const Pair& pair, const Condition& where, TypicalData data,
                                   std::size_t count, double confidence, const Needed& needed,
                                   const Deadline& deadline);

}  // namespace mmaspec
