#pragma once
/// Translates a compiled program's steps to statements of a kernel.

#include <functional>
#include <string>

#include "concrete/batch/compile.h"

namespace mmaspec::device {

/// Statements that compute the program's only root and assign it to the `u64` variable `result`.
/// `input`: returns the expression for a row of the inputs. A violated claim sets `*violated` to
/// its number + 1. Requires a program without 16-bit integers.
std::string statements_of(const batch::Compiled& program,
                          const std::function<std::string(std::size_t)>& input,
                          const std::string& result, const std::string& indent);

/// True if the program has integers of more than 64 bits.
bool has_wide_integers(const batch::Compiled& program);

}  // namespace mmaspec::device
