#include "hardware/rtl/design.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <stdexcept>

#include "hardware/rtl/circuit/constant.h"
#include "util/counted.h"

namespace mmaspec::rtl {
namespace {

/// The width of an operand, or 0 of one that the formats do not have, and how many there are.
std::pair<unsigned, int> shape(const DotFormats& f, const std::string& operand) {
  const auto bits_of = [](const Format* format) {
    return format == nullptr ? 0U : static_cast<unsigned>(format->storage_bits);
  };
  if (operand == "a") return {bits_of(f.a), f.k};
  if (operand == "b") return {bits_of(f.b), f.k};
  if (operand == "c") return {bits_of(f.c), 1};
  if (operand == "d") return {bits_of(f.d), 1};
  return {bits_of(f.scale), f.scales()};
}

/// `3 elements of 16 bits`.
std::string size_text(int count, unsigned width) {
  return count == 1 ? counted(width, "bit")
                    : fmt::format("{} elements of {}", count, counted(width, "bit"));
}

/// The start of the names of graph inputs that stand for free signals.
constexpr std::string_view kUndetermined = "rtl ";

const std::vector<std::string>& operand_names() {
  static const std::vector<std::string> all{"a", "b", "c", "d", "sa", "sb"};
  return all;
}

/// Reads `{a, b[3:0]}` from the left.
class Expression {
 public:
  struct Part {
    std::string name;
    std::optional<std::pair<unsigned, unsigned>> range;  ///< high, low
  };

  explicit Expression(const std::string& text) : text_(text) {}

  /// Highest bits first.
  std::vector<Part> parse() {
    std::vector<Part> all;
    expression(all);
    if (peek() != '\0') fail();
    return all;
  }

 private:
  [[noreturn]] void fail() const {
    throw std::invalid_argument(
        "--map: '" + text_ +
        "' is not a port, bits of a port (x[7:0]), several ports ({x, y}) or a constant (0)");
  }
  char peek() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  unsigned number() {
    peek();
    std::string digits;
    while (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0) {
      digits += text_[at_++];
    }
    if (digits.empty() || digits.size() > 6) fail();
    return static_cast<unsigned>(std::stoul(digits));
  }
  void expression(std::vector<Part>& all) {
    if (take('{')) {
      do expression(all);
      while (take(','));
      if (!take('}')) fail();
      return;
    }
    Part part;
    peek();
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 ||
                                  text_[at_] == '_' || text_[at_] == '.' || text_[at_] == '$')) {
      part.name += text_[at_++];
    }
    if (part.name.empty()) fail();
    if (take('[')) {
      const unsigned high = number();
      const unsigned low = take(':') ? number() : high;
      if (!take(']') || high < low) fail();
      part.range = {high, low};
    }
    all.push_back(part);
  }

  const std::string& text_;
  std::size_t at_ = 0;
};

}  // namespace

std::optional<std::size_t> RtlDesign::find_input(const std::string& name) const {
  for (std::size_t i = 0; i < circuit_.nodes.size(); ++i) {
    if (circuit_.nodes[i].op == "input" && circuit_.nodes[i].symbol == name) return i;
  }
  return std::nullopt;
}

std::optional<std::size_t> RtlDesign::find_signal(const std::string& name) const {
  for (const Circuit::Output& o : circuit_.outputs) {
    if (o.name == name) return o.node;
  }
  for (std::size_t i = 0; i < circuit_.nodes.size(); ++i) {
    if (circuit_.nodes[i].symbol == name) return i;
  }
  return std::nullopt;
}

unsigned RtlDesign::port_width(const std::string& port) const {
  return circuit_.nodes[*find_signal(port)].width;
}

