#pragma once
/// Dot-adds on numbers. Long ones are computed in parts, so that the size of graphs does not grow
/// with K.

#include <memory>
#include <optional>
#include <vector>

#include "concrete/dot/batch.h"
#include "concrete/dot/model.h"
#include "spec/algorithms/chain_step.h"

namespace mmaspec {

/// Evaluates one design. Not thread-safe.
class DotRunner {
 public:
  DotRunner(const Algorithm& algorithm, const DotFormats& formats);

  const DotFormats& formats() const { return formats_; }

  /// The pattern of d, as DotModel::run() returns it. Throws what it throws.
  Integer run(const DotValues& values);
  /// The same for many operands, by the batch evaluator.
  std::vector<Integer> run(const std::vector<const DotValues*>& all);

 private:
  /// A part of the dot-add, prepared for evaluation.
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
  int parts() const { return part_k_ == 0 ? 1 : whole_.k / part_k_; }
  /// Appends +0 for the products that a Padded design adds.
  DotValues with_zeros(const DotValues& values) const;
  DotValues slice(const DotValues& values, int number, const Integer& c) const;

  DotFormats formats_;
  const DotFormats whole_;  ///< the formats of the evaluated design: longer than formats_ if the
                            ///< design is Padded
  int part_k_;
  Part first_;
  std::optional<Part> next_;  ///< set if c's format differs from d's
};

}  // namespace mmaspec
