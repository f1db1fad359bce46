#include "spec/lang/substitute.h"

#include "spec/lang/rebuild.h"

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

/// The sum without its constant, with the sign for which the first coefficient is positive.
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
  // Given known.copy = known.sign * X + known.constant, computes sign * X + node.value.
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
  std::vector<NodeId> args;
  for (const NodeId a : n.args) args.push_back(*copies_[a]);
  return mmaspec::rebuild(n, args,
                          n.op == Op::input ? from_.input_name(from_.inputs()[n.low]) : "");
}

}  // namespace mmaspec
