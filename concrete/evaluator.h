#pragma once
/// The exact evaluator: defines the meaning of a graph, over arbitrary-precision integers.

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "spec/lang/graph.h"

namespace mmaspec {

/// Thrown if a claim of the specification's author is false in an evaluation.
class ClaimViolated : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// Evaluates the nodes on which some roots depend. Immutable: many threads may share one object.
class ExactEvaluator {
 public:
  /// `graph` must outlive this object and hold `roots`.
  ExactEvaluator(const Graph& graph, const std::vector<NodeId>& roots);

  /// The values of one evaluation, indexed by node; defined only for nodes in the cone of the
  /// roots.
  using Values = std::vector<Integer>;

  /// Working memory for evaluate(), which consecutive evaluations may reuse.
  Values scratch() const;

  /// Evaluates all nodes. `inputs[i]` is the value of graph.inputs()[i], 0 <= value < 2^width;
  /// missing inputs at the end are 0. Throws ClaimViolated if a claim fails.
  void evaluate(const std::vector<Integer>& inputs, Values& values) const;

  /// Throws std::logic_error that names the first node whose value is outside its range.
  void check_ranges(const Values& values) const;

  const std::vector<NodeId>& nodes() const { return nodes_; }

 private:
  const Graph& graph_;
  std::vector<NodeId> nodes_;       ///< the cone, ascending
  std::vector<NodeId> to_compute_;  ///< the nodes of the cone that are not constants
};

}  // namespace mmaspec
