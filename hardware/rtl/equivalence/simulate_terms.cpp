#include "hardware/rtl/equivalence/simulate_terms.h"

#include <stdexcept>

namespace mmaspec::rtl {

Integer signed_value(const Integer& pattern, unsigned width) {
  return width > 0 && bit_test(pattern, width - 1) ? Integer(pattern - power_of_two(width))
                                                   : pattern;
}

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
  const auto arg = [&](std::size_t i) -> const Integer& { return values_.at(t.args[i])[sample]; };
  const auto width_of_arg = [&](std::size_t i) { return terms_.width(t.args[i]); };
  const Integer mask = power_of_two(t.width) - 1;
  switch (t.op) {
    case BvOp::bool_constant:
    case BvOp::constant:
      return t.value;
    case BvOp::variable: {
      const auto it = inputs_[sample].find(t.name);
      return it == inputs_[sample].end() ? Integer(0) : it->second;
    }
    case BvOp::bool_not:
      return arg(0) == 0 ? 1 : 0;
    case BvOp::bool_and:
      for (std::size_t i = 0; i < t.args.size(); ++i) {
        if (arg(i) == 0) return 0;
      }
      return 1;
    case BvOp::bool_or:
    case BvOp::bv_or:
      return arg(0) | arg(1);
    case BvOp::bool_xor:
    case BvOp::bv_xor:
      return arg(0) ^ arg(1);
    case BvOp::bv_and:
      return arg(0) & arg(1);
    case BvOp::bv_not:
      return mask - arg(0);
    case BvOp::eq:
      return arg(0) == arg(1) ? 1 : 0;
    case BvOp::ult:
      return arg(0) < arg(1) ? 1 : 0;
    case BvOp::slt:
      return signed_value(arg(0), width_of_arg(0)) < signed_value(arg(1), width_of_arg(1)) ? 1 : 0;
    case BvOp::ite:
      return arg(0) != 0 ? arg(1) : arg(2);
    case BvOp::add:
      return (arg(0) + arg(1)) & mask;
    case BvOp::mul:
      return (arg(0) * arg(1)) & mask;
    case BvOp::concat:
      return (arg(0) << width_of_arg(1)) | arg(1);
    case BvOp::extract:
      return (arg(0) >> t.low) & mask;
    case BvOp::zero_extend:
      return arg(0);
    case BvOp::sign_extend: {
      const Integer x = signed_value(arg(0), width_of_arg(0));
      return x < 0 ? Integer(x + power_of_two(t.width)) : x;
    }
  }
  throw std::logic_error("no such operation");
}

}  // namespace mmaspec::rtl
