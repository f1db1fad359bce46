#pragma once
/// Converts the recorded lemmas of a derivation to steps for the kernel. Not trusted: the kernel
/// checks each step.

#include <functional>
#include <optional>
#include <vector>

#include "proof/kernel/kernel.h"
#include "queries/derive/lemmas.h"

namespace mmaspec {

/// Adds a step to the kernel if it finds a proof of it, and returns the step's number.
using Admit = std::function<std::optional<std::size_t>(const kernel::Step&)>;

/// A derivation about a question whose conditions are the kernel's goal.
struct RecordedDerivation {
  const Graph& graph;                ///< the question's graph, with the nodes of the derivation
  std::size_t size_before;           ///< number of nodes before the derivation built more
  std::vector<NodeId> cone;          ///< the node of `graph` for each node of the goal
  std::vector<NodeId> premises;      ///< conjuncts of the conditions, among the nodes of the cone
  std::vector<LemmaRecord> records;  ///< the last one refutes the goal's conditions
};

/// True if all needed lemmas were admitted, and a last step that refutes the goal's conditions.
/// Throws what `admit` throws.
bool prove_by_records(const RecordedDerivation& derivation, kernel::Kernel& kernel,
                      const std::vector<NodeId>& goal_conditions, const Admit& admit);

}  // namespace mmaspec
