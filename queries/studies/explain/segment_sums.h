#pragma once
/// Sums of consecutive products of one element by a unit's chain from zero. All plans around that
/// unit consist of such sums.

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "concrete/batch/block.h"
#include "queries/studies/explain/space/units.h"
#include "util/deadline.h"

namespace mmaspec::explain {

/// A unit's compiled step. Immutable: many threads may share one object.
class UnitStep {
 public:
  explicit UnitStep(const Unit& unit);

  int k() const { return k_; }
  const BlockEvaluator& evaluator() const { return evaluator_; }

 private:
  int k_;
  DotModel model_;
  BlockEvaluator evaluator_;
};

/// One element's operands as the unit gets them: converted, in the order of its products, padded
/// with +0 to whole steps.
struct ElementOperands {
  std::vector<std::uint64_t> a;
  std::vector<std::uint64_t> b;
  std::uint64_t c = 0;                      ///< in the format of the sums
  std::vector<std::uint32_t> factors = {};  ///< factors of the sum: see PreparedUnit
};

/// The number of points, without point 0. Points are boundaries between steps, `grain` steps apart:
/// point i is after step i * grain; the last point is after the last step.
inline std::size_t points_between(std::size_t steps, int grain) {
  return (steps + static_cast<std::size_t>(grain) - 1) / static_cast<std::size_t>(grain);
}

/// For one element and one unit.
class SegmentSums {
 public:
  SegmentSums(const UnitStep& step, int grain);

  /// For each point that starts a segment, computes all sums up to the last point that ends one:
  /// `last_end[i]` for point i; 0: none starts there. `from_c`: also the chain from point 0 that
  /// starts from c. Throws OutOfTime.
  void compute(const ElementOperands& operands, const std::vector<int>& last_end, bool from_c,
               const Deadline& deadline);

  /// The chain from +0 over the products between two points. compute() must have been called for
  /// it.
  std::uint64_t sum(int first, int end) const {
    return sums_[static_cast<std::size_t>(first)][static_cast<std::size_t>(end - first - 1)];
  }
  /// The same from point 0 and c.
  std::uint64_t sum_from_c(int end) const { return from_c_[static_cast<std::size_t>(end - 1)]; }

  /// Number of steps evaluated so far, over all lanes.
  std::size_t evaluated() const { return evaluated_; }

 private:
  const UnitStep& step_;
  int grain_;
  std::vector<std::vector<std::uint64_t>> sums_;
  std::vector<std::uint64_t> from_c_;
  std::size_t evaluated_ = 0;
  BatchEvaluator::Scratch scratch_;
};

}  // namespace mmaspec::explain
