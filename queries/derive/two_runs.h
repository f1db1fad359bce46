#pragma once
/// A statement about two runs of one text: which node of one run matches which of the other.

#include "queries/derive/text.h"
#include "queries/property/property.h"

namespace mmaspec {

class TwoRuns {
 public:
  /// The property's case of the text. Throws std::logic_error where it is not one of two runs.
  TwoRuns(const Property& property, int which, const Text& text);

  const Text& text() const { return text_; }
  /// Of both runs. Statements about them are built into it.
  Graph& graph() { return graph_; }

  /// A node of the text in either run.
  NodeId first(NodeId n) const { return *images_[0].nodes[n]; }
  NodeId second(NodeId n) const { return *images_[1].nodes[n]; }
  /// It is not one expression in both.
  bool varies(NodeId n) const { return images_[0].nodes[n] && first(n) != second(n); }

  /// An operand is no pattern of its format: what the premises must exclude before anything else is
  /// concluded of the runs.
  Bool has_strange_operand() const;

  /// The class of inputs of which the property speaks, of the operands of both runs.
  const std::vector<NodeId>& operand_premises() const { return operand_premises_; }
  /// What holds of both runs: the class of inputs of which the property speaks, and what a text
  /// knows of its own nodes.
  const std::vector<NodeId>& premises() const { return premises_; }
  /// No input may satisfy these and the premises.
  const std::vector<NodeId>& violated() const { return violated_; }

  /// Both results.
  NodeId first_d() const { return first(text_.d); }
  NodeId second_d() const { return second(text_.d); }

  /// The nodes on which both of two nodes depend and that either uses in its own way, but for those
  /// that depend on an operand that differs: these keep what they have to do with it.
  std::vector<NodeId> shared_below(NodeId x, NodeId y) const;
  /// The same further down, where what is used of some operands passes through one node.
  std::vector<NodeId> shared_far_below(NodeId x, NodeId y) const;

 private:
  std::vector<NodeId> without_differing(std::vector<NodeId> nodes) const;

  const Text& text_;
  Graph graph_;
  std::vector<Image> images_;
  std::vector<bool> is_of_differing_;  ///< by node of the graph as the statement left it
  std::vector<NodeId> operand_premises_;
  std::vector<NodeId> premises_;
  std::vector<NodeId> violated_;
};

/// A variable of this range in the current graph; that it lies there is added to the facts.
Int variable(const std::string& name, const Range& range, std::vector<Bool>& facts);

/// A variable in the place of a node, and that it lies in the node's range. Its name begins so.
Bool free_in_range(const Graph& from, NodeId node, Substitution& copy,
                   const std::string& name = "free ");

/// The same of all these nodes.
std::vector<Bool> free_in_range(const Graph& from, const std::vector<NodeId>& nodes,
                                Substitution& copy, const std::string& name = "free ");

/// Makes a node of one copy what it is in another one, unless it follows from others there.
void take_over(const Graph& graph, NodeId node, Substitution& from, Substitution& to);

}  // namespace mmaspec
