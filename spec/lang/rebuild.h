#pragma once
/// Rebuilds an operation with other operands.

#include <string>
#include <vector>

#include "spec/lang/graph.h"

namespace mmaspec {

/// Builds the operation of `node` in the current graph through the language's own operations:
/// constants are folded, and ranges follow from the operands, not from `node`. `args` are nodes of
/// the current graph that replace node.args; `input_name` is the name of an input. Throws
/// CannotBuild if the operation does not accept operands of these ranges.
NodeId rebuild(const Node& node, const std::vector<NodeId>& args, const std::string& input_name);

}  // namespace mmaspec
