#include "queries/statement/condition.h"

#include <algorithm>

#include "queries/statement/operands.h"

namespace mmaspec {

bool is_one_expression(const Graph& graph, const std::vector<NodeId>& conditions) {
  return std::any_of(conditions.begin(), conditions.end(),
                     [&](NodeId c) { return graph[c].range.high == 0; });
}

ConditionProgram::ConditionProgram(const Condition& condition, const DotFormats& formats) {
  if (!condition) return;
  const Graph::Building building(graph_);
  const DotOperands operands = dot_inputs(formats);
  const Int d = input("d", static_cast<unsigned>(formats.d->storage_bits));
  holds_ = condition(formats, operands, d).id();
  evaluator_.emplace(graph_, std::vector<NodeId>{holds_});
  scratch_ = evaluator_->scratch();
}

bool ConditionProgram::holds(const DotValues& values, const Integer& d) {
  if (!evaluator_) return true;
  evaluator_->evaluate(input_values(graph_, values, {{"d", d}}), scratch_);
  return scratch_[holds_] != 0;
}

std::vector<bool> ConditionProgram::holds(const Lanes& inputs, const Lanes& d) {
  std::vector<bool> all(inputs.lanes(), true);
  if (!evaluator_) return all;
  if (!batch_) batch_.emplace(graph_, std::vector<NodeId>{holds_});
  std::vector<const std::uint64_t*> rows;
  for (std::size_t i = 0; i < inputs.rows(); ++i) rows.push_back(inputs[i]);
  rows.push_back(d[0]);
  std::vector<std::uint64_t> held(inputs.lanes());
  batch_->evaluate(rows, inputs.lanes(), {held.data()}, batch_scratch_);
  std::transform(held.begin(), held.end(), all.begin(), [](std::uint64_t x) { return x != 0; });
  return all;
}

}  // namespace mmaspec
