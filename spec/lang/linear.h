#pragma once
/// Linear normal form: constant + sum of coefficient * node, nodes ascending, no coefficient zero.
/// Every sum of the language has this form, so that -(x + y) and (-x) + (-y), or the same terms in
/// another order, are one node.

#include <utility>
#include <vector>

#include "spec/lang/graph.h"

namespace mmaspec {

struct LinearForm {
  Integer constant = 0;
  std::vector<std::pair<NodeId, Integer>> terms;

  LinearForm() = default;
  explicit LinearForm(Integer c) : constant(std::move(c)) {}

  /// The form of a node: a sum's own form, a constant, or the node with coefficient 1.
  static LinearForm of(const Graph& graph, NodeId id);

  /// The sum of all, in time near linear in their terms.
  static LinearForm total(const std::vector<LinearForm>& forms);

  /// this += factor * other.
  void add(const LinearForm& other, const Integer& factor);
  void scale(const Integer& factor);
  /// The greatest common divisor of the coefficients, without the constant; 0 if there are none.
  Integer content() const;
  bool is_constant() const { return terms.empty(); }
};

/// A range that contains the form's value. Beyond interval arithmetic it uses relations between
/// terms: a maximum (minimum) is at least (at most) each of its members and equals one of them; a
/// select equals one of its two branches, and all selects with the same condition take the same
/// branch.
Range range_of(const Graph& graph, const LinearForm& form);

/// The node of the form: a constant, the node itself, or a sum.
NodeId intern(Graph& graph, const LinearForm& form);

}  // namespace mmaspec
