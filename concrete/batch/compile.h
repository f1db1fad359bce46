#pragma once
/// From a graph to a program of the batch evaluator.

#include <vector>

#include "concrete/batch/evaluator.h"
#include "concrete/batch/kernels/draft.h"
#include "concrete/batch/kernels/program.h"
#include "spec/lang/graph.h"

namespace mmaspec::batch {

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
