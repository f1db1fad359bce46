#include <fmt/format.h>

#include <set>

#include "encoder/encode.h"
#include "encoder/export/module.h"

namespace mmaspec {
namespace {

/// The start of every file: numbers of several words, the least significant first. A number x of n
/// words is in two's complement if s is set, otherwise unsigned; results are modulo 2^(64 n).
constexpr const char* kLibrary = R"(#include <stdint.h>

typedef uint64_t u64;

/* Word i of x, extended. */
static u64 word(const u64 *x, int n, int s, int i)
{
  if (i < n) return x[i];
  return s && (x[n - 1] >> 63) ? ~(u64)0 : 0;
}
static void set(u64 *r, int w, const u64 *x, int n, int s)
{
  int i;
  u64 t;
  for (i = 0; i < w; ++i) { t = word(x, n, s, i); r[i] = t; }
}
/* r = x * 2^k */
static void left(u64 *r, int w, const u64 *x, int n, int s, u64 k)
{
  int i, q = k / 64 > (u64)w ? w : (int)(k / 64);
  int b = (int)(k % 64);
  for (i = w - 1; i >= 0; --i) {
    u64 high = i >= q ? word(x, n, s, i - q) : 0;
    u64 low = b != 0 && i > q ? word(x, n, s, i - q - 1) >> (64 - b) : 0;
    r[i] = b == 0 ? high : (high << b) | low;
  }
}
/* r = floor(x / 2^k) */
static void right(u64 *r, int w, const u64 *x, int n, int s, u64 k)
{
  int i, q = k / 64 > (u64)n ? n : (int)(k / 64);
  int b = k / 64 > (u64)n ? 0 : (int)(k % 64);
  for (i = 0; i < w; ++i) {
    u64 low = word(x, n, s, i + q);
    u64 high = b != 0 ? word(x, n, s, i + q + 1) << (64 - b) : 0;
    r[i] = b == 0 ? low : (low >> b) | high;
  }
}
/* r += x * 2^k, or r -= x * 2^k */
static void add(u64 *r, int w, const u64 *x, int n, int s, u64 k, int minus)
{
  int i, carry = minus;
  for (i = 0; i < w; ++i) {
    u64 t, sum;
    int q = (int)(k / 64), b = (int)(k % 64);
    t = i >= q ? word(x, n, s, i - q) << b : 0;
    if (b != 0 && i > q) t |= word(x, n, s, i - q - 1) >> (64 - b);
    if (minus) t = ~t;
    sum = r[i] + t;
    t = sum + (u64)carry;
    carry = sum < r[i] || t < sum;
    r[i] = t;
  }
}
/* r = x * y */
static void multiply(u64 *r, int w, const u64 *x, int n, int s, const u64 *y, int m, int t)
{
  int i, j;
  for (i = 0; i < w; ++i) r[i] = 0;
  for (i = 0; i < w; ++i) {
    u64 carry = 0, a = word(x, n, s, i);
    for (j = 0; i + j < w; ++j) {
      u64 b = word(y, m, t, j);
      u64 p = (a & 0xffffffffu) * (b & 0xffffffffu);
      u64 q = (a >> 32) * (b & 0xffffffffu);
      u64 u = (a & 0xffffffffu) * (b >> 32);
      u64 v = (a >> 32) * (b >> 32);
      u64 middle = (p >> 32) + (q & 0xffffffffu) + (u & 0xffffffffu);
      u64 low = (p & 0xffffffffu) | (middle << 32);
      u64 high = v + (q >> 32) + (u >> 32) + (middle >> 32);
      low += carry;
      high += low < carry;
      r[i + j] += low;
      high += r[i + j] < low;
      carry = high;
    }
  }
}
static void negate(u64 *r, int w)
{
  int i;
  u64 carry = 1;
  for (i = 0; i < w; ++i) { r[i] = ~r[i] + carry; carry = carry && r[i] == 0; }
}
static void cut(u64 *r, int w, int width)
{
  int i;
  for (i = 0; i < w; ++i) {
    if (64 * i >= width) r[i] = 0;
    else if (width - 64 * i < 64) r[i] &= ((u64)1 << (width - 64 * i)) - 1;
  }
}
static u64 less(const u64 *x, int n, int s, const u64 *y, int m, int t)
{
  int i = n > m ? n : m;
  u64 a = word(x, n, s, i) ^ ((u64)1 << 63), b = word(y, m, t, i) ^ ((u64)1 << 63);
  while (a == b && i > 0) { --i; a = word(x, n, s, i); b = word(y, m, t, i); }
  return a < b;
}
static u64 equal(const u64 *x, int n, int s, const u64 *y, int m, int t)
{
  int i;
  for (i = n > m ? n : m; i >= 0; --i) if (word(x, n, s, i) != word(y, m, t, i)) return 0;
  return 1;
}
static u64 length(const u64 *x, int n)
{
  u64 bits = 0, t;
  int i;
  for (i = n - 1; i > 0 && x[i] == 0; --i) {}
  for (t = x[i]; t != 0; t >>= 1) ++bits;
  return bits + 64 * (u64)i;
}
)";

constexpr unsigned kWord = 64;

/// Writes one function. A node of up to 64 bits is a `u64`, sign-extended if it may be negative; a
/// wider one is an array.
class C99Writer {
 public:
  explicit C99Writer(const Module& module)
      : module_(module), graph_(*module.graph), names_(graph_, module.result) {}

