#pragma once
/// Tolerances for a given probability, estimated from samples: statistical, not proved.

#include <array>
#include <optional>

#include "queries/numbers/difference.h"
#include "queries/studies/machines/largest_difference.h"

namespace mmaspec {

/// The tolerance that one element needs: |x - y| - rtol |x| or, for relative tolerances, (|x - y| -
/// atol) / |x|; at least 0.
struct Needed {
  double rtol = 0;
  double atol = 0;
  bool relative = false;

  double operator()(double x, double y) const;
};

/// An order statistic as an estimate of a quantile, and two order statistics that enclose the
/// quantile with probability kIntervalLevel for every distribution (H. A. David and H. N. Nagaraja,
/// Order Statistics, 3rd ed., section 7.1).
struct QuantileInterval {
  double estimate = 0;
  double low = 0;
  double high = 0;
};
constexpr double kIntervalLevel = 0.99;

/// The interval of the quantile `p` for the samples `ascending`; nullopt: there are too few
/// samples.
std::optional<QuantileInterval> quantile_interval(const std::vector<double>& ascending, double p);
/// The least number of samples for which quantile_interval() has a result.
std::size_t samples_needed(double p);

/// Assumes that differences are subgaussian with their root mean square as the parameter: P(|x - y|
/// > t) <= 2 exp(-t^2 / (2 s^2)). This holds for sums of independent rounding errors of mean zero
/// (Higham and Mary, SIAM J. Sci. Comput. 41(5), 2019).
struct SubgaussianTolerance {
  double deviation = 0;  ///< the root mean square of the needed tolerances
  double tolerance = 0;
  bool holds = false;  ///< the sample does not have a heavier tail
};

/// Assumes that the error of each step has mean zero whatever the earlier errors are (Connolly,
/// Higham and Mary, SIAM J. Sci. Comput. 43(1), 2021). Then |error| <= sqrt(2 ln(2 / q) * the sum
/// of the squares of the steps' error bounds), except with probability q, by Azuma's inequality
/// (Ipsen and Zhou, SIAM J. Matrix Anal. Appl. 41(4), 2020). The steps' bounds are proved
/// (error_in_range()) for operands as large as those sampled.
constexpr double kSignificantBias = 4;  ///< in standard errors
struct MartingaleTolerance {
  double tolerance = 0;          ///< for the difference: the sum of both units' bounds
  std::size_t rows = 0;          ///< number of rows whose errors were computed
  std::size_t exceeded = 0;      ///< number of rows on which a unit's error exceeds its bound
  std::array<double, 2> bias{};  ///< mean error of each unit in the direction of the exact sum
  std::array<double, 2> bias_score{};  ///< the same divided by its standard error; 0 without errors
  bool holds = false;                  ///< no significant bias, and no exceeded bound
};

struct SampledTolerance {
  double confidence = 0;  ///< the probability that an element passes
  std::size_t rows = 0;
  std::size_t rows_needed = 0;  ///< for order statistics
  std::optional<QuantileInterval> quantile;
  std::optional<SubgaussianTolerance> subgaussian;  ///< for absolute tolerances with rtol = 0
  std::optional<MartingaleTolerance> martingale;    ///< the same, for units with known bounds
  LargestDifference largest;

  /// The tolerance to use: the upper end of the quantile's interval or, if there are too few rows,
  /// the smallest tolerance whose assumption the sample does not contradict. nullopt: there is
  /// none.
  std::optional<double> tolerance() const;
  /// The basis of tolerance(): "order statistics", "subgaussian differences", "mean-independent
  /// steps" or "".
  const char* how() const;
};

/// From `count` rows, or fewer if the deadline passes. `confidence` must be strictly between 1/2
/// and 1.
SampledTolerance sampled_tolerance(const Pair& pair, const Condition& where, TypicalData data,
                                   std::size_t count, double confidence, const Needed& needed,
                                   const Deadline& deadline);

}  // namespace mmaspec
