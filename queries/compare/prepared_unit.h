#pragma once
/// An instruction that is evaluated many times, and what was built of it for that.

#include <map>
#include <memory>
#include <mutex>

#include "concrete/dot/runner.h"
#include "concrete/matrix/matrix.h"
#include "spec/catalog/instruction.h"

namespace mmaspec {

/// Serves many threads.
class PreparedUnit {
 public:
  explicit PreparedUnit(Instruction instruction) : instruction_(std::move(instruction)) {}

  const Instruction& instruction() const { return instruction_; }

  /// For matrices of this K: of the instruction chained to it. Throws std::invalid_argument where
  /// it cannot be chained.
  std::shared_ptr<const MatrixRunner> matrix_runner(std::size_t k) const;

  /// The patterns of d; of one by the exact evaluator, of several by the batch evaluator. One
  /// thread at a time. Throws what DotRunner throws.
  std::vector<Integer> run(const std::vector<const DotValues*>& all) const;

 private:
  Instruction instruction_;
  mutable std::mutex matrix_lock_;
  mutable std::map<int, std::shared_ptr<const MatrixRunner>> matrix_runners_;  ///< by chained K
  mutable std::mutex dot_lock_;
  mutable std::unique_ptr<DotRunner> dot_runner_;
};

}  // namespace mmaspec
