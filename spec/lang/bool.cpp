// Boolean operations: constant folding and normal forms.

#include <algorithm>

#include "spec/lang/int.h"

namespace mmaspec {
namespace {

const Integer kOne = 1;

NodeId boolean_node(Op op, std::vector<NodeId> args) {
  return Graph::current().intern({op, std::move(args), {}, 0, 0, 0, {0, 1}});
}

const Node& node(Bool x) { return Graph::current()[x.id()]; }

bool is_true(Bool x) { return node(x).op == Op::boolean && node(x).value == kOne; }
bool is_false(Bool x) { return node(x).op == Op::boolean && node(x).value == 0; }

}  // namespace

NodeId Bool::constant_id(bool value) {
  const Integer v = value ? 1 : 0;
  return Graph::current().intern({Op::boolean, {}, {}, v, 0, 0, {v, v}});
}

Bool operator!(Bool x) {
  const Node& n = node(x);
  if (n.op == Op::boolean) return n.value == 0;
  if (n.op == Op::logical_not) return Bool::of(n.args[0]);
  return Bool::of(boolean_node(Op::logical_not, {x.id()}));
}

Bool all_of(const std::vector<Bool>& conditions) {
  Graph& graph = Graph::current();
  std::vector<NodeId> parts;
  for (Bool c : conditions) {
    if (is_false(c)) return false;
    if (is_true(c)) continue;
    const Node& n = node(c);
    if (n.op == Op::logical_and) {
      parts.insert(parts.end(), n.args.begin(), n.args.end());
    } else {
      parts.push_back(c.id());
    }
  }
  std::sort(parts.begin(), parts.end());
  parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
  for (NodeId p : parts) {
    if (graph[p].op == Op::logical_not &&
        std::binary_search(parts.begin(), parts.end(), graph[p].args[0])) {
      return false;
    }
  }
  if (parts.empty()) return true;
  if (parts.size() == 1) return Bool::of(parts[0]);
  return Bool::of(boolean_node(Op::logical_and, std::move(parts)));
}

Bool any_of(const std::vector<Bool>& conditions) {
  std::vector<Bool> negated;
  negated.reserve(conditions.size());
  for (Bool c : conditions) negated.push_back(!c);
  return !all_of(negated);
}

Bool operator&&(Bool x, Bool y) { return all_of({x, y}); }
Bool operator||(Bool x, Bool y) { return any_of({x, y}); }

Bool operator^(Bool x, Bool y) {
  const Graph& graph = Graph::current();
  std::vector<NodeId> parts;
  bool flipped = false;
  for (Bool operand : {x, y}) {
    Bool positive = operand;
    if (node(operand).op == Op::logical_not) {
      flipped = !flipped;
      positive = Bool::of(node(operand).args[0]);
    }
    const Node& n = graph[positive.id()];
    if (n.op == Op::boolean) {
      flipped ^= n.value == kOne;
    } else if (n.op == Op::logical_xor) {
      parts.insert(parts.end(), n.args.begin(), n.args.end());
    } else {
      parts.push_back(positive.id());
    }
  }
  std::sort(parts.begin(), parts.end());
  std::vector<NodeId> odd;  // pairs cancel
  for (NodeId p : parts) {
    if (!odd.empty() && odd.back() == p) {
      odd.pop_back();
    } else {
      odd.push_back(p);
    }
  }
  if (odd.empty()) return flipped;
  const Bool result =
      odd.size() == 1 ? Bool::of(odd[0]) : Bool::of(boolean_node(Op::logical_xor, std::move(odd)));
  return flipped ? !result : result;
}

Bool select(Bool condition, Bool yes, Bool no) {
  if (yes.same_as(no)) return yes;
  if (yes.same_as(!no)) return condition ^ no;
  return (condition && yes) || (!condition && no);
}

}  // namespace mmaspec