  std::string write() {
    for (const Port& port : module_.inputs) {
      for (std::size_t i = 0; i < port.elements.size(); ++i) {
        inputs_[port.elements[i]] =
            port.is_vector ? fmt::format("{}[{}]", port.name, i) : port.name;
      }
    }
    for (const NodeId id : names_.nodes()) define(id);
    const std::string result =
        words(module_.result) == 1 ? name(module_.result) : name(module_.result) + "[0]";
    const Integer mask = power_of_two(module_.result_width) - 1;
    // Unused functions would cause warnings.
    std::string used;
    for (const char* f :
         {"set", "left", "right", "add", "multiply", "negate", "cut", "less", "equal", "length"}) {
      used += fmt::format("  (void){};\n", f);
    }
    for (const Port& port : module_.inputs) used += fmt::format("  (void){};\n", port.name);
    return header() + used + body_ +
           fmt::format("  return {} & {};\n}}\n", result, constant_word(mask));
  }

 private:
  const Node& node(NodeId id) const { return graph_[id]; }
  bool is_signed(NodeId id) const { return node(id).range.low < 0; }
  unsigned width(NodeId id) const { return is_boolean(node(id).op) ? 1 : width_of(node(id).range); }
  unsigned words(NodeId id) const { return (width(id) + kWord - 1) / kWord; }
  bool is_constant(NodeId id) const {
    return node(id).op == Op::constant || node(id).op == Op::boolean;
  }
  static std::string constant_word(const Integer& value) {
    const Integer modulus = power_of_two(kWord);
    Integer r = value % modulus;
    if (r < 0) r += modulus;
    return fmt::format("UINT64_C(0x{})", to_hex(r));
  }

  std::string header() const {
    std::string comment = module_.comment;
    for (std::size_t at = 0; (at = comment.find('\n', at) + 1) > 0;) comment.insert(at, " * ");
    std::string text = fmt::format(
        "/* {}\n * Variables are named after the specification's stages. */\n", comment);
    text += kLibrary;
    std::string parameters;
    for (const Port& port : module_.inputs) {
      parameters += parameters.empty() ? "" : ", ";
      parameters += port.is_vector
                        ? fmt::format("const u64 {}[{}]", port.name, port.elements.size())
                        : fmt::format("u64 {}", port.name);
    }
    // Simulators compile functions that a design imports (DPI-C) as C++.
    return text + fmt::format(
                      "\n#ifdef __cplusplus\nextern \"C\"\n#endif\nu64 {0}({1});\nu64 "
                      "{0}({1})\n{{\n",
                      module_.name, parameters);
  }

  void line(const std::string& text) { body_ += "  " + text + "\n"; }

  /// The variable of a node. A constant gets one at its first use.
  std::string name(NodeId id) {
    if (!is_constant(id)) return names_[id];
    std::string text = fmt::format("constant_{}", id);
    if (constants_.insert(id).second) {
      std::vector<std::string> parts;
      for (unsigned i = 0; i < words(id); ++i) {
        parts.push_back(constant_word(floor_shift_right(node(id).value, kWord * i)));
      }
      line(words(id) == 1 ? fmt::format("const u64 {} = {};", text, parts[0])
                          : fmt::format("static const u64 {}[{}] = {{{}}};", text, words(id),
                                        fmt::join(parts, ", ")));
    }
    return text;
  }
  /// A number as arguments of the library: pointer, words, sign.
  std::string number(NodeId id) {
    const std::string variable = name(id);
    return fmt::format("{}{}, {}, {}", words(id) == 1 ? "&" : "", variable, words(id),
                       is_signed(id) ? 1 : 0);
  }
  std::string word(NodeId id) {
    return is_constant(id) ? constant_word(node(id).value) : names_[id];
  }

  /// True if the node and its arguments fit one word, all signed or all unsigned.
  bool is_narrow(NodeId id) const {
    Range all = node(id).range;
    for (const NodeId a : node(id).args) all = hull(all, node(a).range);
    return width_of(all) <= kWord;
  }

  static std::string flipped(const std::string& x, bool is_signed) {
    return is_signed ? fmt::format("({} ^ ((u64)1 << 63))", x) : x;
  }