std::vector<RtlDesign::Slice> RtlDesign::parsed(const std::string& operand,
                                                const std::string& text) const {
  std::vector<Slice> all;
  if (operand == "d" && find_signal(text)) return {{text, port_width(text) - 1, 0}};
  for (const Expression::Part& part : Expression(text).parse()) {
    const auto node = operand == "d" ? find_signal(part.name) : find_input(part.name);
    if (!node) {
      throw std::invalid_argument(fmt::format("--map {}: {} has no {} '{}'; {}", operand, top_,
                                              operand == "d" ? "signal" : "input", part.name,
                                              ports_text(operand == "d")));
    }
    const unsigned width = circuit_.nodes[*node].width;
    const auto [high, low] = part.range.value_or(std::pair(width - 1, 0U));
    if (high >= width) {
      throw std::invalid_argument(fmt::format("--map {}: {}[{}] does not exist: {} has {}", operand,
                                              part.name, high, part.name, counted(width, "bit")));
    }
    all.push_back({part.name, high, low});
  }
  std::reverse(all.begin(), all.end());
  return all;
}

std::vector<RtlDesign::Slice> RtlDesign::by_name(const std::string& operand, int count,
                                                 unsigned width) const {
  const auto find = [&](const std::string& name) {
    return operand == "d" ? find_signal(name) : find_input(name);
  };
  const auto whole = find(operand);
  if (whole && circuit_.nodes[*whole].width == width * static_cast<unsigned>(count)) {
    return {{operand, circuit_.nodes[*whole].width - 1, 0}};
  }
  for (const char* between : {"", "_"}) {
    std::vector<Slice> all;
    for (int i = 0; i < count; ++i) {
      const std::string name = operand + between + std::to_string(i);
      const auto element = find(name);
      if (!element || circuit_.nodes[*element].width != width) break;
      all.push_back({name, width - 1, 0});
    }
    if (static_cast<int>(all.size()) == count) return all;
  }
  const std::string found =
      whole ? fmt::format(" (port {} has {})", operand, counted(port_width(operand), "bit")) : "";
  throw std::invalid_argument(fmt::format(
      "{0} has no port {1} of {2}{3}; use --map {1}=... to name its ports{4}; {5}", top_, operand,
      size_text(count, width), found,
      operand == "d"
          ? ""
          : fmt::format(", or --map {}=0 if the design does not have this port", operand),
      ports_text(operand == "d")));
}

RtlDesign::RtlDesign(Circuit circuit, std::string top, const DotFormats& formats,
                     const Connection& connection)
    : circuit_(std::move(circuit)),
      top_(std::move(top)),
      formats_(formats),
      connection_(connection) {
  if (formats_.k % connection_.cycles != 0 || formats_.scales() % connection_.cycles != 0) {
    throw std::invalid_argument(fmt::format(
        "--cycles {}: k = {}{} must be a multiple of it", connection_.cycles, formats_.k,
        formats_.scales() == 0
            ? ""
            : fmt::format(" and the number of scale factors, {},", formats_.scales())));
  }
  for (const auto& [operand, text] : connection_.map) {
    const auto& known = operand_names();
    if (std::find(known.begin(), known.end(), operand) == known.end() ||
        shape(formats_, operand).first == 0) {
      throw std::invalid_argument("--map: the formats have no operand '" + operand + "'");
    }
  }
  std::map<std::string, std::vector<bool>> taken;
  for (const std::string& operand : operand_names()) {
    const auto [width, count] = shape(formats_, operand);
    if (width == 0) continue;
    const auto text = connection_.map.find(operand);
    const bool is_constant =
        text != connection_.map.end() && operand != "d" &&
        (std::isdigit(static_cast<unsigned char>(text->second[0])) != 0 || text->second[0] == '\'');
    if (is_constant) {
      const Integer value = parse_constant("--map " + operand, text->second);
      if (value >= power_of_two(width)) {
        throw std::invalid_argument(
            fmt::format("--map {}: {} does not fit {} bits", operand, text->second, width));
      }
      constants_[operand] = value;
      parts_[operand] = {};
      continue;
    }
    const int at_once = elements_at_once(operand);
    std::vector<Slice> parts = text == connection_.map.end() ? by_name(operand, at_once, width)
                                                             : parsed(operand, text->second);
    unsigned total = 0;
    std::string widths;
    for (auto s = parts.rbegin(); s != parts.rend(); ++s) {
      total += s->high - s->low + 1;
      widths += fmt::format("{}{} {}", widths.empty() ? "" : " + ", s->port, s->high - s->low + 1);
    }
    if (total != width * static_cast<unsigned>(at_once)) {
      throw std::invalid_argument(
          fmt::format("--map {0}: {1} has {2} ({3}), and operand {0} needs {4}", operand,
                      text == connection_.map.end() ? operand : text->second, counted(total, "bit"),
                      widths, size_text(at_once, width)));
    }
    if (operand != "d") {
      for (const Slice& s : parts) {
        std::vector<bool>& bits = taken[s.port];
        bits.resize(port_width(s.port));
        for (unsigned i = s.low; i <= s.high; ++i) {
          if (bits[i]) {
            throw std::invalid_argument(
                fmt::format("--map {}: {}[{}] is already mapped", operand, s.port, i));
          }
          bits[i] = true;
        }
      }
    }
    parts_[operand] = std::move(parts);
  }
  for (const auto& [name, value] : connection_.set) {
    const auto node = find_input(name);
    if (!node) throw std::invalid_argument("--set: " + top_ + " has no input '" + name + "'");
    if (value < 0 || value >= power_of_two(circuit_.nodes[*node].width)) {
      throw std::invalid_argument(
          fmt::format("--set: {} has {}", name, counted(circuit_.nodes[*node].width, "bit")));
    }
    if (taken.contains(name)) {
      throw std::invalid_argument("--set: " + name + " already belongs to an operand");
    }
  }
  check_timing();
}

