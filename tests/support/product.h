#pragma once
/// Matrices of bit patterns, and random operands of one product.

#include <algorithm>
#include <vector>

#include "concrete/matrix/matrix.h"
#include "queries/draw/samples.h"

namespace mmaspec {

/// A matrix of patterns in 64-bit words.
struct Matrix {
  Matrix(std::size_t m, std::size_t n) : rows(m), columns(n), words(m * n) {}

  std::uint64_t& at(std::size_t row, std::size_t column) { return words[row * columns + column]; }
  PatternSpan span() {
    return {reinterpret_cast<std::byte*>(words.data()), 8, rows, columns,
            static_cast<std::ptrdiff_t>(8 * columns),   8};
  }
  PatternView view() {
    const PatternSpan s = span();
    return {s.data, s.bytes, s.rows, s.columns, s.row_step, s.column_step};
  }

  std::size_t rows, columns;
  std::vector<std::uint64_t> words;
};

/// Random operands. Rows of A and columns of B are drawn as those of whole dot products, so that
/// they belong to the input class. C differs along a row.
struct Product {
  /// `k` is at most formats.k.
  Product(const DotFormats& formats, std::size_t m, std::size_t n, std::size_t k, InputClass inputs,
          unsigned seed)
      : a(m, k), b(k, n), c(m, n), scale_a(m, scales(formats, k)), scale_b(scales(formats, k), n) {
    Sampler sampler(formats, inputs, seed);
    const auto word = [](const Integer& x) { return x.convert_to<std::uint64_t>(); };
    for (std::size_t row = 0; row < std::max(m, n); ++row) {
      const DotValues v = sampler.next();
      for (std::size_t j = 0; j < k; ++j) {
        if (row < m) a.at(row, j) = word(v.a[j]);
        if (row < n) b.at(j, row) = word(v.b[j]);
      }
      for (std::size_t j = 0; j < scale_b.rows; ++j) {
        if (row < m) scale_a.at(row, j) = word(v.scale_a[j]);
        if (row < n) scale_b.at(j, row) = word(v.scale_b[j]);
      }
      for (std::size_t j = 0; row < m && j < n; ++j) c.at(row, j) = word(v.c) ^ (j % 3);
    }
  }

  MatrixOperands operands() {
    return {a.view(), b.view(), c.view(), scale_a.view(), scale_b.view()};
  }

  Matrix a, b, c, scale_a, scale_b;

 private:
  static std::size_t scales(const DotFormats& f, std::size_t k) {
    if (f.scale == nullptr) return 0;
    const auto block = static_cast<std::size_t>(f.scale_block);
    return (k + block - 1) / block;
  }
};

}  // namespace mmaspec
