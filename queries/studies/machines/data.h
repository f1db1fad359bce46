#pragma once
/// A user's two matrices as dot products: what statistics are of, beside random data.

#include <cstddef>
#include <string>
#include <vector>

#include "concrete/rows/npy.h"
#include "queries/studies/machines/statistics.h"

namespace mmaspec {

/// All elements of an array of float16, float32 or float64 of any shape. Throws what read_npy()
/// throws, and std::invalid_argument for other types, numbers that are not finite, or none.
std::vector<double> read_numbers(const std::string& file);

class MatrixData {
 public:
  /// .npy files of (..., M, K) and (..., K, N): float16, float32 or float64, or patterns of a
  /// format (see require_patterns()). Throws what read_npy() throws, and std::invalid_argument with
  /// one line if their shapes do not fit.
  MatrixData(const std::string& a, const std::string& b);

  /// Of each row of A and column of B the stretches of formats.k products, the last one filled with
  /// zeros: all of them if they are `count` at most, and otherwise `count` that are drawn. Floating
  /// point is rounded to nearest even into the formats; c is +0, and scale factors are 1. The same
  /// for the same seed, everywhere. Throws std::invalid_argument if a file holds patterns of
  /// another format.
  std::vector<DotValues> products(const DotFormats& formats, std::size_t count,
                                  unsigned seed) const;
  /// The same, block by block.
  NextProducts each_product(const DotFormats& formats, std::size_t count, unsigned seed) const;

 private:
  std::string a_name_;
  std::string b_name_;
  NpyArray a_;
  NpyArray b_;
};

}  // namespace mmaspec
