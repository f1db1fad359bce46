#pragma once
/// What derivations from relations and losses are asked to prove.

#include <vector>

#include "queries/ask/question.h"
#include "spec/formats/format.h"

namespace mmaspec {

/// That no input satisfies all premises and all that violates the statement, Booleans of a graph.
struct Claimed {
  Graph& graph;
  NodeId first;   ///< the result of one run
  NodeId second;  ///< of the other
  std::vector<NodeId> premises;
  std::vector<NodeId> violated;
  std::vector<InputValues> samples;  ///< inputs that satisfy the premises: samples_of()
  const Format* result;              ///< of the patterns on the way (MarkRole::pattern)
};

/// Drawn inputs that satisfy all conditions, as many as are wanted or found in a bounded search.
std::vector<InputValues> samples_of(const Graph& graph, const std::vector<NodeId>& conditions,
                                    const Candidates& draw);

/// All nodes that the claim speaks of.
std::vector<NodeId> roots_of(const Claimed& claimed);

/// The premises that speak of results, or the others. What they say of a result may speak of parts
/// of it alone, which are made of a sum all the same.
std::vector<NodeId> premises_of(const Claimed& claimed, bool of_results);

/// Of each node, whether it is one of these Booleans or one that they are made of.
std::vector<bool> booleans_of(const Graph& graph, std::vector<NodeId> pending);

/// The samples in which no pattern on the way is a NaN, unless these are few: what arithmetic makes
/// of a NaN says nothing.
std::vector<InputValues> without_nans(const Claimed& claimed);

}  // namespace mmaspec
