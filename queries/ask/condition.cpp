#include "queries/ask/condition.h"

#include "queries/ask/dot_question.h"

namespace mmaspec {

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

}  // namespace mmaspec
