#pragma once
/// A user's two matrices as dot products, as data for statistics instead of random data.

#include <cstddef>
#include <string>
#include <vector>

#include "concrete/rows/npy.h"
#include "queries/studies/machines/statistics.h"

namespace mmaspec {

/// All elements of an array of float16, float32 or float64 of any shape. Throws what read_npy()
/// throws, and std::invalid_argument for other types, for numbers that are not finite, and for an
/// empty array.
std::vector<double> read_numbers(const std::string& file);

class MatrixData {
 public:
  /// .npy files of (..., M, K) and (..., K, N): float16, float32 or float64, or patterns of a
  /// format (see require_patterns()). Throws what read_npy() throws, and std::invalid_argument with
  /// a one-line message if the shapes do not match.
  MatrixData(const std::string& a, const std::string& b);

  /// Segments of formats.k products from each row of A and column of B; the last segment is padded
  /// with zeros. Returns all segments if there are at most `count`, otherwise `count` randomly
  /// drawn ones. Floating-point numbers are rounded to nearest even into the formats; c is +0, and
  /// scale factors are 1. Equal seeds give equal data on every platform. Throws
  /// std::invalid_argument if a file holds patterns of another format.
  std::vector<DotValues> products(const DotFormats& formats, std::size_t count,
                                  unsigned seed) const;
  /// The same, one block at a time.
  NextProducts each_product(const DotFormats& formats, std::size_t count, unsigned seed) const;

 private:
  std::string a_name_;
  std::string b_name_;
  NpyArray a_;
  NpyArray b_;
};

}  // namespace mmaspec
