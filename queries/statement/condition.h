#pragma once
/// Conditions on the inputs of a question, as `--where` gives them.

#include <functional>
#include <optional>

#include "concrete/batch/evaluator.h"
#include "concrete/dot/model.h"
#include "concrete/evaluator.h"

namespace mmaspec {

/// A predicate on the operands and the result, built in the current graph.
using Condition = std::function<Bool(const DotFormats&, const DotOperands&, Int d)>;

/// True if some condition is the constant false, so that no input satisfies all of them.
bool is_one_expression(const Graph& graph, const std::vector<NodeId>& conditions);

/// A condition compiled to an evaluable program, independent of any algorithm.
class ConditionProgram {
 public:
  /// An empty condition always holds.
  ConditionProgram(const Condition& condition, const DotFormats& formats);

  bool holds(const DotValues& values, const Integer& d);
  /// The result for each lane. `inputs` has the order of dot_inputs(); `d` holds the result
  /// patterns.
  std::vector<bool> holds(const Lanes& inputs, const Lanes& d);

 private:
  Graph graph_;
  NodeId holds_ = 0;
  std::optional<ExactEvaluator> evaluator_;
  ExactEvaluator::Values scratch_;
  std::optional<BatchEvaluator> batch_;  ///< constructed at the first call with lanes
  BatchEvaluator::Scratch batch_scratch_;
};

}  // namespace mmaspec
