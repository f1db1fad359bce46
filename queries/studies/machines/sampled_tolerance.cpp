// Tolerances from samples: order statistics, and bounds of published models of rounding errors.
#include "queries/studies/machines/sampled_tolerance.h"

#include <algorithm>
#include <cmath>

#include "queries/errors/range_error.h"
#include "queries/values/ordinals.h"

namespace mmaspec {
namespace {

/// Covers the rounding errors of a few double-precision operations.
constexpr double kRoundedUp = 1 + 0x1p-49;

/// For a binomial B with n trials of probability q: the largest t with P(B <= t) <= tail (0 if
/// there is none), and the least t with P(B <= t) >= 1 - tail.
std::array<double, 2> binomial_limits(double n, double q, double tail) {
  const double mean = n * q;
  const double reach = 12 * std::sqrt(mean * (1 - q)) + 30;
  std::array<double, 2> limits{0, 0};
  double sum = 0;
  for (double k = std::max(0.0, std::floor(mean - reach)); k <= std::min(n, mean + reach); ++k) {
    const double logarithm = std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) +
                             k * std::log(q) + (n - k) * std::log1p(-q);
    sum += std::exp(logarithm);
    if (sum <= tail) limits[0] = k;
    limits[1] = k;
    if (sum >= 1 - tail) break;
  }
  return limits;
}

double squared_bound(double squares, double q) { return std::sqrt(2 * std::log(2 / q) * squares); }

/// The errors of both units on some rows, and the largest magnitudes of their operands and sums.
class Errors {
 public:
  explicit Errors(const DotFormats& f)
      : f_(f),
        k_(static_cast<std::size_t>(f.k)),
        most_(std::max<std::size_t>(kLeastRows, kProducts / k_)),
        a_(*f.a),
        b_(*f.b) {}

  void add(const Lanes& inputs, std::size_t lane, double x, double y) {
    if (errors_[0].size() >= most_) return;
    double sum = 0;
    double magnitudes = 0;
    for (std::size_t k = 0; k < k_; ++k) {
      const double a = a_.value(a_.of(inputs[k][lane]));
      const double b = b_.value(b_.of(inputs[k_ + k][lane]));
      const double product = a * b;
      sum += product;
      magnitudes += std::abs(product);
      largest_a_ = std::max(largest_a_, std::abs(a));
      largest_b_ = std::max(largest_b_, std::abs(b));
      largest_product_ = std::max(largest_product_, std::abs(product));
      partial_sum_ = std::max(partial_sum_, std::abs(sum));
    }
    magnitudes_ = std::max(magnitudes_, magnitudes);
    errors_[0].push_back(std::copysign(1.0, sum) * (x - sum));
    errors_[1].push_back(std::copysign(1.0, sum) * (y - sum));
  }

  std::optional<MartingaleTolerance> tolerance(const Pair& pair, double confidence) const {
    MartingaleTolerance t;
    t.rows = errors_[0].size();
    if (t.rows < 2) return std::nullopt;
    // Sums in double precision may be slightly larger.
    const auto up = [](double x) { return Rational(x * (1 + 0x1p-30)); };
    OperandRange range{up(largest_a_), up(largest_b_), 0, 1, 1, up(largest_product_)};
    range.magnitudes = up(magnitudes_);
    range.partial_sums = up(partial_sum_);
    bool is_contradicted = false;
    for (std::size_t unit = 0; unit < 2; ++unit) {
      const auto error = error_in_range(unit == 0 ? pair.first : pair.second, range);
      if (!error) return std::nullopt;
      const double bound =
          squared_bound(error->squares.convert_to<double>(), (1 - confidence) / 2) * kRoundedUp;
      t.tolerance += bound;
      double mean = 0;
      for (const double e : errors_[unit]) {
        mean += e / static_cast<double>(t.rows);
        if (std::abs(e) > bound) ++t.exceeded;
      }
      double variance = 0;
      for (const double e : errors_[unit]) {
        variance += (e - mean) * (e - mean) / static_cast<double>(t.rows - 1);
      }
      t.bias[unit] = mean;
      const double standard = std::sqrt(variance / static_cast<double>(t.rows));
      t.bias_score[unit] = mean == 0 ? 0 : standard == 0 ? HUGE_VAL : mean / standard;
      is_contradicted = is_contradicted || std::abs(t.bias_score[unit]) > kSignificantBias;
    }
    t.holds = !is_contradicted && t.exceeded == 0;
    return t;
  }

 private:
  static constexpr std::size_t kLeastRows = 256;
  static constexpr std::size_t kProducts = std::size_t{1} << 22U;