int RtlDesign::elements_at_once(const std::string& operand) const {
  const int count = shape(formats_, operand).second;
  return operand == "c" || operand == "d" ? count : count / connection_.cycles;
}

void RtlDesign::check_timing() const {
  const auto require_bit = [&](const char* option, const std::string& name, bool is_output) {
    const auto node = is_output ? find_signal(name) : find_input(name);
    if (!node) {
      throw std::invalid_argument(fmt::format("{}: {} has no {} '{}'; {}", option, top_,
                                              is_output ? "signal" : "input", name,
                                              ports_text(is_output)));
    }
    if (circuit_.nodes[*node].width != 1) {
      throw std::invalid_argument(fmt::format("{}: {} has {}, and needs 1", option, name,
                                              counted(circuit_.nodes[*node].width, "bit")));
    }
    if (is_output) return;
    const std::vector<std::string> others = other_inputs();
    if (std::find(others.begin(), others.end(), name) == others.end()) {
      throw std::invalid_argument(fmt::format("{}: {} belongs to an operand", option, name));
    }
    if (connection_.set.contains(name)) {
      throw std::invalid_argument(fmt::format("{}: {} has a constant value (--set)", option, name));
    }
  };
  if (!connection_.valid_in.empty()) require_bit("--valid-in", connection_.valid_in, false);
  if (!connection_.valid_out.empty()) require_bit("--valid-out", connection_.valid_out, true);
  if (!connection_.reset.empty()) require_bit("--reset", connection_.reset, false);
  if (!connection_.reset.empty() && connection_.reset == connection_.valid_in) {
    throw std::invalid_argument("--reset and --valid-in name the same port, " + connection_.reset);
  }
}

std::string RtlDesign::ports_text(bool is_output) const {
  std::string text;
  const auto add = [&](const std::string& name, unsigned width) {
    text += fmt::format("{}{}[{}]", text.empty() ? "" : ", ", name, width);
  };
  if (is_output) {
    for (const Circuit::Output& o : circuit_.outputs) add(o.name, circuit_.nodes[o.node].width);
  } else {
    for (const CircuitNode& n : circuit_.nodes) {
      if (n.op == "input" && !n.symbol.empty()) add(n.symbol, n.width);
    }
  }
  const char* kind = is_output ? "outputs" : "inputs";
  return text.empty() ? fmt::format("it has no {}", kind)
                      : fmt::format("its {} and their bits: {}", kind, text);
}

