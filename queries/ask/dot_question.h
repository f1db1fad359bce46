#pragma once
/// What questions about dot-adds share: restrictions of their inputs, and nodes of two executions.

#include "queries/ask/question.h"
#include "queries/statement/operands.h"

namespace mmaspec {

/// Restrictions to small subsets of the inputs in which witnesses are usually found soon: three
/// nonzero products, and b limited to powers of two.
std::vector<Restriction> dot_restrictions(const DotFormats& formats);

/// The nodes on which both expressions depend and which at least one of them uses through a node
/// that the other does not share.
std::vector<NodeId> shared_frontier(const Graph& graph, NodeId first, NodeId second);

/// Like shared_frontier(), but lower in the graph. Where all uses of some inputs pass through one
/// node, that dominator replaces the nodes computed from it. The fields of one number are therefore
/// kept together. Nodes that depend on one input only are left out.
std::vector<NodeId> shared_dominators(const Graph& graph, NodeId first, NodeId second);

}  // namespace mmaspec
