#pragma once
/// Dot-adds on numbers, long ones part by part: what is built does not grow with K.

#include <memory>
#include <optional>
#include <vector>

#include "concrete/dot/batch.h"
#include "concrete/dot/model.h"
#include "spec/algorithms/chain_step.h"

namespace mmaspec {

/// Runs one design. Not for several threads at once.
class DotRunner {
 public:
  DotRunner(const Algorithm& algorithm, const DotFormats& formats);

  const DotFormats& formats() const { return formats_; }

  /// The pattern of d, as DotModel::run() gives it. Throws what it throws.
  Integer run(const DotValues& values);
  /// The same of many, by the batch evaluator.
  std::vector<Integer> run(const std::vector<const DotValues*>& all);

 private:
  /// A part of the dot-add, ready to run.
  struct Part {
    Part(const Algorithm& algorithm, const DotFormats& formats);

    std::unique_ptr<DotModel> model;
    ExactEvaluator::Values scratch;
    BatchDotModel batch;
  };

  DotRunner(const DotFormats& formats, const Unpadded& whole);

  Integer run_whole(const DotValues& values);
  std::vector<Integer> run_whole(const std::vector<const DotValues*>& all);

  bool is_padded() const { return whole_.k != formats_.k; }
  Part& part(int number) { return number > 0 && next_ ? *next_ : first_; }
  int parts() const { return whole_.k / part_k_; }
  /// With +0 for the operands that a Padded design adds.
  DotValues with_zeros(const DotValues& values) const;
  DotValues slice(const DotValues& values, int number, const Integer& c) const;

  DotFormats formats_;
  const DotFormats whole_;  ///< of what runs: longer than formats_ where the design is Padded
  int part_k_;
  Part first_;
  std::optional<Part> next_;  ///< where c's format is another than d's
};

}  // namespace mmaspec
