#pragma once
/// The source of a kernel that computes D = C + A * B, each element as the batch evaluator does.

#include <string>
#include <vector>

#include "concrete/device/prelude.h"
#include "spec/algorithms/algorithm.h"

namespace mmaspec::device {

/// The name of the function in every source.
inline constexpr const char* kKernelName = "mmaspec_matrix";

struct MatrixKernel {
  std::string source;
  std::vector<std::string> claims;  ///< what `*violated` = n says: claims[n - 1]
};

/// Bytes of an element in a kernel's matrices: 1, 2, 4 or 8.
unsigned element_bytes(const Format& format);

/// A kernel for matrices of any K up to formats.k, and of any K at all where formats.c is
/// formats.d: the dot product of `formats` is then chained. `title`: the first line of the source's
/// comment. Throws std::invalid_argument with one line for a design that is too long for a kernel.
MatrixKernel matrix_kernel(const Algorithm& algorithm, const DotFormats& formats, Dialect dialect,
                           const std::string& title);

}  // namespace mmaspec::device
