#pragma once
/// From a graph to a program of the batch evaluator.

#include <vector>

#include "concrete/batch/evaluator.h"
#include "concrete/batch/program.h"
#include "spec/lang/graph.h"

namespace mmaspec::batch {

/// The program that computes `roots` with the kernels of `isa`. `held`: see BlockEvaluator.
Program compile(const Graph& graph, const std::vector<NodeId>& roots,
                const std::vector<NodeId>& held, BatchIsa isa);

/// A value of the program being compiled.
using Register = std::uint32_t;

/// A step before its registers have places. Registers of `in` are those of `Draft::registers`.
struct DraftStep {
  Choice choice;
  Register out;
  std::vector<Register> in;
  std::uint64_t m = 0;
  std::uint64_t m2 = 0;
  bool keeps = false;  ///< has an effect besides its output
};

struct DraftRegister {
  Type type;
  std::uint32_t words;               ///< 1 unless wide
  std::vector<std::uint64_t> value;  ///< of a constant; empty: some step's output
};

/// A program before the allocation of registers.
struct Draft {
  std::vector<DraftStep> steps;
  std::vector<DraftRegister> registers;
  std::vector<bool> held_inputs = {};  ///< by row of the inputs; rows missing are not held
};

/// Leaves out steps that nothing uses, gives every register a place, places used again as soon as
/// they are free, and fills in `program`'s steps and constants. Steps that depend on held inputs
/// alone come first, and what others need of them keeps its place.
void allocate(Draft draft, BatchIsa isa, Program& program);

}  // namespace mmaspec::batch
