#pragma once
/// The text at the start of every generated kernel.

#include <string_view>

namespace mmaspec::device {

/// A language for kernels.
enum class Dialect { cuda, opencl };

/// A group of threads computes kTile x kTile elements of D.
inline constexpr unsigned kTile = 16;

/// Names for what the dialects spell differently: types, qualifiers, indices and three functions.
/// The rest of a kernel uses only these names and is the same in both dialects.
std::string_view prelude(Dialect dialect);

/// Functions on integers of several 64-bit words: two's complement, the least significant word
/// first.
std::string_view wide_library();

}  // namespace mmaspec::device
