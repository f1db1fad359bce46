#pragma once
/// The statement of a proof object: a goal, as data that depends only on its own text.
///
/// A goal is an expression graph and a list of its Boolean nodes, the conditions. It states: no
/// values of the graph's inputs for which all claims in the graph hold make all conditions true.
/// The operations are those of spec/lang/graph.h, on mathematical integers.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "spec/lang/graph.h"

namespace mmaspec::kernel {

/// Nodes, each after its operands. The kernel uses a Node's operation, operands, coefficients,
/// constants, widths, and the range of a claim; it derives all other ranges itself.
struct TermGraph {
  std::vector<Node> nodes;
  std::vector<std::string> input_names;  ///< Node::low of an input is its index here

  /// Appends a node. Throws std::invalid_argument if it is malformed: operands that are missing,
  /// too few or of the wrong sort, sizes out of bounds, or a second input of the same name.
  NodeId add(Node node, const std::string& input_name = "");
};

struct Goal {
  TermGraph graph;
  std::vector<NodeId> conditions;  ///< Booleans; at least one
};

/// A node as a JSON array: the operation, then its operands and attributes. Nodes are numbered from
/// 1.
std::string to_json(const TermGraph& graph, NodeId id);
/// The inverse for a node that is not an input, over the first `nodes` nodes of a graph. Throws
/// std::invalid_argument. TermGraph::add() checks the operands.
Node node_of(std::string_view json, std::size_t nodes);

/// JSON text; the same goal has the same text.
std::string to_json(const Goal& goal);
/// Its inverse. Throws std::invalid_argument, also if to_json() writes other text.
Goal goal_of(std::string_view json);

/// The part of a graph on which conditions depend, as a goal.
Goal goal_of(const Graph& graph, const std::vector<NodeId>& conditions);

}  // namespace mmaspec::kernel
