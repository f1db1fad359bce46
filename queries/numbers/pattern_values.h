#pragma once
/// Patterns as doubles, fast: what trials compare millions of.

#include <cstdint>
#include <vector>

#include "queries/numbers/ordinals.h"
#include "spec/formats/format.h"

namespace mmaspec {

class PatternValues {
 public:
  explicit PatternValues(const Format& format);

  /// The number, an infinity or the NaN. Exact: no format holds more than a double.
  double operator()(std::uint64_t pattern) const;
  /// A finite, non-zero number below the least normal one.
  bool is_subnormal(std::uint64_t pattern) const;
  /// The pattern of a number near x, at most as large in magnitude: a finite one.
  std::uint64_t near(double x) const { return ordinals_.pattern(ordinals_.toward_zero(x)); }
  /// A number's place among the format's numbers, an infinity's behind them, as ordinal() of
  /// queries/numbers/difference.h has it. Not of NaNs.
  std::int64_t place(std::uint64_t pattern) const;
  /// Exponents of the least and the largest power of two.
  int least_power() const;
  int largest_power() const { return format_->largest_exponent(); }
  /// The unit in the last place of a number so large.
  double ulp(double x) const;

 private:
  double decoded(std::uint64_t pattern) const;

  const Format* format_;
  Ordinals ordinals_;
  std::vector<double> table_;  ///< of formats of 16 bits or less, by pattern
};

}  // namespace mmaspec