std::vector<std::string> RtlDesign::other_inputs() const {
  std::vector<std::string> all;
  for (const CircuitNode& n : circuit_.nodes) {
    if (n.op != "input") continue;
    bool is_operand = false;
    for (const auto& [operand, parts] : parts_) {
      for (const Slice& s : parts)
        is_operand = is_operand || (operand != "d" && s.port == n.symbol);
    }
    if (!is_operand) all.push_back(n.symbol);
  }
  return all;
}

/// The circuit in each cycle from the operands' to the result's, as far as the result needs it.
class RtlDesign::Unrolling {
 public:
  Unrolling(const RtlDesign& design, const DotOperands& operands, bool determined,
            Bool valid_in = Bool(true))
      : design_(design),
        circuit_(design.circuit_),
        connection_(design.connection_),
        operands_(operands),
        determined_(determined),
        valid_in_(valid_in) {}

  Int result(Signals* signals) {
    std::vector<std::size_t> roots;
    for (const Slice& s : design_.parts_.at("d")) roots.push_back(*design_.find_signal(s.port));
    unroll(roots, connection_.latency);
    if (signals != nullptr) collect(*signals);
    std::optional<Word> d;
    for (const Slice& s : design_.parts_.at("d")) {
      const Word part = values_.back()[*design_.find_signal(s.port)]->slice(s.high, s.low);
      d = d ? concat(part, *d) : part;
    }
    return d->value();
  }

  Int valid_out(int latency) {
    const std::size_t node = *design_.find_signal(connection_.valid_out);
    unroll({node}, latency);
    return values_.back()[node]->value();
  }

 private:
  /// All cycles, from those of the reset to that of the result, as far as the roots need them
  /// there.
  void unroll(const std::vector<std::size_t>& roots, int latency) {
    first_ = connection_.reset.empty() ? 0 : kResetEdges;
    const auto cycles = static_cast<std::size_t>(first_ + latency) + 1;
    needed_.assign(cycles, std::vector<bool>(circuit_.nodes.size()));
    values_.assign(cycles, std::vector<std::optional<Word>>(circuit_.nodes.size()));
    for (const std::size_t root : roots) needed_.back()[root] = true;
    for (std::size_t t = cycles; t-- > 0;) mark(t);
    for (std::size_t t = 0; t < cycles; ++t) evaluate(t);
  }

  /// Cycles since the first operands; negative: in the reset.
  int time(std::size_t t) const { return static_cast<int>(t) - first_; }

  void mark(std::size_t t) {
    for (std::size_t i = circuit_.nodes.size(); i-- > 0;) {
      if (!needed_[t][i]) continue;
      for (const std::size_t a : circuit_.nodes[i].args) needed_[t][a] = true;
      if (t > 0 && circuit_.next[i]) needed_[t - 1][*circuit_.next[i]] = true;
    }
  }

  void evaluate(std::size_t t) {
    for (std::size_t i = 0; i < circuit_.nodes.size(); ++i) {
      if (needed_[t][i]) values_[t][i] = value(t, i);
    }
  }

  void collect(Signals& signals) const {
    for (auto t = static_cast<std::size_t>(first_); t < values_.size(); ++t) {
      const std::string at = values_.size() == 1 ? "" : "@" + std::to_string(time(t));
      for (std::size_t i = 0; i < circuit_.nodes.size(); ++i) {
        const CircuitNode& n = circuit_.nodes[i];
        if (n.symbol.empty() || n.op == "input") continue;
        // A name that stands for another node is not part of the circuit.
        const std::size_t of =
            n.op == "uext" && n.width == circuit_.nodes[n.args[0]].width ? n.args[0] : i;
        if (values_[t][of]) signals.emplace_back(n.symbol + at, values_[t][of]->value());
      }
      for (const Circuit::Output& o : circuit_.outputs) {
        if (values_[t][o.node]) signals.emplace_back(o.name + at, values_[t][o.node]->value());
      }
    }
  }

