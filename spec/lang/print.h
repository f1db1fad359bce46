#pragma once
/// Prints graphs as text and as Graphviz dot.

#include <string>
#include <vector>

#include "spec/lang/graph.h"

namespace mmaspec {

/// One line for each node: number, operation, operands, range, stage.
std::string print(const Graph& graph, const std::vector<NodeId>& roots);

/// A Graphviz digraph with one cluster for each stage.
std::string to_dot(const Graph& graph, const std::vector<NodeId>& roots, const std::string& title);

/// A short form of one node, as print() shows it, without number and range.
std::string describe(const Graph& graph, NodeId id);

}  // namespace mmaspec
