#pragma once
/// Drawn designs on drawn inputs: the project's evaluators against the reference, bit by bit.

#include <cstdint>

#include "tests/fuzz/report.h"

namespace mmaspec::fuzz {

/// One drawn design, on `inputs` inputs of every class. With `command`, a few also through the
/// command line, which chains too; `mmaspec`: its path.
void compare_evaluations(std::uint64_t seed, std::size_t inputs, const std::string& mmaspec,
                         Log& log);

}  // namespace mmaspec::fuzz
