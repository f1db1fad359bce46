#pragma once
/// NumPy arrays of unsigned integers as batches of matrices of patterns.

#include <nanobind/ndarray.h>

#include <stdexcept>
#include <vector>

#include "concrete/matrix/matrix.h"

namespace mmaspec::python {

using In = nanobind::ndarray<nanobind::ro, nanobind::device::cpu>;
using Out = nanobind::ndarray<nanobind::device::cpu>;

/// The number of matrices. The arrays have at least two dimensions, and the Python package has made
/// the numbers equal.
template <typename Array>
std::size_t matrices_of(const Array& array) {
  std::size_t count = 1;
  for (std::size_t i = 0; i + 2 < array.ndim(); ++i) count *= array.shape(i);
  return count;
}

/// Matrix number `i` of the leading dimensions, in C order.
template <typename View, typename Array>
View matrix_of(const Array& array, std::size_t i) {
  const auto bytes = static_cast<unsigned>(array.itemsize());
  const std::size_t n = array.ndim();
  const auto step = [&](std::size_t d) {
    return static_cast<std::ptrdiff_t>(array.stride(d)) * static_cast<std::ptrdiff_t>(bytes);
  };
  std::ptrdiff_t at = 0;
  for (std::size_t d = n - 2; d-- > 0;) {
    at += static_cast<std::ptrdiff_t>(i % array.shape(d)) * step(d);
    i /= array.shape(d);
  }
  View view;
  view.data = static_cast<decltype(view.data)>(
                  static_cast<void*>(const_cast<void*>(static_cast<const void*>(array.data())))) +
              at;
  view.bytes = bytes;
  view.rows = array.shape(n - 2);
  view.columns = array.shape(n - 1);
  view.row_step = step(n - 2);
  view.column_step = step(n - 1);
  return view;
}

/// Either both scale factors are given or neither.
inline std::vector<MatrixOperands> operands_of(const In& a, const In& b, const In& c,
                                               const std::optional<In>& scale_a,
                                               const std::optional<In>& scale_b) {
  for (const In* x : {&a, &b, &c}) {
    if (x->ndim() < 2) throw std::invalid_argument("a matrix has two dimensions");
    if (matrices_of(*x) != matrices_of(a)) throw std::invalid_argument("batches do not fit");
  }
  std::vector<MatrixOperands> all;
  for (std::size_t i = 0; i < matrices_of(a); ++i) {
    MatrixOperands in{matrix_of<PatternView>(a, i),
                      matrix_of<PatternView>(b, i),
                      matrix_of<PatternView>(c, i),
                      {},
                      {}};
    if (scale_a && scale_b) {
      in.scale_a = matrix_of<PatternView>(*scale_a, i);
      in.scale_b = matrix_of<PatternView>(*scale_b, i);
    }
    all.push_back(in);
  }
  return all;
}

}  // namespace mmaspec::python