  std::string narrow_sum(const Node& n) {
    std::string text = n.value == 0 && !n.args.empty() ? "" : constant_word(n.value);
    for (std::size_t i = 0; i < n.args.size(); ++i) {
      const Integer& c = n.coefficients[i];
      const Integer magnitude = c < 0 ? Integer(-c) : c;
      if (c < 0) {
        text += text.empty() ? "0 - " : " - ";
      } else if (!text.empty()) {
        text += " + ";
      }
      text += magnitude == 1 ? word(n.args[i])
                             : fmt::format("{} * {}", constant_word(magnitude), word(n.args[i]));
    }
    return text;
  }

  std::string narrow_shift_right(const Node& n) {
    const std::string x = word(n.args[0]);
    const std::string k = word(n.args[1]);
    if (!is_signed(n.args[0])) return fmt::format("{1} > 63 ? 0 : {0} >> {1}", x, k);
    return fmt::format(
        "{0} >> 63 ? ({1} > 63 ? ~(u64)0 : ~(~{0} >> {1})) : ({1} > 63 ? 0 : {0} >> {1})", x, k);
  }

  std::string joined(const Node& n, const char* between) {
    std::vector<std::string> parts;
    for (const NodeId a : n.args) parts.push_back(word(a));
    return fmt::format("{}", fmt::join(parts, between));
  }

  /// An expression for a node with is_narrow(); empty if it needs the library.
  std::string narrow(const Node& n) {
    const auto arg = [&](std::size_t i) { return word(n.args[i]); };
    switch (n.op) {
      case Op::sum:
        return narrow_sum(n);
      case Op::product:
        return joined(n, " * ");
      case Op::absolute:
        return fmt::format("{0} >> 63 ? 0 - {0} : {0}", arg(0));
      case Op::negate_if:
        return fmt::format("{0} ? 0 - {1} : {1}", arg(0), arg(1));
      case Op::select:
        return fmt::format("{} ? {} : {}", arg(0), arg(1), arg(2));
      case Op::shift_left:
        return fmt::format("{1} > 63 ? 0 : {0} << {1}", arg(0), arg(1));
      case Op::floor_shift_right:
        return narrow_shift_right(n);
      case Op::bits:
        return n.low >= kWord ? "0"
                              : fmt::format("({} >> {}) & {}", arg(0), n.low,
                                            constant_word(power_of_two(n.width) - 1));
      case Op::claim:
        return arg(0);
      case Op::less:
      case Op::equal: {
        const bool any_sign = is_signed(n.args[0]) || is_signed(n.args[1]);
        return n.op == Op::equal
                   ? fmt::format("{} == {}", arg(0), arg(1))
                   : fmt::format("{} < {}", flipped(arg(0), any_sign), flipped(arg(1), any_sign));
      }
      case Op::logical_not:
        return "!" + arg(0);
      case Op::logical_and:
        return joined(n, " & ");
      case Op::logical_xor:
        return joined(n, " ^ ");
      default:
        return "";
    }
  }

