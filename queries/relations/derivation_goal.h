#pragma once
/// The goals of derivations from relations and from error bounds.

#include <vector>

#include "queries/ask/question.h"
#include "spec/formats/format.h"

namespace mmaspec {

/// The goal that the premises and the violation, Booleans of a graph, are unsatisfiable together.
struct DerivationGoal {
  Graph& graph;
  NodeId first;   ///< the result of one execution
  NodeId second;  ///< the result of the other
  std::vector<NodeId> premises;
  std::vector<NodeId> violated;
  std::vector<InputValues> samples;  ///< inputs that satisfy the premises: samples_of()
  const Format* result;              ///< the format of intermediate patterns (MarkRole::pattern)
};

/// The goal of a question that has compared runs and candidates, with samples of its inputs.
DerivationGoal goal_of(const Question& question);

/// Drawn inputs that satisfy all conditions. A bounded search may find fewer than are wanted.
std::vector<InputValues> samples_of(const Graph& graph, const std::vector<NodeId>& conditions,
                                    const Candidates& draw);

/// All nodes that occur in the goal.
std::vector<NodeId> roots_of(const DerivationGoal& claimed);

/// The premises that concern results, or the others. A premise that concerns a part of a result
/// depends on the sum and counts as one of a result.
std::vector<NodeId> premises_of(const DerivationGoal& claimed, bool of_results);

/// For each node: whether it is one of these Booleans or one of their operands.
std::vector<bool> booleans_of(const Graph& graph, std::vector<NodeId> pending);

/// The samples in which no intermediate pattern is a NaN, unless these are few. Numbers computed
/// from a NaN are not informative.
std::vector<InputValues> without_nans(const DerivationGoal& claimed);

}  // namespace mmaspec
