#pragma once
/// Random goals over inputs of a few bits, and the values of their nodes for all inputs.

#include <array>
#include <random>
#include <string>
#include <vector>

#include "proof/kernel/goal.h"
#include "proof/kernel/ranges.h"

namespace mmaspec::kernel {

/// The value of an operation, written only for this test from spec/lang/graph.h.
inline Integer value_of(const Node& n, const std::vector<Integer>& values, const Integer& input) {
  const auto arg = [&](std::size_t i) { return values[n.args[i]]; };
  const auto amount = [&] { return arg(1).convert_to<unsigned>(); };
  switch (n.op) {
    case Op::constant:
    case Op::boolean:
      return n.value;
    case Op::input:
      return input;
    case Op::sum: {
      Integer all = n.value;
      for (std::size_t i = 0; i < n.args.size(); ++i) all += n.coefficients[i] * arg(i);
      return all;
    }
    case Op::product: {
      Integer all = 1;
      for (std::size_t i = 0; i < n.args.size(); ++i) all *= arg(i);
      return all;
    }
    case Op::absolute:
      return arg(0) < 0 ? Integer(-arg(0)) : arg(0);
    case Op::negate_if:
      return arg(0) != 0 ? Integer(-arg(1)) : arg(1);
    case Op::select:
      return arg(0) != 0 ? arg(1) : arg(2);
    case Op::minimum:
    case Op::maximum: {
      Integer best = arg(0);
      for (std::size_t i = 1; i < n.args.size(); ++i) {
        if (n.op == Op::minimum ? arg(i) < best : arg(i) > best) best = arg(i);
      }
      return best;
    }
    case Op::shift_left:
      return arg(0) * power_of_two(amount());
    case Op::floor_shift_right: {
      Integer quotient = arg(0) / power_of_two(amount());
      if (quotient * power_of_two(amount()) > arg(0)) --quotient;
      return quotient;
    }
    case Op::bits:
      return (arg(0) / power_of_two(n.low)) % power_of_two(n.width);
    case Op::bit_length: {
      Integer length = 0;
      for (Integer x = arg(0); x > 0; x /= 2) ++length;
      return length;
    }
    case Op::claim:
      return arg(0);
    case Op::less:
      return arg(0) < arg(1) ? 1 : 0;
    case Op::equal:
      return arg(0) == arg(1) ? 1 : 0;
    case Op::logical_not:
      return arg(0) == 0 ? 1 : 0;
    case Op::logical_and: {
      bool all = true;
      for (std::size_t i = 0; i < n.args.size(); ++i) all = all && arg(i) != 0;
      return all ? 1 : 0;
    }
    case Op::logical_xor: {
      bool odd = false;
      for (std::size_t i = 0; i < n.args.size(); ++i) odd = odd != (arg(i) != 0);
      return odd ? 1 : 0;
    }
  }
  throw std::logic_error("no such operation");
}

/// Random graphs over inputs of a few bits.
class DrawnGraph {
 public:
  DrawnGraph(unsigned seed, std::size_t nodes) : random_(seed) {
    const unsigned inputs = 1 + below(3);
    for (unsigned i = 0; i < inputs; ++i) {
      Node n{};
      n.op = Op::input;
      n.width = 1 + below(inputs == 1 ? 5 : 2);
      add(n, "x" + std::to_string(i));
    }
    for (int value : {0, 1, -3}) {
      Node n{};
      n.op = Op::constant;
      n.value = value;
      add(n);
    }
    for (unsigned tries = 0; goal.graph.nodes.size() < nodes && tries < 50 * nodes; ++tries) {
      draw();
    }
  }

  /// Values of all nodes, for each assignment of the inputs for which all claims hold.
  std::vector<std::vector<Integer>> all_values() const {
    std::vector<std::vector<Integer>> all{{}};
    for (const Node& n : goal.graph.nodes) {
      std::vector<std::vector<Integer>> longer;
      for (std::vector<Integer>& values : all) {
        const unsigned choices = n.op == Op::input ? 1U << n.width : 1;
        for (unsigned x = 0; x < choices; ++x) {
          values.push_back(value_of(n, values, x));
          if (n.op != Op::claim || n.range.holds(values.back())) longer.push_back(values);
          values.pop_back();
        }
      }
      all = std::move(longer);
    }
    return all;
  }

  std::vector<NodeId> booleans() const {
    std::vector<NodeId> all;
    for (std::size_t i = 0; i < goal.graph.nodes.size(); ++i) {
      if (is_boolean(goal.graph.nodes[i].op)) all.push_back(static_cast<NodeId>(i));
    }
    return all;
  }

  unsigned below(std::size_t n) { return static_cast<unsigned>(random_() % n); }

  Goal goal;  ///< without conditions
  std::vector<Range> ranges;

 private:
  bool add(Node n, const std::string& name = "") {
    try {
      goal.graph.add(std::move(n), name);
      extend_ranges(goal.graph, ranges);
      if (kernel::width_of(ranges.back()) <= 24) return true;
      ranges.pop_back();
    } catch (const std::invalid_argument&) {
    }
    goal.graph.nodes.resize(ranges.size());
    return false;
  }

  NodeId node() {
    // Newer nodes are more likely, so that graphs become deep.
    const std::size_t size = goal.graph.nodes.size();
    return static_cast<NodeId>(std::max(below(size), below(size)));
  }
  NodeId boolean() {
    const std::vector<NodeId> all = booleans();
    return all.empty() ? node() : all[below(all.size())];
  }

  void draw() {
    constexpr auto kDrawn = std::to_array<Op>(
        {Op::sum, Op::sum, Op::product, Op::absolute, Op::negate_if, Op::select, Op::minimum,
         Op::maximum, Op::shift_left, Op::floor_shift_right, Op::bits, Op::bit_length, Op::claim,
         Op::less, Op::less, Op::equal, Op::logical_not, Op::logical_and, Op::logical_xor});
    Node n{};
    n.op = kDrawn.at(below(kDrawn.size()));
    switch (n.op) {
      case Op::sum:
        for (unsigned i = 1 + below(3); i > 0; --i) {
          n.args.push_back(node());
          n.coefficients.emplace_back(static_cast<int>(below(9)) - 4);
        }
        n.value = static_cast<int>(below(9)) - 4;
        break;
      case Op::product:
      case Op::minimum:
      case Op::maximum:
        for (unsigned i = 1 + below(3); i > 0; --i) n.args.push_back(node());
        break;
      case Op::logical_and:
      case Op::logical_xor:
        for (unsigned i = 1 + below(3); i > 0; --i) n.args.push_back(boolean());
        break;
      case Op::negate_if:
        n.args = {boolean(), node()};
        break;
      case Op::select:
        n.args = {boolean(), node(), node()};
        break;
      case Op::logical_not:
        n.args = {boolean()};
        break;
      case Op::absolute:
      case Op::bit_length:
        n.args = {node()};
        break;
      case Op::bits:
        n.args = {node()};
        n.low = below(4);
        n.width = 1 + below(4);
        break;
      case Op::claim:
        n.args = {node()};
        n.range.low = static_cast<int>(below(9)) - 6;
        n.range.high = n.range.low + below(9);
        break;
      default:
        n.args = {node(), node()};
        break;
    }
    add(std::move(n));
  }

  std::mt19937 random_;
};

inline Node binary(Op op, NodeId x, NodeId y) {
  Node n{};
  n.op = op;
  n.args = {x, y};
  return n;
}

inline Node constant(const Integer& value) {
  Node n{};
  n.op = Op::constant;
  n.value = value;
  return n;
}

}  // namespace mmaspec::kernel
