#pragma once
/// Sums of consecutive products of one element, by a unit's chain from zero: what all plans around
/// that unit are made of.

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "concrete/batch/block.h"
#include "queries/studies/explain/space/units.h"
#include "util/deadline.h"

namespace mmaspec::explain {

/// A unit's step, compiled. Immutable: one object serves many threads.
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

/// One element's operands as the unit gets them: converted, in the order of its products, +0 from K
/// on; as many as whole steps have.
struct ElementOperands {
  std::vector<std::uint64_t> a;
  std::vector<std::uint64_t> b;
  std::uint64_t c = 0;                      ///< in the format of the sums
  std::vector<std::uint32_t> factors = {};  ///< of the sum: see PreparedUnit
};

/// Points are places between steps, `grain` steps apart: point i is behind step i * grain; the last
/// point is behind the last step. How many there are, without point 0.
inline std::size_t points_between(std::size_t steps, int grain) {
  return (steps + static_cast<std::size_t>(grain) - 1) / static_cast<std::size_t>(grain);
}

/// Of one element and one unit.
class SegmentSums {
 public:
  SegmentSums(const UnitStep& step, int grain);

  /// Computes, for each point that starts a segment, all sums up to the last point that ends one:
  /// `last_end[i]` for point i; 0: none starts there. `from_c`: the chain from point 0 that starts
  /// from c, too.
  /// Throws OutOfTime.
  void compute(const ElementOperands& operands, const std::vector<int>& last_end, bool from_c,
               const Deadline& deadline);

  /// The chain from +0 over the products between two points that compute() was asked for.
  std::uint64_t sum(int first, int end) const {
    return sums_[static_cast<std::size_t>(first)][static_cast<std::size_t>(end - first - 1)];
  }
  /// The same from point 0 and c.
  std::uint64_t sum_from_c(int end) const { return from_c_[static_cast<std::size_t>(end - 1)]; }

  /// Steps that were evaluated so far, in all lanes together.
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
