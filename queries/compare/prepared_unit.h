#pragma once
/// An instruction that is evaluated many times, with cached evaluators.

#include <map>
#include <memory>
#include <mutex>

#include "concrete/dot/runner.h"
#include "concrete/matrix/matrix.h"
#include "spec/catalog/instruction.h"

namespace mmaspec {

/// Safe for use by several threads.
class PreparedUnit {
 public:
  explicit PreparedUnit(Instruction instruction) : instruction_(std::move(instruction)) {}

  const Instruction& instruction() const { return instruction_; }

  /// A runner for matrices with this K, for the instruction chained to it. Throws
  /// std::invalid_argument if it cannot be chained.
  std::shared_ptr<const MatrixRunner> matrix_runner(std::size_t k) const;

  /// The patterns of d. One row is computed by the exact evaluator, several rows by the batch
  /// evaluator. Only one thread computes at a time. Throws what DotRunner throws.
  std::vector<Integer> run(const std::vector<const DotValues*>& all) const;

 private:
  Instruction instruction_;
  mutable std::mutex matrix_lock_;
  mutable std::map<int, std::shared_ptr<const MatrixRunner>> matrix_runners_;  ///< keys are the
                                                                               ///< chained K
  mutable std::mutex dot_lock_;
  mutable std::unique_ptr<DotRunner> dot_runner_;
};

}  // namespace mmaspec
