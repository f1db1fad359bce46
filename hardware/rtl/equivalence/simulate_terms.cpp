#include "hardware/rtl/equivalence/simulate_terms.h"

#include "hardware/rtl/equivalence/term_value.h"

namespace mmaspec::rtl {

void TermSimulator::add_sample(const std::map<std::string, Integer>& variables) {
  inputs_.push_back(variables);
}

const std::vector<Integer>& TermSimulator::operator()(TermId term) {
  const auto known = values_.find(term);
  if (known != values_.end() && known->second.size() == samples()) return known->second;
  for (const TermId id : terms_.cone({term})) {
    std::vector<Integer>& values = values_[id];
    while (values.size() < samples()) values.push_back(evaluate(id, values.size()));
  }
  return values_.at(term);
}

Integer TermSimulator::evaluate(TermId term, std::size_t sample) const {
  const BvTerm& t = terms_[term];
  if (t.op == BvOp::constant || t.op == BvOp::bool_constant) return t.value;
  if (t.op == BvOp::variable) {
    const auto it = inputs_[sample].find(t.name);
    return it == inputs_[sample].end() ? Integer(0) : it->second;
  }
  return operation_value<Integer>(
      terms_, t, [&](std::size_t i) -> const Integer& { return values_.at(t.args[i])[sample]; });
}

}  // namespace mmaspec::rtl
