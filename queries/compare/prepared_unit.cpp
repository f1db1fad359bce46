#include "queries/compare/prepared_unit.h"

#include "queries/statement/pairing.h"

namespace mmaspec {

std::shared_ptr<const MatrixRunner> PreparedUnit::matrix_runner(std::size_t k) const {
  const Instruction whole = for_matrices(instruction_, k);
  const std::scoped_lock held(matrix_lock_);
  auto& runner = matrix_runners_[whole.formats.k];
  if (!runner) runner = std::make_shared<const MatrixRunner>(whole.algorithm, whole.formats);
  return runner;
}

std::vector<Integer> PreparedUnit::run(const std::vector<const DotValues*>& all) const {
  const std::scoped_lock held(dot_lock_);
  if (!dot_runner_) {
    dot_runner_ = std::make_unique<DotRunner>(instruction_.algorithm, instruction_.formats);
  }
  if (all.size() == 1) return {dot_runner_->run(*all.front())};
  return dot_runner_->run(all);
}

}  // namespace mmaspec
