#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "encoder/encode.h"
#include "encoder/export/module.h"

namespace mmaspec {
namespace {

/// Writes one module. All wires are unsigned vectors; negative numbers are in two's complement, and
/// every extension is explicit, so that the language's rules about widths and signs have no effect.
class VerilogWriter {
 public:
  explicit VerilogWriter(const Module& module)
      : module_(module), graph_(*module.graph), names_(graph_, module.result) {}

  std::string write() {
    for (const Port& port : module_.inputs) {
      for (std::size_t i = 0; i < port.elements.size(); ++i) {
        inputs_[port.elements[i]] = element(port, i);
      }
    }
    for (const NodeId id : names_.nodes()) define(id);
    const std::string result = extended(module_.result, module_.result_width);
    return header() + functions() + body_ + fmt::format("\n  assign d = {};\n", result) +
           "\nendmodule\n\n/* verilator lint_on UNUSEDSIGNAL */\n";
  }

 private:
  const Node& node(NodeId id) const { return graph_[id]; }
  bool is_signed(NodeId id) const { return node(id).range.low < 0; }
  unsigned width(NodeId id) const { return is_boolean(node(id).op) ? 1 : width_of(node(id).range); }
  static std::string constant(const Integer& value, unsigned w) {
    const Integer modulus = power_of_two(w);
    Integer r = value % modulus;
    if (r < 0) r += modulus;
    return fmt::format("{}'h{}", w, to_hex(r));
  }
  static std::string range_of(unsigned w) {
    return w == 1 ? std::string() : fmt::format("[{}:0] ", w - 1);
  }

  static std::string element(const Port& port, std::size_t i) {
    if (port.elements.size() == 1) return port.name;
    const std::size_t low = i * port.width;
    if (port.width == 1) return fmt::format("{}[{}]", port.name, low);
    return fmt::format("{}[{}:{}]", port.name, low + port.width - 1, low);
  }

  bool is_constant(NodeId id) const {
    return node(id).op == Op::constant || node(id).op == Op::boolean;
  }
  std::string reference(NodeId id) const {
    return is_constant(id) ? constant(node(id).value, width(id)) : names_[id];
  }
  /// Bits high..low of a wire of `w` bits.
  static std::string slice(const std::string& name, unsigned w, unsigned high, unsigned low) {
    if (low == 0 && high + 1 == w) return name;
    return high == low ? fmt::format("{}[{}]", name, low)
                       : fmt::format("{}[{}:{}]", name, high, low);
  }
  /// A wire's value modulo 2^to.
  static std::string resized(const std::string& name, bool is_signed, unsigned from, unsigned to) {
    if (to <= from) return slice(name, from, to - 1, 0);
    if (!is_signed) return fmt::format("{{{}'d0, {}}}", to - from, name);
    return fmt::format("{{{{{}{{{}}}}}, {}}}", to - from, slice(name, from, from - 1, from - 1),
                       name);
  }
  std::string extended(NodeId id, unsigned to) const {
    if (is_constant(id)) return constant(node(id).value, to);
    return resized(names_[id], is_signed(id), width(id), to);
  }

  void wire(const std::string& name, unsigned w, const std::string& value) {
    body_ += fmt::format("  wire {}{} = {};\n", range_of(w), name, value);
  }

  std::string header() const {
    std::string text = fmt::format("// {}\n", module_.comment);
    for (std::size_t at = 0; (at = text.find('\n', at) + 1) < text.size();) text.insert(at, "// ");
    text +=
        "// Wires are named after the specification's stages. A wire whose range includes negative "
        "numbers holds two's\n// complement; the comment after each wire gives its range.\n/* "
        "verilator lint_off UNUSEDSIGNAL */  // bits that the format ignores\n";
    text += fmt::format("module {} (\n", module_.name);
    for (const Port& port : module_.inputs) {
      text += fmt::format("  input  wire {}{},\n",
                          range_of(port.width * static_cast<unsigned>(port.elements.size())),
                          port.name);
    }
    return text + fmt::format("  output wire {}d\n);\n", range_of(module_.result_width));
  }

  std::string functions() const {
    std::string text;
    for (const auto& [from, to] : lengths_) {
      text += fmt::format(
          "\n  // The number of bits of x without leading zeros.\n"
          "  function [{1}:0] bit_length_{0};\n    input [{2}:0] x;\n    integer i;\n"
          "    begin\n      bit_length_{0} = {3}'d0;\n"
          "      for (i = 0; i < {0}; i = i + 1) if (x[i]) bit_length_{0} = i[{1}:0] + {3}'d1;\n"
          "    end\n  endfunction\n",
          from, to - 1, from - 1, to);
    }
    return text;
  }

  std::string sum(const Node& n, unsigned w) const {
    std::string text = n.value == 0 ? "" : constant(n.value, w);
    for (std::size_t i = 0; i < n.args.size(); ++i) {
      const Integer& c = n.coefficients[i];
      const Integer magnitude = c < 0 ? Integer(-c) : c;
      if (c < 0) {
        text += text.empty() ? "-" : " - ";
      } else if (!text.empty()) {
        text += " + ";
      }
      const std::string x = extended(n.args[i], w);
      if (magnitude == 1) {
        text += x;
      } else if (is_power_of_two(magnitude)) {
        text += fmt::format("({} << {})", x, trailing_zeros(magnitude));
      } else {
        text += fmt::format("({} * {})", constant(magnitude, w), x);
      }
    }
    return text;
  }

  std::string less(const std::string& x, const std::string& y, bool is_signed) const {
    return is_signed ? fmt::format("$signed({}) < $signed({})", x, y)
                     : fmt::format("{} < {}", x, y);
  }

