#pragma once
/// Many dot-adds of one instruction.

#include <optional>
#include <vector>

#include "concrete/batch/evaluator.h"
#include "concrete/dot/model.h"

namespace mmaspec {

/// Evaluates a model on many operands. For few operands, compiling a program would cost more than
/// it saves, so the exact evaluator is used.
class BatchDotModel {
 public:
  /// `model` must outlive this object.
  explicit BatchDotModel(const DotModel& model) : model_(&model) {}

  /// The patterns of d, as DotModel::run() returns them. Throws what it throws.
  std::vector<Integer> run(const std::vector<const DotValues*>& all);

 private:
  static constexpr std::size_t kFew = 32;

  std::vector<Integer> run_exactly(const std::vector<const DotValues*>& all) const;

  const DotModel* model_;
  std::optional<BatchEvaluator> batch_;  ///< constructed at the first call with many operands
  BatchEvaluator::Scratch scratch_;
};

}  // namespace mmaspec
