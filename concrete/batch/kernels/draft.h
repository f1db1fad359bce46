#pragma once
/// A program before its registers have addresses.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "concrete/batch/kernels/program.h"

namespace mmaspec::batch {

/// A value of the program being compiled.
using Register = std::uint32_t;

/// A step. The registers in `in` are indices into `Draft::registers`.
struct DraftStep {
  Choice choice;
  Register out;
  std::vector<Register> in;
  std::uint64_t m = 0;
  std::uint64_t m2 = 0;
  bool keeps = false;  ///< it has an effect besides its output
};

struct DraftRegister {
  Type type;
  std::uint32_t words;               ///< 1 unless wide
  std::vector<std::uint64_t> value;  ///< of a constant; empty: the output of a step
};

struct Draft {
  std::vector<DraftStep> steps;
  std::vector<DraftRegister> registers;
  std::vector<bool> held_inputs = {};  ///< for each row of the inputs; missing rows are not held
};

}  // namespace mmaspec::batch
