#include "queries/studies/explain/segment_sums.h"

#include <algorithm>

namespace mmaspec::explain {
namespace {

/// All inputs except c, which are the same for all segments.
std::vector<NodeId> operands_of(const Graph& graph) {
  std::vector<NodeId> all;
  for (const NodeId id : graph.inputs()) {
    if (graph.input_name(id) != "c") all.push_back(id);
  }
  return all;
}

}  // namespace

UnitStep::UnitStep(const Unit& unit)
    : k_(unit.k),
      model_(unit.algorithm, unit.formats),
      evaluator_(model_.graph(), {model_.result()}, operands_of(model_.graph())) {}

SegmentSums::SegmentSums(const UnitStep& step, int grain) : step_(step), grain_(grain) {}

void SegmentSums::compute(const ElementOperands& operands, const std::vector<int>& last_end,
                          bool from_c, const Deadline& deadline) {
  constexpr std::size_t kBlock = BlockEvaluator::kBlock;
  const auto k = static_cast<std::size_t>(step_.k());
  const std::size_t steps = operands.a.size() / k;
  const std::size_t grain = static_cast<std::size_t>(grain_);
  const auto last_point = static_cast<int>(points_between(steps, grain_));
  sums_.assign(static_cast<std::size_t>(last_point), {});
  from_c_.clear();

  // One lane for each start of a segment; -1 is the chain from c.
  std::vector<int> starts;
  std::vector<std::uint64_t> lanes;
  std::vector<const std::uint64_t*> inputs(2 * k + 1);
  const auto uniform = std::make_unique<bool[]>(2 * k + 1);  // NOLINT(modernize-avoid-c-arrays)
  std::fill_n(uniform.get(), 2 * k, true);
  uniform[2 * k] = false;
  const auto end_of = [&](int start) {
    return start < 0 ? last_point : last_end[static_cast<std::size_t>(start)];
  };
  for (std::size_t step = 0; step < steps; ++step) {
    if (step % grain == 0) {
      if (deadline.passed()) throw OutOfTime();
      const int point = static_cast<int>(step / grain);
      // Segments that end here, or ended before, are finished.
      std::size_t kept = 0;
      for (std::size_t i = 0; i < starts.size(); ++i) {
        if (end_of(starts[i]) <= point) continue;
        starts[kept] = starts[i];
        lanes[kept++] = lanes[i];
      }
      starts.resize(kept);
      lanes.resize(kept);
      if (point == 0 && from_c) {
        starts.push_back(-1);
        lanes.push_back(operands.c);
      }
      if (end_of(point) > point) {
        starts.push_back(point);
        lanes.push_back(0);
        sums_[static_cast<std::size_t>(point)].reserve(
            static_cast<std::size_t>(end_of(point) - point));
      }
    }
    if (!lanes.empty()) {
      for (std::size_t i = 0; i < k; ++i) {
        inputs[i] = &operands.a[step * k + i];
        inputs[k + i] = &operands.b[step * k + i];
      }
      bool same = false;
      std::size_t before = 0;
      for (std::size_t first = 0; first < lanes.size(); first += kBlock) {
        const std::size_t count = std::min(kBlock, lanes.size() - first);
        std::uint64_t* const sums = lanes.data() + first;
        inputs[2 * k] = sums;
        step_.evaluator().evaluate(
            {inputs.data(), uniform.get(), &sums, count, same && count == before}, scratch_);
        same = true;
        before = count;
      }
      evaluated_ += lanes.size();
    }
    if ((step + 1) % grain != 0 && step + 1 != steps) continue;
    for (std::size_t i = 0; i < starts.size(); ++i) {
      (starts[i] < 0 ? from_c_ : sums_[static_cast<std::size_t>(starts[i])]).push_back(lanes[i]);
    }
  }
}

}  // namespace mmaspec::explain
