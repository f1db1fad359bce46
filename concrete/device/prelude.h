#pragma once
/// The text that every generated kernel begins with.

#include <string_view>

namespace mmaspec::device {

/// A language that kernels are written in.
enum class Dialect { cuda, opencl };

/// A group of threads computes kTile x kTile elements of D.
inline constexpr unsigned kTile = 16;

/// Names for what the dialects spell differently: types, qualifiers, indices and three functions.
/// The rest of a kernel uses these names alone, and is the same in both dialects.
std::string_view prelude(Dialect dialect);

/// Functions on integers of several 64-bit words: two's complement, the least significant word
/// first.
std::string_view wide_library();

}  // namespace mmaspec::device