  const DotFormats f_;
  const std::size_t k_;
  const std::size_t most_;
  const Ordinals a_;
  const Ordinals b_;
  double largest_a_ = 0;
  double largest_b_ = 0;
  double largest_product_ = 0;
  double partial_sum_ = 0;
  double magnitudes_ = 0;
  std::array<std::vector<double>, 2> errors_;  ///< positive: away from zero
};

std::optional<SubgaussianTolerance> subgaussian(const std::vector<double>& ascending,
                                                double confidence) {
  if (ascending.empty() || std::isinf(ascending.back())) return std::nullopt;
  const auto count = static_cast<double>(ascending.size());
  SubgaussianTolerance t;
  for (const double x : ascending) t.deviation += x * x / count;
  t.deviation = std::sqrt(t.deviation);
  const auto tail = [&](double q) { return t.deviation * std::sqrt(2 * std::log(2 / q)); };
  t.tolerance = tail(1 - confidence) * kRoundedUp;
  // At most as many samples beyond each tail as the assumption allows.
  t.holds = true;
  for (double q = 0.1; q * count >= 1; q /= 10) {
    const auto beyond =
        ascending.end() - std::upper_bound(ascending.begin(), ascending.end(), tail(q));
    t.holds = t.holds && static_cast<double>(beyond) <= q * count;
  }
  t.holds = t.holds && ascending.back() <= tail((1 - kIntervalLevel) / count);
  return t;
}

}  // namespace

double Needed::operator()(double x, double y) const {
  if (!std::isfinite(x) || !std::isfinite(y)) return HUGE_VAL;
  // The exact difference, or its rounding error by Knuth's two-sum.
  const double difference = x - y;
  const double part = difference - x;
  const bool is_exact = x - (difference - part) == y + part;
  const double apart = std::abs(difference) * (is_exact ? 1 : kRoundedUp);
  const double size = std::abs(x);
  if (!relative) {
    return rtol == 0 ? apart : std::max(apart - rtol * size, 0.0) * kRoundedUp;
  }
  const double beyond = apart - atol;
  return beyond <= 0 ? 0 : size == 0 ? HUGE_VAL : beyond / size * kRoundedUp;
}

std::size_t samples_needed(double p) {
  // The largest of n samples exceeds the quantile except with probability p^n.
  return static_cast<std::size_t>(std::ceil(std::log((1 - kIntervalLevel) / 2) / std::log(p)));
}

std::optional<QuantileInterval> quantile_interval(const std::vector<double>& ascending, double p) {
  const auto n = static_cast<double>(ascending.size());
  const double each = (1 - kIntervalLevel) / 2;
  if (ascending.size() < samples_needed(p)) return std::nullopt;
  // The number of samples above the quantile is binomial. The sample with t others above it is at
  // least the quantile if more than t samples exceed the quantile, and at most the quantile if at
  // most t do.
  const auto sample = [&](double above) {
    return ascending[ascending.size() - 1 - static_cast<std::size_t>(above)];
  };
  const auto [high, low] = binomial_limits(n, 1 - p, each);
  return QuantileInterval{sample(std::min(std::floor(n * (1 - p)), n - 1)),
                          sample(std::min(low, n - 1)), sample(high)};
}

std::optional<double> SampledTolerance::tolerance() const {
  if (quantile) return quantile->high;
  std::optional<double> least;
  if (subgaussian && subgaussian->holds) least = subgaussian->tolerance;
  if (martingale && martingale->holds) {
    least = std::min(least.value_or(martingale->tolerance), martingale->tolerance);
  }
  return least;
}

const char* SampledTolerance::how() const {
  const auto chosen = tolerance();
  if (!chosen) return "";
  if (quantile) return "order statistics";
  return subgaussian && subgaussian->holds && *chosen == subgaussian->tolerance
             ? "subgaussian differences"
             : "mean-independent steps";
}

SampledTolerance sampled_tolerance(const Pair& pair, const Condition& where, TypicalData data,
                                   std::size_t count, double confidence, const Needed& needed,
                                   const Deadline& deadline) {
  const DotFormats& f = pair.first.formats;
  // Requires that double precision holds sums of products, and that results are coarser.
  const bool has_errors = !are_integers(f) && f.a->fraction_bits <= 23 &&
                          f.b->fraction_bits <= 23 && f.d->fraction_bits <= 23 &&
                          pair.second.formats.d->fraction_bits <= 23 && !needed.relative &&
                          needed.rtol == 0;
  std::vector<double> all;
  Errors errors(f);
  SampledTolerance result;
  result.confidence = confidence;
  result.largest =
      largest_difference(pair, where, std::move(data), count, deadline,
                         [&](const Lanes& inputs, const std::vector<double>& x,
                             const std::vector<double>& y, const std::vector<bool>& counts) {
                           for (std::size_t i = 0; i < counts.size(); ++i) {
                             if (!counts[i]) continue;
                             all.push_back(needed(x[i], y[i]));
                             if (has_errors && std::isfinite(all.back()))
                               errors.add(inputs, i, x[i], y[i]);
                           }
                         });
  std::sort(all.begin(), all.end());
  result.rows = all.size();
  result.rows_needed = samples_needed(confidence);
  result.quantile = quantile_interval(all, confidence);
  if (!needed.relative && needed.rtol == 0) result.subgaussian = subgaussian(all, confidence);
  if (has_errors) result.martingale = errors.tolerance(pair, confidence);
  return result;
}

}  // namespace mmaspec
