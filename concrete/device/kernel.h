#pragma once
/// The source of a kernel that computes D = C + A * B, with each element computed as by the batch
/// evaluator.

#include <string>
#include <vector>

#include "concrete/device/prelude.h"
#include "spec/algorithms/algorithm.h"

namespace mmaspec::device {

/// The name of the function in every source.
inline constexpr const char* kKernelName = "mmaspec_matrix";

struct MatrixKernel {
  std::string source;
  std::vector<std::string> claims;  ///< the message for `*violated` = n is claims[n - 1]
};

/// Bytes of an element in a kernel's matrices: 1, 2, 4 or 8.
unsigned element_bytes(const Format& format);

/// A kernel for matrices with K <= formats.k, or with any K if formats.c equals formats.d, by
/// chaining the dot product of `formats`. `title`: the first line of the source's comment. Throws
/// std::invalid_argument with a one-line message for a design that is too long for a kernel.
MatrixKernel matrix_kernel(const Algorithm& algorithm, const DotFormats& formats, Dialect dialect,
                           const std::string& title);

}  // namespace mmaspec::device
