#pragma once
/// Compiles a graph to a program of the batch evaluator.

#include <string>
#include <vector>

#include "concrete/batch/evaluator.h"
#include "concrete/batch/kernels/draft.h"
#include "concrete/batch/kernels/program.h"
#include "spec/lang/graph.h"

namespace mmaspec::batch {

/// A program before its registers have addresses, and the tables that its steps refer to.
struct Compiled {
  Draft draft;                      ///< its steps are in order, and each is used
  std::vector<std::string> claims;  ///< the message of a violation, by the number of the check
  std::size_t inputs = 0;           ///< number of rows that the steps read: 0 .. inputs-1
  std::size_t held_steps = 0;       ///< number of leading steps that depend only on held inputs
};

/// Compiles `roots`. No integer gets fewer bits than `narrowest`, which is i16 or i32. `held`: see
/// BlockEvaluator.
Compiled compile(const Graph& graph, const std::vector<NodeId>& roots,
                 const std::vector<NodeId>& held, Type narrowest);

/// The program that computes `roots` with the kernels of `isa`. `held`: see BlockEvaluator.
Program compile(const Graph& graph, const std::vector<NodeId>& roots,
                const std::vector<NodeId>& held, BatchIsa isa);

/// Removes unused steps and moves those that depend only on held inputs to the front. Returns the
/// number of the latter.
std::size_t put_in_order(Draft& draft);

/// Assigns an address to every register, reusing addresses as soon as they are free, and fills in
/// `program`'s steps and constants with the kernels of `isa`. Results of the first
/// program.held_steps that later steps need keep their addresses.
void allocate(const Draft& draft, BatchIsa isa, Program& program);

}  // namespace mmaspec::batch
