#include "queries/studies/explain/check_plan.h"

#include <algorithm>
#include <map>
#include <memory>

#include "concrete/dot/lane_runner.h"
#include "concrete/matrix/threads.h"
#include "queries/studies/explain/arithmetic.h"

namespace mmaspec::explain {
namespace {

constexpr std::size_t kLanes = BatchEvaluator::kBlock;

/// One thread's space for the results of some elements at a time.
class Block {
 public:
  Block(const Instruction& plan, LaneRunner& runner, const Product& product, const Format* c_format)
      : plan_(plan), runner_(runner), product_(product), c_format_(c_format) {}

  std::vector<std::uint64_t> results(const Element* elements, std::size_t count) {
    const auto k = static_cast<std::size_t>(plan_.formats.k);
    const auto scales = static_cast<std::size_t>(plan_.formats.scales());
    if (!inputs_ || inputs_->lanes() != count) inputs_.emplace(2 * k + 1 + 2 * scales, count);
    Lanes& inputs = *inputs_;
    // Row by row of the lanes, which lie far apart.
    for (std::size_t i = 0; i < product_.a.columns; ++i) {
      for (std::size_t lane = 0; lane < count; ++lane) {
        inputs[i][lane] = pattern_at(product_.a, elements[lane].row, i);
      }
      for (std::size_t lane = 0; lane < count; ++lane) {
        inputs[k + i][lane] = pattern_at(product_.b, i, elements[lane].column);
      }
    }
    for (std::size_t lane = 0; c_format_ != nullptr && lane < count; ++lane) {
      inputs[2 * k][lane] = c_of(product_, elements[lane], *c_format_, *plan_.formats.c);
    }
    for (std::size_t i = 0; i < scales; ++i) {
      const std::size_t product = i * static_cast<std::size_t>(plan_.formats.scale_block);
      for (std::size_t lane = 0; lane < count; ++lane) {
        inputs[2 * k + 1 + i][lane] = scale_a_of(product_, elements[lane].row, product);
        inputs[2 * k + 1 + scales + i][lane] = scale_b_of(product_, elements[lane].column, product);
      }
    }
    Lanes results(1, count);
    runner_.run(inputs, results);
    return {results[0], results[0] + count};
  }

 private:
  const Instruction& plan_;
  LaneRunner& runner_;
  const Product& product_;
  const Format* c_format_;
  std::optional<Lanes> inputs_;
};

}  // namespace

std::vector<std::uint64_t> results_of_plan(const Instruction& plan, LaneRunner& runner,
                                           const Product& product, const Format* c_format,
                                           const std::vector<Element>& elements) {
  Block block(plan, runner, product, c_format);
  std::vector<std::uint64_t> all;
  for (std::size_t i = 0; i < elements.size(); i += kLanes) {
    const auto some = block.results(elements.data() + i, std::min(kLanes, elements.size() - i));
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

std::vector<std::uint64_t> results_of_plan(const Instruction& plan, const Product& product,
                                           const Format* c_format,
                                           const std::vector<Element>& elements) {
  LaneRunner runner(plan.algorithm, plan.formats);
  return results_of_plan(plan, runner, product, c_format, elements);
}

CheckedPlan check_plan(const Instruction& plan, const Product& product, const Format* c_format,
                       std::vector<Element> elements, int threads, const Deadline& deadline) {
  // Neighbours share operands.
  std::sort(elements.begin(), elements.end(), [](const Element& x, const Element& y) {
    return x.row != y.row ? x.row < y.row : x.column < y.column;
  });
  const std::size_t blocks = (elements.size() + kLanes - 1) / kLanes;
  std::vector<std::vector<std::uint64_t>> results(blocks);
  on_threads(number_of_threads(threads), blocks, [&] {
    struct Thread {
      LaneRunner runner;
      Block block;
      Thread(const Instruction& plan, const Product& product, const Format* c_format)
          : runner(plan.algorithm, plan.formats), block(plan, runner, product, c_format) {}
    };
    return [&, thread = std::make_shared<Thread>(plan, product, c_format)](std::size_t i) {
      if (deadline.passed()) return;
      results[i] = thread->block.results(elements.data() + i * kLanes,
                                         std::min(kLanes, elements.size() - i * kLanes));
    };
  });

  CheckedPlan checked;
  for (std::size_t i = 0; i < blocks; ++i) {
    for (std::size_t lane = 0; lane < results[i].size(); ++lane) {
      const Element& e = elements[i * kLanes + lane];
      const std::uint64_t given = pattern_at(product.d, e.row, e.column);
      ++checked.checked;
      if (given == results[i][lane] || is_nan(*plan.formats.d, given)) {
        ++checked.matched;
        continue;
      }
      if (!checked.first) checked.first = Mismatch{e, given, results[i][lane]};
      checked.mismatches.push_back(e);
    }
  }
  return checked;
}

std::vector<std::size_t> first_same_expressions(const std::vector<Instruction>& plans, bool has_c) {
  /// The plans with the same formats, in one graph, in which equal expressions are one node.
  struct SameFormats {
    const DotFormats* formats;
    std::unique_ptr<Graph> graph = std::make_unique<Graph>();
    std::optional<DotOperands> operands = {};
    std::map<NodeId, std::size_t> first = {};
  };
  std::vector<SameFormats> groups;
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const DotFormats& formats = plans[i].formats;
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&](const SameFormats& g) { return *g.formats == formats; });
    if (group == groups.end()) group = groups.insert(groups.end(), SameFormats{&formats});
    const Graph::Building building(*group->graph);
    if (!group->operands) {
      group->operands = dot_inputs(formats);
      if (!has_c) group->operands->c = 0;
    }
    const NodeId id = plans[i].algorithm.build(formats, *group->operands).id();
    all.push_back(group->first.try_emplace(id, i).first->second);
  }
  return all;
}

}  // namespace mmaspec::explain