  void with_library(NodeId id, const Node& n) {
    const bool is_word = words(id) == 1;
    const std::string r = names_[id];
    line(is_word ? fmt::format("u64 {};", r) : fmt::format("u64 {}[{}];", r, words(id)));
    const std::string result = fmt::format("{}{}, {}", is_word ? "&" : "", r, words(id));
    const auto arg = [&](std::size_t i) { return number(n.args[i]); };
    switch (n.op) {
      case Op::sum: {
        std::string constant = fmt::format("{}_constant", r);
        std::vector<std::string> parts;
        for (unsigned i = 0; i < words(id); ++i) {
          parts.push_back(constant_word(floor_shift_right(n.value, kWord * i)));
        }
        line(
            fmt::format("const u64 {}[{}] = {{{}}};", constant, words(id), fmt::join(parts, ", ")));
        line(fmt::format("set({}, {}, {}, 0);", result, constant, words(id)));
        for (std::size_t i = 0; i < n.args.size(); ++i) add_multiple(id, n, i, result);
        return;
      }
      case Op::product: {
        line(fmt::format("set({}, {});", result, arg(0)));
        for (std::size_t i = 1; i < n.args.size(); ++i) {
          const std::string factor = fmt::format("{}_factor_{}", r, i);
          line(fmt::format("u64 {}[{}];", factor, words(id)));
          line(fmt::format("set({0}, {1}, {2}{3}, {1}, 0);", factor, words(id), is_word ? "&" : "",
                           r));
          line(fmt::format("multiply({}, {}, {}, 0, {});", result, factor, words(id), arg(i)));
        }
        return;
      }
      case Op::absolute:
        line(fmt::format("set({}, {});", result, arg(0)));
        line(fmt::format("if (word({}, {})) negate({});", arg(0), words(n.args[0]), result));
        return;
      case Op::negate_if: {
        const std::string magnitude = arg(1);
        line(fmt::format("set({}, {});", result, magnitude));
        line(fmt::format("if ({}) negate({});", word(n.args[0]), result));
        return;
      }
      case Op::select: {
        const std::string yes = arg(1);
        const std::string no = arg(2);
        line(fmt::format("if ({}) set({}, {}); else set({}, {});", word(n.args[0]), result, yes,
                         result, no));
        return;
      }
      case Op::minimum:
      case Op::maximum: {
        Range all = node(n.args[0]).range;
        for (const NodeId a : n.args) all = hull(all, node(a).range);
        const unsigned count = (width_of(all) + kWord - 1) / kWord;
        const std::string best = fmt::format("{}_best, {}, {}", r, count, all.low < 0 ? 1 : 0);
        line(fmt::format("u64 {}_best[{}];", r, count));
        line(fmt::format("set({}_best, {}, {});", r, count, arg(0)));
        for (std::size_t i = 1; i < n.args.size(); ++i) {
          const std::string member = arg(i);
          line(fmt::format("if (less({})) set({}_best, {}, {});",
                           n.op == Op::maximum ? best + ", " + member : member + ", " + best, r,
                           count, member));
        }
        line(fmt::format("set({}, {});", result, best));
        return;
      }
      case Op::shift_left:
        line(fmt::format("left({}, {}, {});", result, arg(0), word(n.args[1])));
        return;
      case Op::floor_shift_right:
        line(fmt::format("right({}, {}, {});", result, arg(0), word(n.args[1])));
        return;
      case Op::bits:
        line(fmt::format("right({}, {}, {});", result, arg(0), n.low));
        line(fmt::format("cut({}, {});", result, n.width));
        return;
      case Op::bit_length:
        line(fmt::format("{} = length({}{}, {});", r, words(n.args[0]) == 1 ? "&" : "",
                         name(n.args[0]), words(n.args[0])));
        return;
      case Op::claim:
        line(fmt::format("set({}, {});", result, arg(0)));
        return;
      case Op::less:
      case Op::equal: {
        const std::string x = arg(0);
        const std::string y = arg(1);
        line(fmt::format("{} = {}({}, {});", r, n.op == Op::less ? "less" : "equal", x, y));
        return;
      }
      default:
        throw std::logic_error("no such operation on several words");
    }
  }

  /// Adds coefficient i times argument i to the sum.
  void add_multiple(NodeId id, const Node& n, std::size_t i, const std::string& result) {
    const Integer& c = n.coefficients[i];
    const Integer magnitude = c < 0 ? Integer(-c) : c;
    const int minus = c < 0 ? 1 : 0;
    if (is_power_of_two(magnitude)) {
      line(fmt::format("add({}, {}, {}, {});", result, number(n.args[i]), trailing_zeros(magnitude),
                       minus));
      return;
    }
    const unsigned count = (bit_length(magnitude) + kWord - 1) / kWord;
    std::vector<std::string> parts;
    for (unsigned k = 0; k < count; ++k) {
      parts.push_back(constant_word(floor_shift_right(magnitude, kWord * k)));
    }
    const std::string base = fmt::format("{}_{}", names_[id], i);
    line(fmt::format("const u64 {}_times[{}] = {{{}}};", base, count, fmt::join(parts, ", ")));
    line(fmt::format("u64 {}_multiple[{}];", base, words(id)));
    line(fmt::format("multiply({0}_multiple, {1}, {2}, {0}_times, {3}, 0);", base, words(id),
                     number(n.args[i]), count));
    line(fmt::format("add({}, {}_multiple, {}, 0, 0, {});", result, base, words(id), minus));
  }

  void define(NodeId id) {
    const Node& n = node(id);
    if (is_constant(id)) return;
    if (n.stage != stage_) {
      stage_ = n.stage;
      body_ += fmt::format("\n  /* {} */\n", stage_ == 0 ? "inputs" : graph_.stages()[stage_]);
    }
    if (n.op == Op::input) {
      line(fmt::format("const u64 {} = {} & {};", names_[id], inputs_.at(id),
                       constant_word(power_of_two(n.width) - 1)));
      return;
    }
    const std::string text = is_narrow(id) ? narrow(n) : "";
    if (text.empty()) {
      with_library(id, n);
    } else {
      line(fmt::format("const u64 {} = {};", names_[id], text));
    }
  }

  const Module& module_;
  const Graph& graph_;
  const NodeNames names_;
  std::unordered_map<NodeId, std::string> inputs_;
  std::set<NodeId> constants_;
  std::string body_;
  std::uint32_t stage_ = ~std::uint32_t{0};
};

}  // namespace

std::string to_c(const Module& module) { return C99Writer(module).write(); }

}  // namespace mmaspec