  /// Members are compared in one word that holds them all, neighbours first.
  std::string extremum(NodeId id, const Node& n, unsigned w) {
    Range all = node(n.args[0]).range;
    for (const NodeId a : n.args) all = hull(all, node(a).range);
    const unsigned common = width_of(all);
    std::vector<std::string> left;
    for (const NodeId a : n.args) left.push_back(extended(a, common));
    int number = 0;
    while (left.size() > 1) {
      std::vector<std::string> next;
      for (std::size_t i = 0; i + 1 < left.size(); i += 2) {
        next.push_back(fmt::format("{}_of_{}", names_[id], number++));
        const bool smallest = n.op == Op::minimum;
        wire(next.back(), common,
             fmt::format("{} ? {} : {}", less(left[i], left[i + 1], all.low < 0),
                         left[smallest ? i : i + 1], left[smallest ? i + 1 : i]));
      }
      if (left.size() % 2 != 0) next.push_back(left.back());
      left = std::move(next);
    }
    return resized(left[0], all.low < 0, common, w);
  }

  std::string shift_right(NodeId id, const Node& n, unsigned w) {
    const NodeId x = n.args[0];
    const unsigned from = width(x);
    const std::string value =
        is_signed(x) ? fmt::format("$signed({}) >>> {}", reference(x), reference(n.args[1]))
                     : fmt::format("{} >> {}", reference(x), reference(n.args[1]));
    if (from == w) return value;
    const std::string whole = names_[id] + "_whole";
    wire(whole, from, value);
    return resized(whole, is_signed(x), from, w);
  }

  std::string comparison(const Node& n) {
    const Range all = hull(node(n.args[0]).range, node(n.args[1]).range);
    const unsigned w = width_of(all);
    const std::string x = extended(n.args[0], w);
    const std::string y = extended(n.args[1], w);
    return n.op == Op::less ? less(x, y, all.low < 0) : fmt::format("{} == {}", x, y);
  }

  std::string joined(const Node& n, const char* between) const {
    std::vector<std::string> parts;
    for (const NodeId a : n.args) parts.push_back(reference(a));
    return fmt::format("{}", fmt::join(parts, between));
  }

  std::string value(NodeId id, const Node& n, unsigned w) {
    const auto arg = [&](std::size_t i) { return reference(n.args[i]); };
    const auto word = [&](std::size_t i) { return extended(n.args[i], w); };
    switch (n.op) {
      case Op::constant:
      case Op::boolean:
        break;
      case Op::input:
        return inputs_.at(id);
      case Op::sum:
        return sum(n, w);
      case Op::product: {
        std::string text = word(0);
        for (std::size_t i = 1; i < n.args.size(); ++i) text += " * " + word(i);
        return text;
      }
      case Op::absolute: {
        const unsigned from = width(n.args[0]);
        return fmt::format("{} ? -{} : {}", slice(arg(0), from, from - 1, from - 1), word(0),
                           word(0));
      }
      case Op::negate_if:
        return fmt::format("{} ? -{} : {}", arg(0), word(1), word(1));
      case Op::select:
        return fmt::format("{} ? {} : {}", arg(0), word(1), word(2));
      case Op::minimum:
      case Op::maximum:
        return extremum(id, n, w);
      case Op::shift_left:
        return fmt::format("{} << {}", word(0), arg(1));
      case Op::floor_shift_right:
        return shift_right(id, n, w);
      case Op::bits: {
        const unsigned from = width(n.args[0]);
        const unsigned high = std::min(from, n.low + n.width) - 1;
        const unsigned taken = std::min(high - n.low + 1, w);
        const std::string field = slice(arg(0), from, n.low + taken - 1, n.low);
        return taken == w ? field : fmt::format("{{{}'d0, {}}}", w - taken, field);
      }
      case Op::bit_length: {
        const unsigned from = width(n.args[0]);
        const unsigned to = width_of({0, Integer(from)});
        lengths_.emplace(from, to);
        const std::string call = fmt::format("bit_length_{}({})", from, arg(0));
        if (to == w) return call;
        wire(names_[id] + "_whole", to, call);
        return resized(names_[id] + "_whole", false, to, w);
      }
      case Op::claim:
        return word(0);
      case Op::less:
      case Op::equal:
        return comparison(n);
      case Op::logical_not:
        return "~" + arg(0);
      case Op::logical_and:
        return joined(n, " & ");
      case Op::logical_xor:
        return joined(n, " ^ ");
    }
    throw std::logic_error("no such operation");
  }

  void define(NodeId id) {
    const Node& n = node(id);
    if (is_constant(id)) return;
    if (n.stage != stage_) {
      stage_ = n.stage;
      body_ += fmt::format("\n  // {}\n", stage_ == 0 ? "inputs" : graph_.stages()[stage_]);
    }
    const unsigned w = width(id);
    const std::string text = value(id, n, w);
    wire(names_[id], w, text);
    if (is_signed(id)) {
      body_.insert(body_.size() - 1,
                   fmt::format("  // {} .. {}", n.range.low.str(), n.range.high.str()));
    }
  }

  const Module& module_;
  const Graph& graph_;
  const NodeNames names_;
  std::unordered_map<NodeId, std::string> inputs_;
  std::set<std::pair<unsigned, unsigned>>
      lengths_;  ///< of bit_length: argument's and result's bits
  std::string body_;
  std::uint32_t stage_ = ~std::uint32_t{0};
};

}  // namespace

std::string to_verilog(const Module& module) { return VerilogWriter(module).write(); }

}  // namespace mmaspec
