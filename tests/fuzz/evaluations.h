#pragma once
/// Random designs on random inputs: compares the project's evaluators with the reference, bit by
/// bit.

#include <cstdint>

#include "tests/fuzz/report.h"

namespace mmaspec::fuzz {

/// Compares one random design on `inputs` inputs of every class. With `command` some are also run
/// by the command line, which chains too; `mmaspec`: its path.
void compare_evaluations(std::uint64_t seed, std::size_t inputs, const std::string& mmaspec,
                         Log& log);

}  // namespace mmaspec::fuzz