  /// What nothing determines: an input whose name says which bits of which node in which cycle.
  Word undetermined(std::size_t t, std::size_t i, unsigned high, unsigned low) const {
    const unsigned width = high - low + 1;
    if (determined_) return Word::of(Int(0), width);
    return Word::of(input(fmt::format("{}{}@{}[{}:{}]", kUndetermined, i, t, high, low), width),
                    width);
  }

  /// A port: bits of operands, or what is said of it.
  Word port(std::size_t t, std::size_t i) const {
    const CircuitNode& n = circuit_.nodes[i];
    const auto fixed = connection_.set.find(n.symbol);
    if (fixed != connection_.set.end()) return Word::of(Int(fixed->second), n.width);
    if (!n.symbol.empty() && n.symbol == connection_.reset) {
      return Word::of(Bool(connection_.reset_value == (time(t) < 0)));
    }
    if (!n.symbol.empty() && n.symbol == connection_.valid_in) {
      if (time(t) >= 0 && time(t) < connection_.cycles) return Word::of(valid_in_);
      if (time(t) >= 0 && !connection_.reset.empty()) return Word::of(Bool(false));
      return undetermined(t, i, 0, 0);
    }
    std::vector<std::optional<Word>> bits(n.width);
    for (const auto& [operand, parts] : design_.parts_) {
      if (operand == "d" || !design_.is_at_ports(operand, time(t))) continue;
      unsigned at = 0;
      for (const Slice& s : parts) {
        const unsigned width = s.high - s.low + 1;
        if (s.port == n.symbol) {
          const Word whole = of_operand(operand, time(t));
          bits[s.low] = whole.slice(at + width - 1, at);
        }
        at += width;
      }
    }
    std::optional<Word> word;
    for (unsigned low = 0; low < n.width;) {
      Word part = Word::of(Bool(false));
      if (bits[low]) {
        part = *bits[low];
      } else {
        unsigned high = low;
        while (high + 1 < n.width && !bits[high + 1]) ++high;
        part = undetermined(t, i, high, low);
      }
      word = word ? concat(part, *word) : part;
      low += part.width();
    }
    return *word;
  }

  /// The elements of an operand that are at its ports.
  Word of_operand(const std::string& operand, int time) const {
    const unsigned width = shape(design_.formats_, operand).first;
    const std::vector<Int> one{operands_.c};
    const std::vector<Int>& elements = operand == "a"    ? operands_.a
                                       : operand == "b"  ? operands_.b
                                       : operand == "c"  ? one
                                       : operand == "sa" ? operands_.scale_a
                                                         : operands_.scale_b;
    const auto [from, to] = design_.elements_at(operand, time);
    std::optional<Word> word;
    for (std::size_t k = from; k < to; ++k) {
      const Int e = elements[k];
      // A caller with changed operands may not know their ranges as precisely as those of patterns.
      const bool fits = e.range().high < power_of_two(width);
      const Word element = Word::of(fits ? e : bits(e, 0, width), width);
      word = word ? concat(element, *word) : element;
    }
    return *word;
  }

