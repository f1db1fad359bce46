#include "encoder/encode.h"
#include "queries/ask/question.h"

namespace mmaspec {
namespace {

/// A fresh variable of the node's range.
Int free_variable(const Graph& from, NodeId node) {
  const Range& range = from[node].range;
  if (range.is_point()) return range.low;
  const unsigned width = width_of({0, range.high - range.low});
  return input("free " + std::to_string(node), width) + range.low;
}

}  // namespace

void havoc(const Graph& from, NodeId node, Substitution& copy) {
  if (copy.determines(node)) return;
  if (is_boolean(from[node].op)) {
    copy.replace(node, input("free " + std::to_string(node), 1) == 1);
  } else {
    copy.replace(node, free_variable(from, node));
  }
}

Change havoc(const Graph& from, std::vector<NodeId> nodes) {
  return [&from, nodes = std::move(nodes)](Substitution& copy) {
    for (NodeId n : nodes) havoc(from, n, copy);
    return std::vector<Bool>();
  };
}

namespace {

/// An upper bound of an aligned term x / 2^(e_max - e): x and e have their largest values, and the
/// largest exponent e_max is unchanged.
std::optional<Int> bound_of_aligned(const Graph& from, NodeId node, Substitution& copy) {
  const Node& outer = from[node];
  const Node& shift = outer.op == Op::negate_if ? from[outer.args[1]] : outer;
  if (shift.op != Op::floor_shift_right || from[shift.args[0]].range.low < 0) return std::nullopt;
  const Node& amount = from[shift.args[1]];
  if (amount.op != Op::sum) return std::nullopt;
  std::optional<NodeId> largest;
  Integer rest = amount.value;
  for (std::size_t i = 0; i < amount.args.size(); ++i) {
    const Node& x = from[amount.args[i]];
    if (x.op == Op::maximum && amount.coefficients[i] == 1 && !largest) {
      largest = amount.args[i];
    } else {
      rest += amount.coefficients[i] * (amount.coefficients[i] < 0 ? x.range.high : x.range.low);
    }
  }
  if (!largest) return std::nullopt;
  return floor_shift_right(from[shift.args[0]].range.high, max(copy.integer(*largest) + rest, 0));
}

}  // namespace

Change set_free_within_reach(const Graph& from, std::vector<NodeId> aligned) {
  return [&from, aligned = std::move(aligned)](Substitution& copy) {
    std::vector<Bool> facts;
    for (NodeId n : aligned) {
      if (copy.determines(n)) continue;
      const std::optional<Int> most = bound_of_aligned(from, n, copy);
      havoc(from, n, copy);
      if (!most) continue;
      facts.push_back(copy.integer(n) <= *most);
      facts.push_back(-copy.integer(n) <= *most);
    }
    return facts;
  };
}

}  // namespace mmaspec
