#pragma once
/// The cases that a test covers: a fixed subset in a quick run, every case in a full run.

#include <cstddef>
#include <cstdlib>

namespace mmaspec {

/// True in a full run: MMASPEC_FULL_TESTS is set. CTest sets it for tests of the label `full`.
inline bool is_full_run() { return std::getenv("MMASPEC_FULL_TESTS") != nullptr; }

/// True if this run covers the case with this index: every case in a full run, otherwise indices
/// that are multiples of `every`. The selection depends on nothing else, so that runs are
/// repeatable.
inline bool is_selected(std::size_t index, std::size_t every) {
  return is_full_run() || index % every == 0;
}

}  // namespace mmaspec
