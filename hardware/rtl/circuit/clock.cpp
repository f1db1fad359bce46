#include "hardware/rtl/circuit/clock.h"

#include <fmt/format.h>

#include <optional>
#include <set>
#include <stdexcept>
#include <tuple>

#include "hardware/rtl/circuit/signal_names.h"

namespace mmaspec::rtl {
namespace {

/// A bit of a node, possibly inverted, or a constant.
struct Source {
  std::size_t node = 0;
  unsigned bit = 0;
  bool inverted = false;
  std::optional<bool> constant = {};
};

class Follower {
 public:
  Follower(const Circuit& circuit, const std::map<std::string, Integer>& set)
      : circuit_(circuit), set_(set) {}

  /// The source of a bit.
  Source follow(std::size_t node, unsigned bit) {
    const auto known = known_.find({node, bit});
    if (known != known_.end()) return known->second;
    const Source source = look(node, bit);
    known_.emplace(std::pair(node, bit), source);
    return source;
  }

 private:
  Source look(std::size_t node, unsigned bit) {
    const CircuitNode& n = circuit_.nodes[node];
    const auto constant = [](bool value) { return Source{0, 0, false, value}; };
    const Source here{node, bit};
    if (n.op == "const") return constant(boost::multiprecision::bit_test(n.value, bit));
    if (n.op == "input") {
      const auto fixed = set_.find(n.symbol);
      return fixed == set_.end() ? here
                                 : constant(boost::multiprecision::bit_test(fixed->second, bit));
    }
    if (n.op == "slice") return follow(n.args[0], bit + n.low);
    if (n.op == "concat") {
      const unsigned low = circuit_.nodes[n.args[1]].width;
      return bit < low ? follow(n.args[1], bit) : follow(n.args[0], bit - low);
    }
    if (n.op == "uext" || n.op == "sext") {
      const unsigned width = circuit_.nodes[n.args[0]].width;
      if (bit < width) return follow(n.args[0], bit);
      return n.op == "uext" ? constant(false) : follow(n.args[0], width - 1);
    }
    if (n.op == "not") return inverted(follow(n.args[0], bit));
    if ((n.op == "redor" || n.op == "redand") && circuit_.nodes[n.args[0]].width == 1) {
      return follow(n.args[0], 0);
    }
    if (const auto [op, negated] = gate_of(n); !op.empty()) {
      const Source x = follow(n.args[0], bit);
      const Source y = follow(n.args[1], bit);
      if (!x.constant && !y.constant) return here;
      const bool known = x.constant ? *x.constant : *y.constant;
      const Source& other = x.constant ? y : x;
      const Source result = op == "and"  ? (known ? other : constant(false))
                            : op == "or" ? (known ? constant(true) : other)
                            : known      ? inverted(other)
                                         : other;
      return negated ? inverted(result) : result;
    }
    if (n.op == "ite") {
      const Source condition = follow(n.args[0], 0);
      if (!condition.constant) return here;
      return follow(n.args[*condition.constant ? 1 : 2], bit);
    }
    return here;
  }

  /// and, or, xor of two bits, and whether the result is inverted; empty for other operations.
  std::pair<std::string, bool> gate_of(const CircuitNode& n) const {
    const bool of_bits = n.args.size() == 2 && circuit_.nodes[n.args[0]].width == 1;
    if (n.op == "and" || n.op == "or" || n.op == "xor") return {n.op, false};
    if (n.op == "nand") return {"and", true};
    if (n.op == "nor") return {"or", true};
    if (n.op == "xnor" || ((n.op == "eq" || n.op == "iff") && of_bits)) return {"xor", true};
    if (n.op == "neq" && of_bits) return {"xor", false};
    return {"", false};
  }

  static Source inverted(Source s) {
    if (s.constant) {
      s.constant = !*s.constant;
    } else {
      s.inverted = !s.inverted;
    }
    return s;
  }

  const Circuit& circuit_;
  const std::map<std::string, Integer>& set_;
  std::map<std::pair<std::size_t, unsigned>, Source> known_;
};

}  // namespace

std::string clock_of(const Circuit& circuit, const std::string& top,
                     const std::vector<ClockEdge>& edges,
                     const std::map<std::string, Integer>& set) {
  const SignalNames names(circuit);
  Follower follower(circuit, set);
  const auto name_of = [&](const Source& s) {
    const std::string name = names.describe(s.node);
    const bool is_bit = circuit.nodes[s.node].width > 1;
    return is_bit ? fmt::format("{} (bit {})", name, s.bit) : name;
  };
  std::set<std::tuple<std::size_t, unsigned, bool>> found;
  for (const ClockEdge& edge : edges) {
    const Source s = follower.follow(edge.node, 0);
    if (s.constant) {
      throw std::invalid_argument(
          fmt::format("{}: the clock {} of some registers is constant, so they never change", top,
                      names.describe(edge.node)));
    }
    found.emplace(s.node, s.bit, edge.falling != s.inverted);
  }
  if (found.empty()) return "";
  if (found.size() > 1) {
    std::vector<std::string> texts;
    for (const auto& [node, bit, falling] : found) {
      texts.push_back(
          fmt::format("the {} edge of {}", falling ? "falling" : "rising", name_of({node, bit})));
    }
    throw std::invalid_argument(fmt::format(
        "{}: its registers change at {} different clock edges: {}; one edge of one clock is "
        "supported",
        top, found.size(), fmt::join(texts, ", ")));
  }
  const auto& [node, bit, falling] = *found.begin();
  const CircuitNode& clock = circuit.nodes[node];
  if (clock.op != "input" || clock.symbol.empty()) {
    throw std::invalid_argument(fmt::format(
        "{}: the clock of its registers, {}, is made by {}; it must be an input port, through "
        "wires, buffers and inverters (--set gives the enable of a clock gate a constant value)",
        top, name_of({node, bit}), clock.op == "state" ? "a register or latch" : "logic"));
  }
  const std::string port =
      clock.width == 1 ? clock.symbol : fmt::format("{}[{}]", clock.symbol, bit);
  return (falling ? "!" : "") + port;
}

}  // namespace mmaspec::rtl
