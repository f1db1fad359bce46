#pragma once
/// Conditions on the inputs of a question, such as `--where` gives.

#include <functional>
#include <optional>

#include "concrete/batch/evaluator.h"
#include "concrete/dot/model.h"
#include "concrete/evaluator.h"

namespace mmaspec {

/// A condition on operands and a result, in the current graph.
using Condition = std::function<Bool(const DotFormats&, const DotOperands&, Int d)>;

/// A condition as a program of its own, which knows no algorithm.
class ConditionProgram {
 public:
  /// An empty condition always holds.
  ConditionProgram(const Condition& condition, const DotFormats& formats);

  bool holds(const DotValues& values, const Integer& d);
  /// Of each lane: `inputs` in the order of dot_inputs(), and the patterns of d.
  std::vector<bool> holds(const Lanes& inputs, const Lanes& d);

 private:
  Graph graph_;
  NodeId holds_ = 0;
  std::optional<ExactEvaluator> evaluator_;
  ExactEvaluator::Values scratch_;
  std::optional<BatchEvaluator> batch_;  ///< made when lanes come
  BatchEvaluator::Scratch batch_scratch_;
};

}  // namespace mmaspec
