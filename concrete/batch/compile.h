#pragma once
/// From a graph to a program of the batch evaluator.

#include <string>
#include <vector>

#include "concrete/batch/evaluator.h"
#include "concrete/batch/kernels/draft.h"
#include "concrete/batch/kernels/program.h"
#include "spec/lang/graph.h"

namespace mmaspec::batch {

/// A program before its registers have places, and what its steps refer to.
struct Compiled {
  Draft draft;                      ///< its steps are in order, and each is used
  std::vector<std::string> claims;  ///< what a violation says, by the check's number
  std::size_t inputs = 0;           ///< rows that the steps read: 0 .. inputs-1
  std::size_t held_steps = 0;       ///< the first steps, which depend on held inputs alone
};

/// Compiles `roots`. No integer is held in fewer bits than `narrowest` has, i16 or i32. `held`: see
/// BlockEvaluator.
Compiled compile(const Graph& graph, const std::vector<NodeId>& roots,
                 const std::vector<NodeId>& held, Type narrowest);

/// The program that computes `roots` with the kernels of `isa`. `held`: see BlockEvaluator.
Program compile(const Graph& graph, const std::vector<NodeId>& roots,
                const std::vector<NodeId>& held, BatchIsa isa);

/// Leaves out steps that nothing uses and puts those first that depend on held inputs alone: how
/// many these are.
std::size_t put_in_order(Draft& draft);

/// Gives every register a place, places used again as soon as they are free, and fills in
/// `program`'s steps and constants, with the kernels of `isa`. What others need of the first
/// program.held_steps keeps its place.
void allocate(const Draft& draft, BatchIsa isa, Program& program);

}  // namespace mmaspec::batch