  Word value(std::size_t t, std::size_t i) const {
    const CircuitNode& n = circuit_.nodes[i];
    const auto arg = [&](std::size_t k) -> const Word& { return *values_[t][n.args[k]]; };
    const auto bit = [&](Bool b) { return Word::of(b); };
    const std::string& op = n.op;
    if (op == "input") return port(t, i);
    if (op == "state") {
      if (t > 0 && circuit_.next[i]) return *values_[t - 1][*circuit_.next[i]];
      return undetermined(t, i, n.width - 1, 0);
    }
    if (op == "const") return Word::of(Int(n.value), n.width);
    if (op == "slice") return arg(0).slice(n.low + n.width - 1, n.low);
    if (op == "uext" || op == "sext") return arg(0).extended(n.width, op == "sext");
    if (op == "not") return ~arg(0);
    if (op == "neg") return subtract(zero(n.width), arg(0));
    if (op == "inc") return add(arg(0), one(n.width));
    if (op == "dec") return subtract(arg(0), one(n.width));
    if (op == "redor") return bit(arg(0).any());
    if (op == "redand") return bit(!(~arg(0)).any());
    if (op == "redxor") return bit(parity(arg(0)));
    if (op == "and") return arg(0) & arg(1);
    if (op == "or") return arg(0) | arg(1);
    if (op == "xor") return arg(0) ^ arg(1);
    if (op == "nand") return ~(arg(0) & arg(1));
    if (op == "nor") return ~(arg(0) | arg(1));
    if (op == "xnor") return ~(arg(0) ^ arg(1));
    if (op == "implies") return ~arg(0) | arg(1);
    if (op == "iff" || op == "eq") return bit(equal(arg(0), arg(1)));
    if (op == "neq") return bit(!equal(arg(0), arg(1)));
    if (op == "ult" || op == "slt") return bit(less(arg(0), arg(1), op == "slt"));
    if (op == "ugt" || op == "sgt") return bit(less(arg(1), arg(0), op == "sgt"));
    if (op == "ulte" || op == "slte") return bit(!less(arg(1), arg(0), op == "slte"));
    if (op == "ugte" || op == "sgte") return bit(!less(arg(0), arg(1), op == "sgte"));
    if (op == "add") return add(arg(0), arg(1));
    if (op == "sub") return subtract(arg(0), arg(1));
    if (op == "mul") return multiply(arg(0), arg(1));
    if (op == "concat") return concat(arg(0), arg(1));
    if (op == "sll") return shift_left(arg(0), arg(1));
    if (op == "srl" || op == "sra") return shift_right(arg(0), arg(1), op == "sra");
    if (op == "ite") return select(arg(0).bit(0), arg(1), arg(2));
    if (op.ends_with("div") || op.ends_with("rem") || op == "smod") {
      return quotient_or_remainder(op, i, arg(0), arg(1));
    }
    throw std::logic_error("an operation was read but not built: " + op);
  }

  /// By a constant; sdiv rounds toward zero, srem has the dividend's sign, smod the divisor's.
  Word quotient_or_remainder(const std::string& op, std::size_t i, const Word& x,
                             const Word& y) const {
    const unsigned width = x.width();
    const Int by = y.value();
    if (!by.is_constant() || by.range().low == 0) {
      throw std::invalid_argument(
          fmt::format("{}: division and remainder are supported only by constants that are not 0: "
                      "{}",
                      design_.top_, SignalNames(circuit_).describe(i)));
    }
    const Integer divisor = by.range().low;
    if (op == "udiv") return divide(x, divisor).quotient;
    if (op == "urem") return divide(x, divisor).remainder;
    const bool y_negative = bit_test(divisor, width - 1);
    const Bool x_negative = x.bit(width - 1);
    const auto negated_if = [&](Bool negative, const Word& z) {
      return select(negative, subtract(zero(width), z), z);
    };
    const Division magnitude = divide(
        negated_if(x_negative, x), y_negative ? Integer(power_of_two(width) - divisor) : divisor);
    if (op == "sdiv") return negated_if(x_negative ^ Bool(y_negative), magnitude.quotient);
    const Word remainder = negated_if(x_negative, magnitude.remainder);
    if (op == "srem") return remainder;
    const Bool to_shift = remainder.any() && (x_negative ^ Bool(y_negative));
    return select(to_shift, add(remainder, y), remainder);
  }

  static Word zero(unsigned width) { return Word::of(Int(0), width); }
  static Word one(unsigned width) { return Word::of(Int(1), width); }

  const RtlDesign& design_;
  const Circuit& circuit_;
  const Connection& connection_;
  const DotOperands& operands_;
  const bool determined_;
  const Bool valid_in_;
  int first_ = 0;                          ///< the cycle of the first operands
  std::vector<std::vector<bool>> needed_;  ///< by cycle, by node
  std::vector<std::vector<std::optional<Word>>> values_;
};

Int RtlDesign::build(const DotOperands& operands, Signals* signals) const {
  const Stage stage("rtl");
  return Unrolling(*this, operands, false).result(signals);
}

