#pragma once
/// Patterns as machine floating point, for measures that need no more.

#include <cstdint>
#include <vector>

#include "spec/formats/format.h"

namespace mmaspec {

/// The values of one format as doubles, which hold all formats' numbers exactly; NaN for NaNs.
class Doubles {
 public:
  explicit Doubles(const Format& format);

  double operator()(std::uint64_t pattern) const {
    return table_.empty() ? decoded(pattern) : table_[pattern & (table_.size() - 1)];
  }

 private:
  double decoded(std::uint64_t pattern) const;

  Format format_;
  std::uint64_t first_non_finite_ = ~std::uint64_t{0};  ///< without sign and ignored bits
  std::vector<double> table_;                           ///< of formats of 16 bits and fewer
};

}  // namespace mmaspec
