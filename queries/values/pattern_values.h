#pragma once
/// Fast conversion of patterns to doubles, for trials that compare millions of them.

#include <cstdint>
#include <vector>

#include "queries/values/ordinals.h"
#include "spec/formats/format.h"

namespace mmaspec {

class PatternValues {
 public:
  explicit PatternValues(const Format& format);

  /// The number, infinity or NaN. Exact, because every format's numbers are doubles.
  double operator()(std::uint64_t pattern) const;
  /// True for a nonzero number below the least normal one.
  bool is_subnormal(std::uint64_t pattern) const;
  /// The pattern of a finite number near x, with at most the magnitude of x.
  std::uint64_t near(double x) const { return ordinals_.pattern(ordinals_.toward_zero(x)); }
  /// The index of a number or infinity among the format's numbers, as ordinal() of
  /// queries/numbers/difference.h. Not for NaNs.
  std::int64_t place(std::uint64_t pattern) const;
  /// Exponents of the smallest and the largest power of two.
  int least_power() const;
  int largest_power() const { return format_->largest_exponent(); }
  /// The unit in the last place of a number of this magnitude.
  double ulp(double x) const;

 private:
  double decoded(std::uint64_t pattern) const;

  const Format* format_;
  Ordinals ordinals_;
  std::vector<double> table_;  ///< for formats of at most 16 bits, indexed by pattern
};

}  // namespace mmaspec
