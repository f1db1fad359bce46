#pragma once
/// An operation made again from other operands.

#include <string>
#include <vector>

#include "spec/lang/graph.h"

namespace mmaspec {

/// Makes what `node` computes in the current graph, through the language's own operations:
/// constants fold, and ranges follow from the operands', whatever the node says of its own. `args`
/// are nodes of the current graph in the place of node.args, `input_name` is an input's name.
/// Throws std::logic_error where the operation does not take operands of these ranges.
NodeId rebuild(const Node& node, const std::vector<NodeId>& args, const std::string& input_name);

}  // namespace mmaspec
