#pragma once
/// An instruction prepared for evaluation on numbers.

#include <memory>
#include <vector>

#include "concrete/evaluator.h"
#include "spec/algorithms/algorithm.h"

namespace mmaspec {

/// The bit patterns of one dot-add's operands; lengths as in DotFormats.
struct DotValues {
  std::vector<Integer> a;
  std::vector<Integer> b;
  Integer c = 0;
  std::vector<Integer> scale_a;
  std::vector<Integer> scale_b;

  friend bool operator==(const DotValues&, const DotValues&) = default;
};

/// The values in the order of dot_inputs(), as ExactEvaluator takes them.
std::vector<Integer> in_input_order(const DotValues& values);

/// A graph of one dot-add, and its exact evaluator. Immutable once made.
class DotModel {
 public:
  DotModel(const Algorithm& algorithm, const DotFormats& formats);

  /// The pattern of d. Throws std::invalid_argument if the lengths are not those of formats().
  Integer run(const DotValues& values) const;
  /// The same for repeated evaluations. `scratch` comes from evaluator().scratch() and is reused.
  Integer run(const DotValues& values, ExactEvaluator::Values& scratch) const;
  /// The values of all nodes, for traces.
  ExactEvaluator::Values trace(const DotValues& values) const;

  const Graph& graph() const { return *graph_; }
  const DotFormats& formats() const { return formats_; }
  NodeId result() const { return result_; }
  const ExactEvaluator& evaluator() const { return *evaluator_; }

 private:
  void check(const DotValues& values) const;

  DotFormats formats_;
  std::unique_ptr<Graph> graph_;
  NodeId result_;
  std::unique_ptr<ExactEvaluator> evaluator_;
};

}  // namespace mmaspec
