#pragma once
/// Patterns as machine floating-point numbers, for measures that need no higher precision.

#include <cstdint>
#include <vector>

#include "spec/formats/format.h"

namespace mmaspec {

/// Converts patterns of one format to doubles, which represent the numbers of all formats exactly.
/// NaN patterns give NaN.
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
  std::vector<double> table_;                           ///< for formats of at most 16 bits
};

}  // namespace mmaspec