Int RtlDesign::build_determined(const DotOperands& operands, Signals* signals) const {
  const Stage stage("rtl");
  return Unrolling(*this, operands, true).result(signals);
}

Int RtlDesign::build_valid_out(const DotOperands& operands, Bool valid_in, int latency) const {
  return Unrolling(*this, operands, false, valid_in).valid_out(latency);
}

bool RtlDesign::is_at_ports(const std::string& operand, int time) const {
  if (time < 0) return false;
  const bool is_shared = connection_.cycles > 1 && operand != "c";
  return is_shared ? time < connection_.cycles : time == 0 || connection_.hold;
}

std::pair<std::size_t, std::size_t> RtlDesign::elements_at(const std::string& operand,
                                                           int time) const {
  const auto count = static_cast<std::size_t>(elements_at_once(operand));
  const bool is_shared = connection_.cycles > 1 && operand != "c";
  const std::size_t from = is_shared ? count * static_cast<std::size_t>(time) : 0;
  return {from, from + count};
}

bool RtlDesign::is_free_signal(const std::string& graph_input) {
  return graph_input.starts_with(kUndetermined);
}

std::vector<RtlDesign::FreeSignal> RtlDesign::free_signals(
    const std::vector<std::string>& graph_inputs) const {
  const SignalNames names(circuit_);
  const std::vector<std::string> others = other_inputs();
  std::vector<FreeSignal> all;
  for (const std::string& name : graph_inputs) {
    const std::size_t node = std::stoul(name.substr(kUndetermined.size()));
    const CircuitNode& n = circuit_.nodes[node];
    const bool is_port = n.op == "input" && !n.symbol.empty();
    const bool is_operand =
        is_port && (n.symbol == connection_.valid_in ||
                    std::find(others.begin(), others.end(), n.symbol) == others.end());
    const auto kind = is_port               ? FreeSignal::Kind::port
                      : circuit_.next[node] ? FreeSignal::Kind::initial_register
                                            : FreeSignal::Kind::undefined;
    all.push_back({kind, names.describe(node), is_operand});
  }
  return all;
}

std::string RtlDesign::constants_text() const {
  std::string text;
  for (const auto& [operand, value] : constants_) {
    const auto [width, count] = shape(formats_, operand);
    text += fmt::format("{}{}{} = 0x{}", text.empty() ? "" : ", ", operand,
                        operand == "c" ? "" : "[*]", to_hex(value, (width + 3) / 4));
  }
  return text;
}

DotOperands RtlDesign::with_constants(DotOperands operands) const {
  for (const auto& [operand, value] : constants_) {
    if (operand == "c") {
      operands.c = value;
    } else {
      std::vector<Int>& elements = operand == "a"    ? operands.a
                                   : operand == "b"  ? operands.b
                                   : operand == "sa" ? operands.scale_a
                                                     : operands.scale_b;
      elements.assign(elements.size(), value);
    }
  }
  return operands;
}

DotValues RtlDesign::with_constants(DotValues values) const {
  for (const auto& [operand, value] : constants_) {
    if (operand == "c") {
      values.c = value;
    } else {
      std::vector<Integer>& elements = operand == "a"    ? values.a
                                       : operand == "b"  ? values.b
                                       : operand == "sa" ? values.scale_a
                                                         : values.scale_b;
      elements.assign(elements.size(), value);
    }
  }
  return values;
}

bool RtlDesign::has_constants(const DotValues& values) const {
  return with_constants(values) == values;
}

Algorithm as_algorithm(std::shared_ptr<const RtlDesign> design) {
  const std::string top = design->top();
  return Custom{"rtl/" + top,
                [design = std::move(design)](const DotFormats&, const DotOperands& operands) {
                  return design->build_determined(operands);
                }};
}

Instruction as_instruction(std::shared_ptr<const RtlDesign> design) {
  Instruction i;
  i.architecture = "rtl";
  i.mnemonic = design->top();
  i.formats = design->formats();
  i.algorithm = as_algorithm(std::move(design));
  return i;
}

}  // namespace mmaspec::rtl
