#pragma once
/// A user's matrices from .npy files, and the results of their products.

#include <cstdint>
#include <string>
#include <vector>

#include "concrete/rows/npy.h"
#include "queries/compare/compare.h"

namespace mmaspec::cli {

struct MatrixFiles {
  std::string a;
  std::string b;
  std::string c;        ///< empty: +0
  std::string scale_a;  ///< empty: none
  std::string scale_b;
};

/// The arrays of the files, and their products by two designs.
class Matrices {
 public:
  /// Throws std::invalid_argument with a one-line message for files that do not fit the formats.
  Matrices(const MatrixFiles& files, const DotFormats& formats);

  /// The results for each matrix of the files; they refer to this object.
  std::vector<ComparedProduct> products();

 private:
  static NpyArray read(const std::string& file, const Format& format);
  std::size_t matrices() const { return a_.matrices(); }
  std::size_t rows() const { return a_.shape[a_.shape.size() - 2]; }
  std::size_t columns() const { return b_.shape.back(); }
  PatternView zeros() const;
  PatternSpan results(std::size_t i);

  NpyArray a_, b_, c_, scale_a_, scale_b_;
  std::vector<std::uint64_t> d_;
};

}  // namespace mmaspec::cli
