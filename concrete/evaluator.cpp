#include "concrete/evaluator.h"

#include <algorithm>
#include <limits>

namespace mmaspec {
namespace {

constexpr unsigned kFar = std::numeric_limits<unsigned>::max();

std::string describe(const Graph& graph, NodeId id, const Integer& value) {
  const Node& n = graph[id];
  return "node " + std::to_string(id) + " (" + std::string(name(n.op)) + ", stage '" +
         graph.stages()[n.stage] + "') is " + value.str() + ", outside [" + n.range.low.str() +
         ", " + n.range.high.str() + "]";
}

}  // namespace

ExactEvaluator::ExactEvaluator(const Graph& graph, const std::vector<NodeId>& roots)
    : graph_(graph), nodes_(graph.cone(roots)) {
  for (NodeId id : nodes_) {
    if (graph[id].op != Op::constant && graph[id].op != Op::boolean) to_compute_.push_back(id);
  }
}

ExactEvaluator::Values ExactEvaluator::scratch() const {
  Values values(nodes_.empty() ? 0 : nodes_.back() + 1);
  for (NodeId id : nodes_) values[id] = graph_[id].value;
  return values;
}

void ExactEvaluator::evaluate(const std::vector<Integer>& inputs, Values& values) const {
  for (NodeId id : to_compute_) {
    const Node& n = graph_[id];
    Integer& out = values[id];
    const auto arg = [&](std::size_t i) -> const Integer& { return values[n.args[i]]; };
    switch (n.op) {
      case Op::constant:
      case Op::boolean:
        break;
      case Op::input:
        if (n.low < inputs.size()) {
          out = inputs[n.low];
        } else {
          out = 0;
        }
        break;
      case Op::sum:
        out = n.value;
        for (std::size_t i = 0; i < n.args.size(); ++i) {
          const Integer& c = n.coefficients[i];
          if (c == 1) {
            out += arg(i);
          } else if (c == -1) {
            out -= arg(i);
          } else {
            out += c * arg(i);
          }
        }
        break;
      case Op::product:
        out = arg(0);
        for (std::size_t i = 1; i < n.args.size(); ++i) out *= arg(i);
        break;
      case Op::absolute:
        out = boost::multiprecision::abs(arg(0));
        break;
      case Op::negate_if:
        out = arg(1);
        if (arg(0) != 0) out.backend().negate();
        break;
      case Op::select:
        out = arg(0) != 0 ? arg(1) : arg(2);
        break;
      case Op::minimum:
      case Op::maximum:
        out = arg(0);
        for (std::size_t i = 1; i < n.args.size(); ++i) {
          if (n.op == Op::minimum ? arg(i) < out : arg(i) > out) out = arg(i);
        }
        break;
      case Op::shift_left:
        out = arg(0) << arg(1).convert_to<unsigned>();
        break;
      case Op::floor_shift_right:
        // An amount may exceed every machine integer; all amounts beyond the number's length are
        // equivalent.
        out = floor_shift_right(arg(0), arg(1) < kFar ? arg(1).convert_to<unsigned>() : kFar);
        break;
      case Op::bits:
        out = (arg(0) >> n.low) & (power_of_two(n.width) - 1);
        break;
      case Op::bit_length:
        out = bit_length(arg(0));
        break;
      case Op::claim:
        out = arg(0);
        if (!n.range.holds(out)) {
          throw ClaimViolated("a claim of the specification is false: " +
                              describe(graph_, id, out));
        }
        break;
      case Op::less:
        out = arg(0) < arg(1) ? 1 : 0;
        break;
      case Op::equal:
        out = arg(0) == arg(1) ? 1 : 0;
        break;
      case Op::logical_not:
        out = arg(0) == 0 ? 1 : 0;
        break;
      case Op::logical_and:
        out = std::all_of(n.args.begin(), n.args.end(), [&](NodeId a) { return values[a] != 0; })
                  ? 1
                  : 0;
        break;
      case Op::logical_xor: {
        bool odd = false;
        for (NodeId a : n.args) odd ^= values[a] != 0;
        out = odd ? 1 : 0;
        break;
      }
    }
  }
}

void ExactEvaluator::check_ranges(const Values& values) const {
  for (NodeId id : nodes_) {
    if (!graph_[id].range.holds(values[id])) {
      throw ClaimViolated("unsound range: " + describe(graph_, id, values[id]));
    }
  }
}

}  // namespace mmaspec
