#include "spec/lang/substitute.h"

namespace mmaspec {

void Substitution::replace(NodeId node, Int by) {
  const Node& n = from_[node];
  if (n.op == Op::sum) {
    sums_[key(n)] = {n.coefficients[0] < 0 ? -1 : 1, n.value, by.id()};
  }
  copies_[node] = by.id();
}

void Substitution::replace(NodeId node, Bool by) { copies_[node] = by.id(); }

bool Substitution::determines(NodeId node) const {
  const Node& n = from_[node];
  return copies_[node] || n.op == Op::constant || n.op == Op::boolean ||
         (n.op == Op::sum && sums_.contains(key(n)));
}

Int Substitution::integer(NodeId node) { return Int::of(copy(node)); }
Bool Substitution::boolean(NodeId node) { return Bool::of(copy(node)); }

/// The sum without its constant, its sign such that the first coefficient is positive.
Substitution::LinearKey Substitution::key(const Node& sum) {
  LinearKey result{sum.args, sum.coefficients};
  if (result.second[0] < 0) {
    for (Integer& c : result.second) c = -c;
  }
  return result;
}

std::optional<NodeId> Substitution::replaced_sum(const Node& node) const {
  const auto it = sums_.find(key(node));
  if (it == sums_.end()) return std::nullopt;
  const Integer sign = node.coefficients[0] < 0 ? -1 : 1;
  const LinearCopy& known = it->second;
  // known.copy = known.sign * X + known.constant, wanted: sign * X + node.value.
  const Int x = Int::of(known.copy) - known.constant;
  return (x * Integer(sign * known.sign) + node.value).id();
}

NodeId Substitution::within(NodeId copy, const Range& range) {
  const Int x = Int::of(copy);
  if (range.low <= x.range().low && x.range().high <= range.high) return copy;
  facts_.push_back(x >= range.low && x <= range.high);
  return claim(x, range.low, range.high).id();
}

NodeId Substitution::copy(NodeId root) {
  std::vector<NodeId> pending{root};
  while (!pending.empty()) {
    const NodeId id = pending.back();
    if (copies_[id]) {
      pending.pop_back();
      continue;
    }
    const Node& n = from_[id];
    const auto known = n.op == Op::sum ? replaced_sum(n) : std::nullopt;
    if (!known) {
      bool ready = true;
      for (NodeId a : n.args) {
        if (copies_[a]) continue;
        pending.push_back(a);
        ready = false;
      }
      if (!ready) continue;
    }
    const NodeId made = known ? *known : rebuild(n);
    copies_[id] = is_boolean(n.op) ? made : within(made, n.range);
    pending.pop_back();
  }
  return *copies_[root];
}

NodeId Substitution::rebuild(const Node& n) {
  const auto integer_arg = [&](std::size_t i) { return Int::of(*copies_[n.args[i]]); };
  const auto boolean_arg = [&](std::size_t i) { return Bool::of(*copies_[n.args[i]]); };
  const auto integers = [&] {
    std::vector<Int> all;
    for (std::size_t i = 0; i < n.args.size(); ++i) all.push_back(integer_arg(i));
    return all;
  };
  switch (n.op) {
    case Op::constant:
      return Int(n.value).id();
    case Op::input:
      return input(from_.input_name(from_.inputs()[n.low]), n.width).id();
    case Op::sum: {
      std::vector<Int> terms = integers();
      for (std::size_t i = 0; i < terms.size(); ++i) terms[i] = terms[i] * n.coefficients[i];
      terms.emplace_back(n.value);
      return total(terms).id();
    }
    case Op::product: {
      Int x = integer_arg(0);
      for (std::size_t i = 1; i < n.args.size(); ++i) x = x * integer_arg(i);
      return x.id();
    }
    case Op::absolute:
      return abs(integer_arg(0)).id();
    case Op::negate_if:
      return negate_if(boolean_arg(0), integer_arg(1)).id();
    case Op::select:
      return select(boolean_arg(0), integer_arg(1), integer_arg(2)).id();
    case Op::minimum:
      return min(integers()).id();
    case Op::maximum:
      return max(integers()).id();
    case Op::shift_left:
      return shift_left(integer_arg(0), integer_arg(1)).id();
    case Op::floor_shift_right:
      return floor_shift_right(integer_arg(0), integer_arg(1)).id();
    case Op::bits:
      return bits(integer_arg(0), n.low, n.width).id();
    case Op::bit_length:
      return bit_length(integer_arg(0)).id();
    case Op::claim:
      return claim(integer_arg(0), n.range.low, n.range.high).id();
    case Op::boolean:
      return Bool(n.value != 0).id();
    case Op::less:
      return (integer_arg(0) < integer_arg(1)).id();
    case Op::equal:
      return (integer_arg(0) == integer_arg(1)).id();
    case Op::logical_not:
      return (!boolean_arg(0)).id();
    case Op::logical_and: {
      std::vector<Bool> all;
      for (std::size_t i = 0; i < n.args.size(); ++i) all.push_back(boolean_arg(i));
      return all_of(all).id();
    }
    case Op::logical_xor: {
      Bool x = boolean_arg(0);
      for (std::size_t i = 1; i < n.args.size(); ++i) x = x ^ boolean_arg(i);
      return x.id();
    }
  }
  throw std::logic_error("no such operation");
}

}  // namespace mmaspec
