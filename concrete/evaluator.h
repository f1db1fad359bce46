#pragma once
/// The exact evaluator: the reference meaning of a graph, over arbitrary-precision integers.

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "spec/lang/graph.h"

namespace mmaspec {

/// A claim of the spec's author that an evaluation found false.
class ClaimViolated : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// Evaluates the nodes that some roots depend on. Immutable: one object serves many threads.
class ExactEvaluator {
 public:
  /// `graph` must outlive this object and hold `roots`.
  ExactEvaluator(const Graph& graph, const std::vector<NodeId>& roots);

  /// The values of one evaluation, by node; meaningful for nodes of the roots' cone alone.
  using Values = std::vector<Integer>;

  /// Space for one evaluation, to be used again by the next.
  Values scratch() const;

  /// Evaluates all nodes. `inputs[i]` is the value of graph.inputs()[i], 0 <= value < 2^width;
  /// inputs missing at the end are 0. Throws ClaimViolated if a claim fails.
  void evaluate(const std::vector<Integer>& inputs, Values& values) const;

  /// Throws std::logic_error naming the first node whose value lies outside its range.
  void check_ranges(const Values& values) const;

  const std::vector<NodeId>& nodes() const { return nodes_; }

 private:
  const Graph& graph_;
  std::vector<NodeId> nodes_;       ///< the cone, ascending
  std::vector<NodeId> to_compute_;  ///< of them, those that are no constants
};

}  // namespace mmaspec
