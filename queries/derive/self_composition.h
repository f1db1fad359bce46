#pragma once
/// A statement about two executions of one term graph, and the correspondence of their nodes.

#include "queries/derive/term_graph.h"
#include "queries/property/property.h"

namespace mmaspec {

class SelfComposition {
 public:
  /// The property's case for the term graph. Throws std::logic_error if it does not concern two
  /// executions.
  SelfComposition(const Property& property, int which, const TermGraph& text);

  const TermGraph& text() const { return text_; }
  /// The graph of both executions. Statements about them are built in it.
  Graph& graph() { return graph_; }

  /// The copy of a node in each execution.
  NodeId first(NodeId n) const { return *images_[0].nodes[n]; }
  NodeId second(NodeId n) const { return *images_[1].nodes[n]; }
  /// True if the two copies are different expressions.
  bool varies(NodeId n) const { return images_[0].nodes[n] && first(n) != second(n); }

  /// Some operand is not a pattern of its format. The premises must exclude this before anything
  /// else is derived.
  Bool has_operand_out_of_domain() const;

  /// The premises that restrict the operands of both executions to the property's class of inputs.
  const std::vector<NodeId>& operand_premises() const { return operand_premises_; }
  /// All premises: the property's class of inputs, and the known facts about nodes of the term
  /// graph.
  const std::vector<NodeId>& premises() const { return premises_; }
  /// The violation: unsatisfiable together with the premises if the statement holds.
  const std::vector<NodeId>& violated() const { return violated_; }

  /// The results of the two executions.
  NodeId first_d() const { return first(text_.d); }
  NodeId second_d() const { return second(text_.d); }

  /// The nodes on which both nodes depend and that one of them uses separately, without those that
  /// depend on an operand that differs between the executions, which stay expressions.
  std::vector<NodeId> shared_below(NodeId x, NodeId y) const;
  /// The same lower in the graph, with dominators of operands (see shared_dominators()).
  std::vector<NodeId> shared_far_below(NodeId x, NodeId y) const;

 private:
  std::vector<NodeId> without_differing(std::vector<NodeId> nodes) const;

  const TermGraph& text_;
  Graph graph_;
  std::vector<Image> images_;
  std::vector<bool> is_of_differing_;  ///< indexed by node of the graph as the statement left it
  std::vector<NodeId> operand_premises_;
  std::vector<NodeId> premises_;
  std::vector<NodeId> violated_;
};

/// A fresh variable of this range in the current graph. Adds its range to the facts.
Int variable(const std::string& name, const Range& range, std::vector<Bool>& facts);

/// Replaces a node by a fresh variable, whose name starts with `name`. Returns the condition that
/// it is in the node's range.
Bool free_in_range(const Graph& from, NodeId node, Substitution& copy,
                   const std::string& name = "free ");

/// The same for several nodes.
std::vector<Bool> free_in_range(const Graph& from, const std::vector<NodeId>& nodes,
                                Substitution& copy, const std::string& name = "free ");

/// Gives a node in copy `to` the value that it has in copy `from`, unless other nodes determine it
/// there.
void take_over(const Graph& graph, NodeId node, Substitution& from, Substitution& to);

}  // namespace mmaspec
